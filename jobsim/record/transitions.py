"""The transitions of a watched table, on disk as they are seen, and the job log that they make."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pandas as pd

from jobsim.errors import JobsimError, UsageError
from jobsim.joblog import JobLog
from jobsim.joblog.faultlist import refuse, shown
from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.transitions import END, START, SUBMIT, by_job
from jobsim.joblog.reading import Reading
from jobsim.joblog.schema import OUTCOMES
from jobsim.joblog.tabular.clock import instants
from jobsim.record.due import SLACK_S, falling_due, without_the_undue
from jobsim.record.snapshots import Transition

MARK = "# jobsim transitions "
CELLS = ("id", "status", "kind", "submit", "start", "end", "due")
HEADER = ("t_s", "before_s", "what", "state", *CELLS)
SORTS = {"found": SUBMIT, "submit": SUBMIT, "claim": START, "finish": END, "vanish": END}

MOSTLY = 0.9
"""A column of instants is believed where so many of its cells agree with the looks."""


class NothingSeenError(JobsimError):
    """A watch in which nothing happened."""

    exit_code = 1


@dataclass(frozen=True)
class About:
    """What is watched, and how: the first line of the file.

    Attributes
    ----------
    columns
        The names of the table's columns, by what they hold.
    """

    table: str
    source: str
    every_s: float
    zone: str | None = None
    columns: dict[str, str] = field(default_factory=dict)


class Writer:
    """Writes transitions to a file, each look's at once."""

    def __init__(self, path: Path, about: About) -> None:
        try:
            self._file: TextIO = path.open("w", newline="", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
        self._file.write(MARK + json.dumps(asdict(about)) + "\n")
        self._csv = csv.writer(self._file, lineterminator="\n")
        self._csv.writerow(HEADER)
        self._file.flush()

    def write(self, t_s: float, before_s: float, transitions: Iterable[Transition]) -> None:
        """Write what a look shows; the look before was at ``before_s``. Both since 1970."""
        for one in transitions:
            cells = [one.row.get(name, "") for name in CELLS]
            self._csv.writerow([f"{t_s:.3f}", f"{before_s:.3f}", one.what, one.state, *cells])
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def log_of(path: Path, more: Iterable[str] = (), until_s: float | None = None) -> JobLog:
    """The job log of a file of transitions, also one that a crash cut off.

    Where the table says when a row falls due, the job is submitted then, not when the row came.

    Parameters
    ----------
    until_s
        When the watch ended, in seconds since 1970; None: at the last transition.
    more
        What else to say of every job of it (as "marked: ..." notes): what the watch cost.

    Raises
    ------
    NothingSeenError
        No job was submitted while the table was watched.
    """
    about, seen = _read(path)
    notes = Notes()
    jobs = _jobs(seen, about, seen["t_s"].max() if until_s is None else until_s, notes)
    if jobs.empty:
        raise NothingSeenError(
            f"{about.table}: no row came while it was watched; there is no log to write"
        )
    every = f"{about.every_s:g} s"
    notes.add(
        f"marked: recorded by looking every {every}: times are known to within {every}, and a row"
        " that came and went between two looks is not here",
        len(jobs),
    )
    for text in more:
        notes.add(f"marked: {text}", len(jobs))
    log = JobLog.of(
        jobs,
        name=path.name.removesuffix(".csv").removesuffix(".transitions"),
        source=f"{about.source} {about.table}",
        origin=datetime(1970, 1, 1, tzinfo=UTC),
        zone=about.zone,
        notes=notes.taken,
    )
    return log.from_zero()


def _read(path: Path) -> tuple[About, pd.DataFrame]:
    text = path.read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    if not first.startswith(MARK) or not rest.startswith(",".join(HEADER)):
        refuse(str(path), "this was not written by jobsim record table", "FILE.transitions.csv")
    whole = rest[: rest.rfind("\n") + 1]  # a crash may have cut off the last line
    seen = pd.read_csv(io.StringIO(whole), dtype="str", keep_default_na=False)
    return About(**json.loads(first.removeprefix(MARK))), seen.astype(
        {"t_s": "float64", "before_s": "float64"}
    )


def _jobs(seen: pd.DataFrame, about: About, until_s: float, notes: Notes) -> pd.DataFrame:
    order = pd.Series(np.arange(len(seen)), index=seen.index, dtype="float64")
    jobs = by_job(seen["id"], seen["t_s"], seen["what"].map(SORTS), order)
    jobs = _with_instants(jobs, seen, about, notes)
    known = jobs["submit_s"].notna()
    notes.add("dropped: in the table before the watch began, submission unknown", ~known)
    jobs = without_the_undue(jobs[known], until_s, notes)
    notes.add("marked: not over when the watch ended, run time unknown", jobs["end_s"].isna())
    unseen = jobs["end_s"].notna() & jobs["last_start_s"].isna()
    notes.add("marked: nobody was seen to take it, start and run time unknown", unseen)
    kind = seen.drop_duplicates("id", keep="last").set_index("id")["kind"].replace("", None)
    return pd.DataFrame(
        {
            "job_id": jobs.index,
            "kind": kind.reindex(jobs.index).to_numpy(),
            "submit_s": jobs["submit_s"],
            "start_s": _not_before(jobs["start_s"], jobs["submit_s"], notes, "start"),
            "run_s": _run_s(jobs, notes),
            "outcome": _outcomes(jobs, seen, notes),
            "attempts": jobs["attempts"].where(jobs["attempts"] > 0),
        }
    ).reset_index(drop=True)


def _run_s(jobs: pd.DataFrame, notes: Notes) -> pd.Series[float]:
    end_s = _not_before(jobs["end_s"], jobs["last_start_s"], notes, "end")
    return end_s - jobs["last_start_s"]


def _not_before(
    later: pd.Series[float], earlier: pd.Series[float], notes: Notes, what: str
) -> pd.Series[float]:
    """Instants that rounding put a little before those that they come after, moved there."""
    early = later < earlier
    by_rounding = early & (earlier - later <= SLACK_S)
    notes.add(
        f"mended: {what} known less finely than what it comes after, moved to it", by_rounding
    )
    notes.add(f"mended: {what} before what it comes after, now missing", early & ~by_rounding)
    return later.mask(by_rounding, earlier).mask(early & ~by_rounding)


def _outcomes(jobs: pd.DataFrame, seen: pd.DataFrame, notes: Notes) -> pd.Series[Any]:
    last = seen.reindex(jobs["end_place"].dropna().astype("int64")).set_index("id")
    gone = last.index[last["what"] == "vanish"]
    notes.add(
        "marked: its row vanished, taken as its end; whether it was finished, failed or was"
        " deleted is not known",
        len(gone),
    )
    states = last["state"].mask(last["what"] == "vanish", "unknown")
    return states.where(states.isin(OUTCOMES), "unknown").reindex(jobs.index, fill_value="unknown")


def _with_instants(
    jobs: pd.DataFrame, seen: pd.DataFrame, about: About, notes: Notes
) -> pd.DataFrame:
    """The jobs with the table's own instants, where it has columns of them that can be believed.

    A wait or a run time is taken between two of the table's instants, or between two looks: what
    is late by half a look on one side and not on the other would be off by that.
    """
    first = seen[seen["what"].isin(["found", "submit"])].drop_duplicates("id").set_index("id")
    found = first.index[first["what"] == "found"]
    # A row that is over shows when it was taken, also if nobody saw that.
    taken = seen[seen["start"].ne("") & seen["what"].isin(["claim", "finish"])]
    over = seen[seen["what"] == "finish"]
    submit_s, start_s, end_s = (
        _believed(target, rows, found, about, notes).reindex(jobs.index)
        for target, rows in (("submit", first), ("start", _last(taken)), ("end", _last(over)))
    )
    was_found, once = jobs.index.isin(found), jobs["attempts"] <= 1
    came_s = jobs["submit_s"].mask(was_found, submit_s)
    shown_s, due = _own("due", first, about).reindex(jobs.index), about.columns.get("due", "")
    due_s = falling_due(shown_s, came_s, start_s.fillna(jobs["start_s"]), due, notes)
    submit_s = due_s.fillna(submit_s)
    waited = submit_s.notna() & start_s.notna() & once
    ran = start_s.notna() & end_s.notna()
    started_s = jobs["start_s"].mask(waited | (jobs["start_s"].isna() & once), start_s)
    known_s = jobs["submit_s"].mask(
        waited | jobs["start_s"].isna(), submit_s.fillna(jobs["submit_s"])
    )
    return jobs.assign(
        submit_s=known_s.mask(was_found, submit_s).mask(due_s.notna(), due_s),
        due_s=due_s,
        start_s=started_s,
        last_start_s=jobs["last_start_s"].mask(ran | jobs["last_start_s"].isna(), start_s),
        end_s=jobs["end_s"].mask(ran, end_s),
    )


def _last(seen: pd.DataFrame) -> pd.DataFrame:
    return seen.drop_duplicates("id", keep="last").set_index("id")


def _believed(
    target: str, rows: pd.DataFrame, found: pd.Index[Any], about: About, notes: Notes
) -> pd.Series[float]:
    """The instants of a column by job, if they agree with when the looks saw them come.

    Those of rows that were there before the first look can only be believed if others are. Whole
    seconds say less than looks that come more often.
    """
    own_s, name = _own(target, rows, about), about.columns.get(target, "")
    nothing = own_s.mask(own_s.notna())
    if nothing.equals(own_s):
        return nothing
    fresh = pd.Series(~rows.index.isin(found), index=rows.index)
    late, early = own_s > rows["t_s"] + SLACK_S, own_s < rows["before_s"] - SLACK_S
    if target == "start":  # what was over at once may have been taken at any time before
        early &= rows["what"] != "finish"
    known = own_s.notna() & fresh
    wrong = (late | early)[known]
    if not known.any() or wrong.mean() > 1 - MOSTLY:
        notes.add(
            f"marked: the column {shown(name)} does not agree with when its rows were seen to"
            " change (--zone says its time zone); the looks' times are used",
            known,
        )
        return nothing
    coarse = about.every_s < 1 and bool((own_s.dropna() % 1 == 0).all())
    used = own_s.mask(late | (early & fresh) | (fresh & coarse))
    notes.add(f"guessed: {target} is the column {shown(name)}, as the looks agree", used.notna())
    return used


def _own(target: str, rows: pd.DataFrame, about: About) -> pd.Series[float]:
    """What the table's own column says, in seconds since 1970; missing where it says nothing."""
    cells = rows[target].replace("", None)
    if target not in about.columns or not cells.notna().any():
        return pd.Series(index=rows.index, dtype="float64")
    found = instants(cells.astype("str"), Reading(zone=about.zone), Notes())
    return pd.Series(found.seconds, index=rows.index)
