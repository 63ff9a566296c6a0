"""When the jobs of a sacct file were submitted, started and ended, and how long they ran."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from jobsim.joblog.durations import seconds
from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.localtime import Seconds
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading
from jobsim.joblog.sacct.fields import GOOD_COMMAND
from jobsim.joblog.tabular.clock import instants

RIGHT_INSTANT = "an instant as 2024-06-24T12:33:26, or Unknown"
RIGHT_DURATION = "a duration as 1-02:03:04, or a number of seconds"
RIGHT_NUMBER = "a number, or empty where unknown"

FIRST_S = 2 * 86_400.0
"""Before that instant no job was submitted: Slurm writes 1970 where it means never."""

Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Times:
    """The times of each row in seconds since 1970 (UTC); NaN is unknown.

    Attributes
    ----------
    idle
        Whether the row says that the job got no CPU or node, or ran no time.
    """

    submit_s: Seconds
    start_s: Seconds
    end_s: Seconds
    run_s: Seconds
    idle: Mask

    def never_started(self, cancelled: pd.Series[bool]) -> pd.Series[bool]:
        """Cancelled jobs that only seem to start, at the instant at which they were cancelled."""
        return cancelled & self.idle & ~(np.isnan(self.start_s) & np.isnan(self.run_s))


def times_of(
    rows: pd.DataFrame, reading: Reading, notes: Notes, faults: FaultList, file: str
) -> Times:
    """The times of each row; `faults` gets cells that are none.

    Raises
    ------
    LogError
        No field can be a submission.
    """
    found = _instants(rows, reading, notes, faults)
    if not found.keys() & {"submit", "eligible", "start"}:
        refuse(file, "no field says when jobs were submitted", f"Submit among them: {GOOD_COMMAND}")
    run_s = _run_s(rows, found, notes, faults)
    submit_s = _submit_s(found, notes)
    nothing = np.full(len(rows), np.nan)
    if not found.keys() & {"submit", "eligible"}:
        start_s = nothing
    elif "start" in found:
        start_s = found["start"]
    else:
        start_s = _start_by_wait(rows, found, notes, faults)
    return Times(submit_s, start_s, found.get("end", nothing), run_s, _idle(rows, run_s, faults))


def _submit_s(found: dict[str, Seconds], notes: Notes) -> Seconds:
    """The submissions, or what stands for them."""
    if "submit" not in found:
        instead = "eligible" if "eligible" in found else "start"
        what = f"marked: submissions are not logged, {instead.title()} stands for them"
        notes.add(what, len(found[instead]))
        return found[instead]
    if "eligible" in found:
        notes.add(
            "marked: eligible (its dependencies met, its time come) later than it was submitted;"
            " its wait counts from the submission",
            found["eligible"] > found["submit"],
        )
    return found["submit"]


def numbers_of(rows: pd.DataFrame, name: str, faults: FaultList, right: str) -> Seconds:
    """A field's numbers or durations; all missing where it is not in the file."""
    if name not in rows:
        return np.full(len(rows), np.nan)
    found, wrong = seconds(rows[name])
    _tell(rows, name, wrong, right, faults)
    return found


def _tell(rows: pd.DataFrame, name: str, wrong: Mask, right: str, faults: FaultList) -> None:
    for place in np.flatnonzero(wrong):
        cell, line = rows[name].iloc[place], rows["line"].iloc[place]
        faults.add(f"{shown(cell)} is wrong", right, int(line) or None, name)


def _instants(
    rows: pd.DataFrame, reading: Reading, notes: Notes, faults: FaultList
) -> dict[str, Seconds]:
    """The instants of each such field; a note of several fields counts a job once."""
    found: dict[str, Seconds] = {}
    most: dict[str, int] = {}
    for name in ("submit", "eligible", "start", "end"):
        if name not in rows:
            continue
        own = Notes()
        times = instants(rows[name], reading, own)
        # Numbers that count from no known start, or dates to be read in two ways, are no instants.
        unclear = times.absolute is False or bool(times.formats)
        wrong = ~np.isnan(times.seconds) if unclear else times.wrong
        _tell(rows, name, wrong, RIGHT_INSTANT, faults)
        most |= {note.reason: max(note.count, most.get(note.reason, 0)) for note in own.taken}
        found[name] = np.where(times.seconds < FIRST_S, np.nan, times.seconds)
    for reason, count in most.items():
        notes.add(reason, count)
    return found


def _run_s(
    rows: pd.DataFrame, found: dict[str, Seconds], notes: Notes, faults: FaultList
) -> Seconds:
    has_both = {"start", "end"} <= found.keys()
    between_s = found["end"] - found["start"] if has_both else np.full(len(rows), np.nan)
    for name in ("elapsedraw", "elapsed"):
        if name in rows:
            run_s = numbers_of(rows, name, faults, RIGHT_DURATION)
            less = between_s - run_s > 1
            notes.add(
                "marked: elapsed less than from start to end (suspended meanwhile, or a clock"
                " set forward), elapsed taken",
                less,
            )
            return np.where(np.isnan(run_s), between_s, run_s)
    return between_s if has_both else _run_by_cpu(rows, notes, faults)


def _run_by_cpu(rows: pd.DataFrame, notes: Notes, faults: FaultList) -> Seconds:
    """Elapsed times from CPU times, which are elapsed times the allocated CPUs."""
    cpu = next((name for name in ("cputimeraw", "cputime") if name in rows), None)
    cpus = next((name for name in ("alloccpus", "ncpus") if name in rows), None)
    if cpu is not None and cpus is not None:
        what = f"guessed: run times are {cpu} / {cpus}, as Elapsed is not in the file"
        notes.add(what, len(rows))
        cpu_s, number = (numbers_of(rows, name, faults, RIGHT_DURATION) for name in (cpu, cpus))
        return cpu_s / np.where(number > 0, number, np.nan)
    why = "" if cpu is None else " (CPU times are theirs times the allocated CPUs, also not in it)"
    notes.add(f"marked: run times are not in the file{why}; ElapsedRaw would give them", len(rows))
    return np.full(len(rows), np.nan)


def _start_by_wait(
    rows: pd.DataFrame, found: dict[str, Seconds], notes: Notes, faults: FaultList
) -> Seconds:
    """Starts from how long jobs were planned (reserved): from eligible to start."""
    since = "eligible" if "eligible" in found else "submit"
    if "planned" in rows:
        wait_s, wait = numbers_of(rows, "planned", faults, RIGHT_DURATION), "Planned (Reserved)"
    elif "plannedcpuraw" in rows and "reqcpus" in rows:
        cpu_s = numbers_of(rows, "plannedcpuraw", faults, RIGHT_DURATION)
        cpus = numbers_of(rows, "reqcpus", faults, RIGHT_NUMBER)
        wait_s = cpu_s / np.where(cpus > 0, cpus, np.nan)
        wait = "PlannedCPURAW (ResvCPURAW) / ReqCPUS"
    else:
        return np.full(len(rows), np.nan)
    what = f"guessed: starts are {since.title()} and {wait}, as Start is not in the file"
    notes.add(what, len(rows))
    return np.where(wait_s >= 0, found[since] + wait_s, np.nan)


def _idle(rows: pd.DataFrame, run_s: Seconds, faults: FaultList) -> Mask:
    if "nodelist" in rows:
        idle: Mask = rows["nodelist"].str.fullmatch("None.*|").to_numpy(dtype=bool)
        return idle
    for name in ("alloccpus", "nnodes", "allocnodes", "cputimeraw"):
        if name in rows:
            return np.equal(numbers_of(rows, name, faults, RIGHT_NUMBER), 0)
    return np.equal(run_s, 0)
