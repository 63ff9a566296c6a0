"""Reading what sacct prints: what its fields mean for jobs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.describe.columns import Columns
from jobsim.joblog.describe.selection import chosen_by_end
from jobsim.joblog.faultlist import FaultList, refuse
from jobsim.joblog.files import HEAD_BYTES, log_name, read_text_bytes
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.sacct import attempts, unnamed
from jobsim.joblog.sacct.fields import GOOD_COMMAND, OUTCOME_OF, TIME_FIELDS, whole
from jobsim.joblog.sacct.json_jobs import rows_of_json
from jobsim.joblog.sacct.lines import Rows, rows_of
from jobsim.joblog.sacct.sign import is_json
from jobsim.joblog.sacct.times import RIGHT_NUMBER, Times, numbers_of, times_of
from jobsim.joblog.schema import LARGEST
from jobsim.joblog.statuses import outcomes
from jobsim.joblog.swf import EPOCH
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.attempts import joined
from jobsim.joblog.tabular.frame import printable

TAKES = frozenset({"outcomes", "zone"})
"""What a user can say of a sacct file (`Reading`)."""

USED = TIME_FIELDS | {"jobid", "partition", "user", "elapsed", "state", "jobname"}
"""Fields worth a word where they were guessed."""

FEW_NAMES = 0.5
"""Job names are kinds of work where there are fewer of them than this share of the jobs."""


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read the output of ``sacct``, plain or gzip.

    With ``-P`` (or ``-p``) and any delimiter, with a header or without; with ``--json``; in
    columns of fixed width. Fields are found by name in any order; without a header by what their
    cells look like. Rows
    of steps (``12.batch``) only give their job its memory, parts of a heterogeneous job count
    once, attempts at a requeued job are joined to it. Local times are those of ``reading.zone``.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``job_id``      JobID, or JobIDRaw; ``12#2`` is a later job to which the id was given again
    ``kind``        JobName; Partition where there is none, or nearly every job has its own
    ``submit_s``    Submit, or Eligible, or Start (then marked)
    ``start_s``     Start; or Eligible and Planned (before 21.08: Reserved); or Submit and
                    PlannedCPURAW / ReqCPUS; missing where a job was cancelled before it started
    ``run_s``       ElapsedRaw or Elapsed, which leave suspension out; or End less Start; or
                    CPUTimeRAW / AllocCPUS; missing while a job had not ended
    ``outcome``     State: COMPLETED; FAILED, NODE_FAIL, BOOT_FAIL, OUT_OF_MEMORY... failed;
                    CANCELLED (by anyone), PREEMPTED cancelled; TIMEOUT, DEADLINE timeout;
                    otherwise unknown
    ``priority``    Priority
    ``owner``       User, or UID
    ``memory_mb``   the largest MaxRSS of its steps: of the largest task, as Slurm sampled it.
                    ReqMem, what was asked for, is never taken for it
    ``attempts``    Restarts and the first; or the number of rows of a requeued job
    ==============  ============================================================================

    Raises
    ------
    LogError
        The file cannot be read or lines are wrong; every fault is listed, up to a limit. Without
        a header: what a column of times means is not sure.
    """
    file, notes, faults = str(path), Notes(), FaultList(str(path))
    data = read_text_bytes(path)
    rows = rows_of_json(data, file) if is_json(data[:HEAD_BYTES]) else rows_of(data, file, notes)
    table = _jobs(_named(rows, file, notes), notes)
    times = times_of(table, reading, notes, faults, file)
    tries = _tries(table, times, reading, notes, faults)
    faults.raise_if_any()
    jobs = _joined(tries, notes)
    if jobs.empty:
        refuse(file, "no row says when a job was submitted", GOOD_COMMAND)
    log = JobLog.of(
        jobs, name=log_name(path), source=file, origin=EPOCH, notes=notes.taken
    ).from_zero()
    return _marked(log)


def _named(rows: Rows, file: str, notes: Notes) -> pd.DataFrame:
    """The cells under their fields' names, with the line of each row."""
    cells = rows.cells
    if not rows.named:
        names = unnamed.fields_of(cells, file)
        places = sorted((int(at) + 1, field) for at, field in names.items() if field in USED)
        said = ", ".join(f"{field} {place}" for place, field in places)
        notes.add(f"guessed: no header; by what is in them, columns are {said}", len(cells))
        cells = cells[list(names)].rename(columns=names)
    if "jobid" not in cells and "jobidraw" in cells:
        cells = cells.assign(jobid=cells["jobidraw"])
    return cells.assign(line=rows.line)


def _jobs(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    if "jobid" not in rows:
        notes.add("marked: jobs have no id, rows are taken as jobs; they are numbered", len(rows))
        return rows.assign(jobid=[str(at) for at in range(1, len(rows) + 1)], memory_mb=np.nan)
    rows = attempts.without_parts(attempts.without_steps(rows, notes), notes)
    return rows.reset_index(drop=True)


def _tries(
    rows: pd.DataFrame, times: Times, reading: Reading, notes: Notes, faults: FaultList
) -> pd.DataFrame:
    """The columns of the tidy table for each attempt, and what tells attempts apart."""
    said = {state.upper(): outcome for state, outcome in reading.outcomes.items()}
    outcome, open_ = outcomes(_states(rows), OUTCOME_OF | said, notes)
    never = times.never_started(outcome == "cancelled")
    notes.add("mended: cancelled before it started, start and run time left missing", never)
    known = ~np.isnan(times.run_s)
    notes.add("mended: not ended when the log was made, run time left missing", open_ & known)
    return pd.DataFrame(
        {
            "jobid": rows["jobid"],
            "kind": _kinds(rows),
            "submit_s": times.submit_s,
            "start_s": np.where(never, np.nan, times.start_s),
            "run_s": np.where(never | open_, np.nan, times.run_s),
            "outcome": outcome,
            "priority": numbers_of(rows, "priority", faults, RIGHT_NUMBER),
            "owner": _words(rows, "user", "uid"),
            "memory_mb": rows["memory_mb"],
            "attempts": numbers_of(rows, "restarts", faults, RIGHT_NUMBER) + 1,
            "end_s": times.end_s,
        },
        index=rows.index,
    )


def _states(rows: pd.DataFrame) -> pd.Series[Any]:
    """The states as sacct calls them; missing where there is none."""
    if "state" not in rows:
        return pd.Series(np.nan, index=rows.index, dtype="str")
    codes, found = pd.factorize(rows["state"])
    words = pd.Series([whole(str(state)) for state in found], dtype="str")
    return words.mask(words == "").iloc[codes].set_axis(rows.index)


def _joined(tries: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """One row a job, with times that can be."""
    without = tries["submit_s"].isna()
    notes.add("dropped: when it was submitted is not known", without)
    tries = attempts.told_apart(attempts.once(tries[~without], notes), notes)
    jobs = joined(tries.drop(columns="end_s").rename(columns={"jobid": "job_id"}), notes)
    backwards = (jobs["run_s"] < 0) | (jobs["run_s"] > LARGEST)
    notes.add("mended: ended before it started, run time left missing", backwards)
    early = jobs["start_s"] < jobs["submit_s"]
    notes.add("mended: started before it was submitted, start left missing", early)
    jobs = jobs.assign(run_s=jobs["run_s"].mask(backwards), start_s=jobs["start_s"].mask(early))
    return jobs.reset_index(drop=True)


def _marked(log: JobLog) -> JobLog:
    """The log with a note where it seems to be of jobs that ended in a time."""
    sign = chosen_by_end(Columns(log))
    if sign is None:
        return log
    notes = Notes(log.notes)
    what = "marked: submitted before the first end in the log, which seems chosen by END time"
    notes.add(
        f"{what} (sacct -S and -E): only long jobs are left of then", int(sign.evidence["jobs"])
    )
    return replace(log, notes=notes.taken)


def _kinds(rows: pd.DataFrame) -> Any:
    names, partitions = _words(rows, "jobname"), _words(rows, "partition")
    distinct = names.nunique()
    if partitions.notna().any() and (not distinct or distinct > FEW_NAMES * len(rows)):
        return partitions
    return names


def _words(rows: pd.DataFrame, *fields: str) -> pd.Series[Any]:
    """The first of these fields that says anything; names on one line, empty is missing."""
    for field in fields:
        if field in rows and (rows[field] != "").any():
            codes, found = pd.factorize(rows[field].mask(rows[field].str.strip() == ""))
            words = [printable(str(word)) for word in found]
            return pd.Series([*words, np.nan], dtype="object").iloc[codes].set_axis(rows.index)
    return pd.Series(np.nan, index=rows.index, dtype="object")
