"""Jobs as ``sacct --json`` writes them, and the REST interface (slurmrestd), as rows of cells.

From version to version numbers became objects (``{"set": true, "number": 7}``) and states lists.
``squeue --json`` and ``scontrol show jobs --json`` have other names for the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import refuse
from jobsim.joblog.sacct.lines import Rows

PATHS = {
    "jobname": ("name",),
    "user": ("user", "association.user", "user_name"),
    "partition": ("partition",),
    "submit": ("time.submission", "submit_time"),
    "eligible": ("time.eligible", "eligible_time"),
    "start": ("time.start", "start_time"),
    "end": ("time.end", "end_time"),
    "elapsedraw": ("time.elapsed",),
    "state": ("state.current", "job_state", "state"),
    "priority": ("priority",),
    "restarts": ("restart_cnt",),
    "nodelist": ("nodes",),
}
"""Where a job keeps what sacct has these fields for; the first that says anything is taken."""

ARRAY, TASK = ("array.job_id", "array_job_id"), ("array.task_id", "array_task_id")
PENDING_TASKS = ("array.task", "array_task_string")
HET, PART = ("het.job_id", "het_job_id"), ("het.job_offset", "het_job_offset")

INSTANTS = ("submit", "eligible", "start", "end")


def rows_of_json(data: bytes, file: str) -> Rows:
    """A row a job, under the names of sacct's fields; it has no line.

    Raises
    ------
    LogError
        It is no such file, or has no job.
    """
    right = "the whole output of sacct --json"
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        refuse(file, f"this is not JSON ({error})", right, getattr(error, "lineno", None))
    jobs = document.get("jobs") if isinstance(document, dict) else None
    if not isinstance(jobs, list) or not all(isinstance(job, dict) for job in jobs):
        refuse(file, "there is no list of jobs in it", right)
    if not jobs:
        refuse(file, "there is no job in it", "sacct --json with -S and -E around some jobs")
    cells = pd.DataFrame([_cells(job) for job in jobs], dtype="str")
    said = cells.columns[(cells != "").any()]
    return Rows(cells[said], np.zeros(len(cells), dtype="int64"))


def _cells(job: dict[str, Any]) -> dict[str, str]:
    cells = {field: _first(job, paths) for field, paths in PATHS.items()}
    never = {field: "" for field in INSTANTS if cells[field] == "0"}
    return cells | never | {"jobid": _job_id(job), "maxrss": _most_memory(job)}


def _job_id(job: dict[str, Any]) -> str:
    """The id as sacct writes it: 12, 12_3 or 12_[4-9] of an array, 12+1 of a part."""
    array, het = _first(job, ARRAY), _first(job, HET)
    task, tasks, part = (_first(job, paths) for paths in (TASK, PENDING_TASKS, PART))
    if array not in ("", "0") and (task or tasks):
        return f"{array}_{task or f'[{tasks}]'}"
    return f"{het}+{part or 0}" if het not in ("", "0") else _text(job.get("job_id"))


def _most_memory(job: dict[str, Any]) -> str:
    """The most bytes that a task of any step used at once; empty if nothing was sampled."""
    peaks = [
        int(text)
        for step in _dicts(job.get("steps"))
        for each in _dicts(_at(step, "tres.requested.max"))
        if each.get("type") == "mem" and (text := _text(each.get("count"))).isdecimal()
    ]
    return str(max(peaks)) if peaks else ""


def _first(job: dict[str, Any], paths: Iterable[str]) -> str:
    return next((text for path in paths if (text := _text(_at(job, path)))), "")


def _at(found: Any, path: str) -> Any:
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _dicts(found: Any) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _text(found: Any) -> str:
    """A text, a number, a number in an object, or the first of a list; else nothing."""
    if isinstance(found, list):
        return _text(found[0]) if found and not isinstance(found[0], list) else ""
    if isinstance(found, dict):
        is_set = found.get("set") is True and found.get("infinite") is not True
        return _text(found["number"]) if is_set and isinstance(found.get("number"), int) else ""
    says_nothing = isinstance(found, bool) or not isinstance(found, str | int | float)
    return "" if says_nothing else str(found)
