"""Reading WfFormat, the JSON of the WfCommons project: one workflow, its tasks and their order.

Versions 1.4 to 1.6 are read, and the earlier ones (``jobs`` for ``tasks``, ``runtime`` for
``runtimeInSeconds``, ``memory`` in kB for ``memoryInBytes``, parents by name).
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import log_name
from jobsim.joblog.localtime import Seconds, epoch_s
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schedule.names import printable
from jobsim.joblog.schema import LARGEST
from jobsim.joblog.table import JobLog, instant_after
from jobsim.joblog.wfformat.tasks import (
    Task,
    in_order,
    merged_tasks,
    read_workflow,
    task_id,
    waits_for,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

WORKFLOW = re.compile(rb'"workflow"\s*:\s*\{')
PARTS = re.compile(rb'"(?:tasks|jobs|machines)"\s*:\s*\[')
OWN = re.compile(
    rb'"(?:schemaVersion"\s*:\s*"1\.\d|runtimeInSeconds"\s*:|link"\s*:\s*"(?:in|out)put")'
)

OTHER_INSTANT = "%m-%d-%yT%H:%M:%S%z"
"""How some makers write ``executedAt``: ``05-10-23T16:23:32Z``."""

NUMBERED = re.compile(r"(?<=.)_+(?:ID)?[0-9]+$")
"""What makes the name of a task differ from those of its like: ``split_ID0000007``."""

KB_MB = 1000 * 2.0**-20
LEAST_MACHINE_BYTES = 2**30
IN_KB = "guessed: memory is in kB, as the machines would have less than 1 GB if it were in bytes"

COMPUTED = (
    "marked: submission times are not logged; computed from the dependencies, as if each task ran"
    " at once when the last one before it ended"
)
FROM_STARTS = (
    "marked: submission times are not logged; a task counts as submitted when the last one before"
    " it ended, by the logged starts and run times"
)
NOT_ALL = "mended: start known, but not of every task, left missing"
UNTRUE = (
    "mended: start left missing, as by the log most tasks began long before those that they wait"
    " for ended"
)
RECORD = "record your own jobs: jobsim record run --append jobs.csv -- COMMAND"


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is WfFormat."""
    signs = (WORKFLOW, PARTS, OWN)
    return head.lstrip().startswith(b"{") and all(sign.search(head) for sign in signs)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read a workflow in WfFormat, plain or gzip.

    The format says when no task was submitted, and mostly not when one was started. What it does
    say is which tasks a task has to wait for. So a task counts as submitted when the last of those
    ended: by the logged starts where every task has one (``executedAt``) and they can be, else as
    if there were machines enough to run each at once, and then no start is given.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``job_id``      the task's ``id``, or else its ``name``
    ``kind``        ``category`` or program, where they tell tasks apart; else the name without
                    its number
    ``submit_s``    see above
    ``start_s``     ``executedAt`` of the task
    ``run_s``       ``runtimeInSeconds``
    ``priority``    ``priority``
    ``memory_mb``   ``memoryInBytes``; 0 is missing; kB where the machines' own shows that
    ==============  ============================================================================

    Raises
    ------
    LogError
        It is no such file, was never run, or tasks wait for ones that are not there or for one
        another.
    """
    workflow = read_workflow(path)
    faults, notes = FaultList(str(path)), Notes()
    tasks = merged_tasks(workflow, faults)
    before = waits_for(tasks, faults)
    jobs = _jobs(tasks, _byte_mb(workflow), reading, notes, faults)
    order = in_order(before, jobs["job_id"].tolist(), faults)
    faults.raise_if_any()
    if jobs["run_s"].isna().all():
        refuse(str(path), "no task has a run time: this workflow was only planned, not run", RECORD)
    jobs, origin = _submitted(jobs, before, order, _began_s(workflow, reading, notes), notes)
    log = JobLog.of(jobs, name=log_name(path), source=str(path), origin=origin, notes=notes.taken)
    return log.from_zero()


def _submitted(
    jobs: pd.DataFrame, before: list[set[int]], order: list[int], began_s: float, notes: Notes
) -> tuple[pd.DataFrame, datetime | None]:
    """The jobs with their submissions, without those of which none is known; and the origin."""
    started = jobs["start_s"].notna()
    untrue = _are_untrue(jobs, before)
    if started.all() and not untrue:
        jobs["submit_s"] = _by_starts(jobs, before, began_s, notes)
        origin: datetime | None = EPOCH
    else:
        notes.add(UNTRUE if untrue else NOT_ALL, started)
        notes.add(COMPUTED, len(jobs))
        jobs["start_s"] = math.nan
        jobs["submit_s"] = _by_dependencies(jobs["run_s"], before, order)
        origin = None if math.isnan(began_s) else instant_after(EPOCH, began_s)
    unknown = jobs["submit_s"].isna()
    notes.add("dropped: how long a task before it ran is not known, nor so its submission", unknown)
    return jobs[~unknown].reset_index(drop=True), origin


def _byte_mb(workflow: dict[str, Any]) -> float:
    """What one of ``memoryInBytes`` is: some makers write kB there, of the machines too."""
    execution = workflow.get("execution", workflow)
    machines = execution.get("machines") if isinstance(execution, dict) else None
    each_of = machines if isinstance(machines, list) else []
    sizes = [each.get("memoryInBytes") for each in each_of if isinstance(each, dict)]
    known = [size for size in sizes if isinstance(size, int) and size > 0]
    return KB_MB if known and max(known) < LEAST_MACHINE_BYTES else 2.0**-20


def _jobs(
    tasks: list[Task], byte_mb: float, reading: Reading, notes: Notes, faults: FaultList
) -> pd.DataFrame:
    run_s = _numbers(tasks, {"runtimeInSeconds": 1, "runtime": 1}, faults)
    memory_mb = _numbers(tasks, {"memoryInBytes": byte_mb, "memory": KB_MB}, faults)
    notes.add(IN_KB, (memory_mb > 0) & (byte_mb == KB_MB))
    notes.add("mended: run time below 0, left missing", run_s < 0)
    notes.add("mended: memory of 0 bytes or less, left missing", memory_mb <= 0)
    return pd.DataFrame(
        {
            "job_id": pd.Series([printable(task_id(task)) for task in tasks], dtype="str"),
            "kind": pd.Series(_kinds(tasks), dtype="str"),
            "start_s": _instants_s([task.get("executedAt") for task in tasks], reading, notes),
            "run_s": np.where(run_s >= 0, run_s, math.nan),
            "priority": _numbers(tasks, {"priority": 1}, faults),
            "memory_mb": np.where(memory_mb > 0, memory_mb, math.nan),
        }
    )


def _numbers(tasks: list[Task], keys: dict[str, float], faults: FaultList) -> Seconds:
    """What the first of `keys` that a task has says, times that key's factor."""
    numbers = np.full(len(tasks), math.nan)
    for place, task in enumerate(tasks):
        key = next((key for key in keys if task.get(key) is not None), None)
        if key is None:
            continue
        number = task[key]
        if isinstance(number, int | float) and not isinstance(number, bool) and _fits(number):
            numbers[place] = number * keys[key]
        else:
            wrong = f"task {shown(task_id(task))}: {key} is {shown(str(number))}"
            faults.add(wrong, "a number, or none where unknown")
    return numbers


def _fits(number: float) -> bool:
    return abs(number) <= LARGEST


def _kinds(tasks: list[Task]) -> list[str]:
    """The first that tells tasks apart: category, program, name without a number."""
    categories = [task.get("category") for task in tasks]
    commands = [task.get("command") for task in tasks]
    programs = [each.get("program") if isinstance(each, dict) else None for each in commands]
    names = [NUMBERED.sub("", str(task.get("name", task_id(task)))) for task in tasks]
    for kinds in (categories, programs):
        if all(isinstance(kind, str) and kind for kind in kinds) and len(set(kinds)) > 1:
            return [printable(PurePosixPath(str(kind)).name) for kind in kinds]
    return [printable(name) for name in names]


def _instants_s(texts: list[Any], reading: Reading, notes: Notes) -> Seconds:
    """Instants as seconds since 1970; NaN for what is none."""
    instants = [_instant(text) for text in texts]
    seconds = np.array([math.nan if each is None else _since_1970(each) for each in instants])
    local = np.array([each is not None and each.tzinfo is None for each in instants], dtype=bool)
    if local.any():
        naive = pd.Series(pd.to_datetime(seconds[local], unit="s"))
        seconds[local] = epoch_s(naive, reading, notes)
    return seconds


def _instant(text: Any) -> datetime | None:
    if not isinstance(text, str):
        return None
    with suppress(ValueError):
        return datetime.fromisoformat(text)
    with suppress(ValueError):
        return datetime.strptime(text, OTHER_INSTANT)
    return None


def _since_1970(instant: datetime) -> float:
    """Seconds since 1970, as the clock showed them where it names no zone."""
    return (instant.replace(tzinfo=instant.tzinfo or UTC) - EPOCH).total_seconds()


def _began_s(workflow: dict[str, Any], reading: Reading, notes: Notes) -> float:
    """When the workflow began, in seconds since 1970; NaN if unknown."""
    execution = workflow.get("execution")
    part = execution if isinstance(execution, dict) else workflow
    (began_s,) = _instants_s([part.get("executedAt")], reading, notes)
    return float(began_s)


def _are_untrue(jobs: pd.DataFrame, before: list[set[int]]) -> bool:
    """Whether most tasks began when one that they wait for was not even half done.

    Some makers write when they made the file.
    """
    starts_s, halves_s = jobs["start_s"], (jobs["start_s"] + jobs["run_s"] / 2).tolist()
    early = [
        any(start_s < halves_s[each] for each in numbers)
        for numbers, start_s in zip(before, starts_s, strict=True)
        if numbers
    ]
    return sum(early) > len(early) / 2


def _by_dependencies(
    run_s: pd.Series[float], before: list[set[int]], order: list[int]
) -> list[float]:
    """The earliest start of each task: the longest way to it through the tasks before."""
    runs_s, submit_s = run_s.tolist(), [0.0] * len(before)
    for number in order:
        submit_s[number] = _latest([submit_s[each] + runs_s[each] for each in before[number]], 0.0)
    return submit_s


def _by_starts(
    jobs: pd.DataFrame, before: list[set[int]], began_s: float, notes: Notes
) -> pd.Series[float]:
    """When the last task before each ended, or the workflow began; at its own start at latest."""
    notes.add(FROM_STARTS, len(jobs))
    starts_s, ends_s = jobs["start_s"], (jobs["start_s"] + jobs["run_s"]).tolist()
    submit_s = pd.Series(
        [
            _latest([ends_s[each] for each in numbers], start_s if math.isnan(began_s) else began_s)
            for numbers, start_s in zip(before, starts_s, strict=True)
        ]
    )
    early = starts_s < submit_s
    notes.add("mended: started before the last task before it ended, submitted at its start", early)
    return submit_s.mask(early, starts_s)


def _latest(ends_s: list[float], if_none: float) -> float:
    """The latest end; NaN if one is not known."""
    if any(math.isnan(end_s) for end_s in ends_s):
        return math.nan
    return max(ends_s, default=if_none)
