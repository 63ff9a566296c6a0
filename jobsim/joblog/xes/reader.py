"""Reading XES event logs: the jobs behind the lifecycle transitions of cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import refuse, shown
from jobsim.joblog.files import log_name
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import category
from jobsim.joblog.table import JobLog
from jobsim.joblog.xes.events import TRANSITION, begins_like_xes, read_events
from jobsim.joblog.xes.items import ASSIGNED, END_ALONE, ENDED, STARTED, Event, Item, Work

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

STAND_INS = {
    ASSIGNED: "marked: no schedule before the start, the assignment stands for the submission",
    ENDED: "marked: no schedule of its own, submitted when the work before it on the same activity"
    " of the case ended",
    STARTED: "marked: submission times are not logged, starts stand for them",
}

SOME = 5

ITEM = ["trace", "activity", "instance"]

RECORD = (
    "a log with start (or schedule) and complete transitions, or record one:"
    " jobsim record run --append jobs.csv -- COMMAND"
)


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is XES."""
    return begins_like_xes(head)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read an XES event log, plain or gzip.

    A job is one piece of work on an activity of a case: from a START to the COMPLETE (or abort)
    that ends it, or one event that has its ``start_timestamp``. It was submitted by its SCHEDULE;
    where several pieces follow one SCHEDULE, the later ones when the piece before them ended
    (`jobsim.joblog.xes.items.Item` has the rule). What was scheduled and never started is a
    job too, without a run time. Events that are a COMPLETE only have no duration and are left out.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``job_id``      case, activity and a number: ``173688/Check request/2``
    ``kind``        ``concept:name`` of the events: the activity
    ``submit_s``    see above
    ``start_s``     START; missing where it stands for the submission
    ``run_s``       from START to the end, without the time suspended
    ``outcome``     COMPLETE completed; ATE_ABORT, PI_ABORT, WITHDRAW, MANUALSKIP cancelled
    ``owner``       ``org:resource`` of the START, or else of the end: who did the work
    ==============  ============================================================================

    Raises
    ------
    LogError
        The file is not well-formed, declares a document type, has times that are none, or holds
        no work at all.
    """
    notes = Notes()
    events = read_events(path, reading, notes)
    jobs = _jobs(events, notes)
    if jobs.empty:
        refuse(str(path), _without_durations(events), RECORD)
    return JobLog.of(
        _columns(jobs, events["resource"].cat.categories, notes),
        name=log_name(path),
        source=str(path),
        line_of=jobs["line"].tolist().__getitem__,
        origin=EPOCH,
        notes=notes.taken,
    ).from_zero()


def _without_durations(events: pd.DataFrame) -> str:
    found = [shown(transition) for transition in events["transition"].cat.categories]
    some = ", ".join(found[:SOME]) + (", ..." if len(found) > SOME else "")
    what = f"its transitions are {some}" if found else f"it has no {TRANSITION}"
    return f"no event of it starts or schedules anything ({what}), so that nothing has a duration"


def _jobs(events: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """One row a piece of work: the attributes of `Work`, with ``job_id`` and ``kind``."""
    kinds = events["activity"].cat.categories
    cases = events.drop_duplicates("trace").set_index("trace")["case"].to_dict()
    numbers: Counter[str] = Counter()
    job_ids, activities, rows = [], [], []
    lasting = _lasting(_without_event_numbers(events, notes), notes)
    for trace, activity, item in _items(lasting, notes):
        prefix = f"{cases[trace]}/{kinds[activity]}"
        for work in item.work():
            numbers[prefix] += 1
            job_ids.append(f"{prefix}/{numbers[prefix]}")
            activities.append(activity)
            rows.append(attrgetter(*Work.__slots__)(work))
    jobs = pd.DataFrame(rows, columns=list(Work.__slots__))
    return jobs.assign(
        job_id=pd.Series(job_ids, dtype="str"),
        kind=category(np.array(activities, dtype="int64"), list(kinds)),
    )


def _without_event_numbers(events: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """The events without instances, where each has its own, so that no end has one of a start."""
    numbered = events["instance"].notna()
    if events[numbered].duplicated(ITEM).any():
        return events
    notes.add("marked: concept:instance numbers events, not pieces of work; left out", numbered)
    return events.assign(instance=category(np.full(len(events), -1), ()))


def _lasting(events: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """The events of those activities of a case of which more is logged than ends."""
    item = events.groupby(ITEM, observed=True, dropna=False, sort=False).ngroup()
    only_ends = (events["transition"] == "complete").groupby(item).transform("all")
    notes.add(END_ALONE, only_ends)
    return events[~only_ends]


def _items(events: pd.DataFrame, notes: Notes) -> Iterator[tuple[int, int, Item]]:
    """Each activity (and instance, where the log says) of each trace, with all its work."""
    events = events.sort_values(["trace", "t_s"], kind="stable")
    words = [*events["transition"].cat.categories, ""]
    texts = ("activity", "instance", "transition", "resource")
    columns = [events[name].cat.codes.tolist() for name in texts]
    columns = [events[name].tolist() for name in ("trace", "t_s", "line")] + columns
    dropped: Counter[str] = Counter()
    for trace, of_trace in groupby(zip(*columns, strict=True), key=itemgetter(0)):
        items: defaultdict[tuple[int, int], Item] = defaultdict(lambda: Item(dropped))
        for _, t_s, line, activity, instance, transition, owner in of_trace:
            items[activity, instance].take(words[transition], Event(t_s, owner, line))
        for (activity, _), item in items.items():
            yield trace, activity, item
    for reason, count in dropped.items():
        notes.add(reason, count)


def _columns(jobs: pd.DataFrame, resources: pd.Index[str], notes: Notes) -> dict[str, Any]:
    started, ended = jobs["start_s"].notna(), jobs["end_s"].notna()
    for told_by, reason in STAND_INS.items():
        notes.add(reason, jobs["told_by"] == told_by)
    notes.add("mended: no start is logged, run time left missing", ended & ~started)
    notes.add("mended: no end is logged, run time left missing", started & ~ended)
    notes.add("marked: neither a start nor an end is logged, no run time", ~started & ~ended)
    notes.add("mended: time suspended, left out of the run time", jobs["suspended_s"] > 0)
    notes.add("guessed: of several at work at once, the oldest ended first", jobs["unsure"])
    run_s = jobs["end_s"] - jobs["start_s"] - jobs["suspended_s"]
    return {
        "job_id": jobs["job_id"],
        "kind": jobs["kind"],
        "submit_s": jobs["submit_s"],
        "start_s": jobs["start_s"].where(jobs["told_by"] != STARTED),
        "run_s": run_s.clip(lower=0),
        "outcome": jobs["outcome"],
        "owner": category(jobs["owner"].to_numpy(), list(resources)),
    }
