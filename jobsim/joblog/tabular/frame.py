"""Any table of jobs as a job log: columns are found, read, and held against one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from shlex import quote
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.notes import Note, Notes
from jobsim.joblog.reading import MEMORY_UNITS_MB, Reading
from jobsim.joblog.schema import LARGEST
from jobsim.joblog.statuses import outcomes
from jobsim.joblog.swf import EPOCH
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.attempts import joined
from jobsim.joblog.tabular.clock import Instants
from jobsim.joblog.tabular.guess import Guess, guess, times_in
from jobsim.joblog.tabular.lifetimes import lifetimes
from jobsim.joblog.tabular.missing import blanked
from jobsim.joblog.tabular.names import rank
from jobsim.joblog.tabular.numbers import as_numbers
from jobsim.joblog.tabular.source import MOMENT, RECORD, Table
from jobsim.joblog.tabular.times import times
from jobsim.words import nearest

WHOLE = r"0|-?[1-9][0-9]{0,17}"
"""A number as it is plainly written; 007 and +7 are names."""


def from_frame(
    frame: pd.DataFrame,
    reading: Reading,
    *,
    name: str,
    source: str,
    notes: Iterable[Note] = (),
    line_of: Callable[[int], int] | None = None,
) -> JobLog:
    """Make a job log of a table with columns of any names.

    Parameters
    ----------
    frame
        One row a job, or an attempt at one. Cells may be text, numbers or datetimes.
    reading
        Which column holds what, in which unit and time zone; what it does not say is guessed from
        the columns' names and cells, and noted.
    line_of
        Gives the line of a row (numbered from 0) in its file, for messages.

    Raises
    ------
    UsageError
        The reading names a column that is not there.
    LogError
        No column can be the submission, several could be, or cells are not what they should be.
    """
    table = Table(frame, reading, source, Notes(notes), FaultList(source), line_of)
    table.columns = _columns(table)
    found = times(table)
    rows = _rows(table, found)
    table.faults.raise_if_any()
    jobs = joined(_with_sense(rows, table.notes), table.notes)
    if jobs.empty:
        refuse(source, "no row has a submission time", f"one row a job; or {RECORD}")
    absolute = any(one.absolute for one in found.values())
    log = JobLog.of(
        jobs.reset_index(drop=True),
        name=name,
        source=source,
        origin=EPOCH if absolute else None,
        notes=table.notes.taken,
    )
    return log.from_zero()


def _columns(table: Table) -> dict[str, str]:
    said = dict(table.reading.columns)
    names = [str(name) for name in table.frame.columns]
    for target, column in said.items():
        if column not in names:
            raise UsageError(
                f"{table.source}: there is no column {shown(column)} for --map {target}=...;"
                f" {nearest(column, names)}"
            )
    found = guess(table.frame, table.reading)
    columns = said | dict(found.columns)
    _note_guesses(table, found)
    has_times = {"submit", "start"} & set(columns) or {"end", "run"} <= set(columns)
    if "submit" in found.ambiguous or not has_times:
        _refuse_without_time(table, found)
    return columns


def _note_guesses(table: Table, found: Guess) -> None:
    rows = len(table.frame)
    for target, column in found.columns.items():
        others = found.others.get(target, ())
        rather = f", rather than {' or '.join(others)}" if others else ""
        table.notes.add(f"guessed: {target} is the column {shown(column)}{rather}", rows)
    for target, several in found.ambiguous.items():
        could = " or ".join(several)
        table.notes.add(f"guessed: {target} is not taken, it could be {could} (--map)", rows)
    for column, word in found.strange.items():
        what = (
            f"guessed: outcome is not taken, as no word in {shown(column)} is known, such as"
            f" {shown(word)} (--status {quote(f'{word}=OUTCOME')} says it)"
        )
        table.notes.add(what, rows)


def _refuse_without_time(table: Table, found: Guess) -> None:
    several = found.ambiguous.get("submit") or found.ambiguous.get("start") or times_in(table.frame)
    if several:
        wrong = f"which column is the submission is not clear; of times: {', '.join(several)}"
        say = quote(f"submit={several[0]}")
        more = "" if found.ambiguous else " (and start=..., end=...)"
        refuse(table.source, wrong, f"say it: --map {say}{more}, or in a file: --mapping FILE")
    names = [str(name) for name in table.frame.columns]
    for name in names:
        cells = blanked(table.frame[name]).dropna()
        if any(rank(each, name) is not None for each in ("submit", "start")) and len(cells):
            wrong = f"{name} holds no times that jobsim knows, such as {shown(str(cells.iloc[0]))}"
            say = f"--map {quote(f'submit={name}')} --unit 'submit=%d.%m.%Y %H:%M:%S'"
            refuse(table.source, wrong, f"{MOMENT}+02:00; or say their format, as {say}")
    wrong = f"no column can be a submission time (there are {', '.join(names)})"
    refuse(table.source, wrong, f"say it with --map submit=COLUMN; where none is logged, {RECORD}")


def _rows(table: Table, times: Mapping[str, Instants]) -> pd.DataFrame:
    """The columns of the tidy table as the log has them, not yet held against each other."""
    outcome, unfinished = _outcome(table)
    submit_s, start_s, run_s = lifetimes(table, times, unfinished.to_numpy())
    return pd.DataFrame(
        {
            "job_id": _ids(table, outcome),
            "kind": _words(table, "kind"),
            "submit_s": submit_s,
            "start_s": start_s,
            "run_s": run_s,
            "outcome": outcome.to_numpy() if len(outcome) else outcome,
            "priority": _number(table, "priority"),
            "owner": _words(table, "owner"),
            "memory_mb": _memory(table),
            "attempts": _number(table, "attempts"),
        }
    )


def _outcome(table: Table) -> tuple[pd.Series[Any], pd.Series[bool]]:
    cells = table.cells("outcome")
    if cells is None:
        cells = pd.Series(np.nan, index=table.frame.index, dtype="object")
    column = table.columns.get("outcome", "")
    outcome, unfinished = outcomes(cells, table.reading.outcomes, table.notes, column)
    return outcome, unfinished | _silent(table, cells)


def _silent(table: Table, outcome: pd.Series[Any]) -> pd.Series[bool]:
    """Which jobs ran for 0 and have no outcome, where others have one: they still run."""
    run = table.cells("run")
    run_s = None if run is None else as_numbers(run)
    if run_s is None or outcome.isna().all():
        return pd.Series(False, index=outcome.index)
    return outcome.isna() & pd.Series(run_s == 0, index=outcome.index)


def _ids(table: Table, outcome: pd.Series[Any]) -> Any:
    """What names the jobs; rows are jobs of their own where nothing does."""
    cells, rows = table.cells("id"), len(table.frame)
    if cells is None:
        return np.arange(rows)
    name, said = table.columns["id"], "id" in table.reading.columns
    doubtful = not said and (bool(rank("id", name)) or _complete_again(cells, outcome))
    if doubtful and not (cells.is_unique and cells.notna().all()):
        what = (
            f"guessed: rows with the same {shown(name)} are different jobs (--map id={name} joins)"
        )
        table.notes.add(what, int(cells.duplicated(keep=False).sum()))
        return np.arange(rows)
    table.wrong("id", cells.isna().to_numpy(), "no name of a job")
    if cells.dtype != "str" or cells.str.fullmatch(WHOLE).all():
        return cells.astype("int64") if cells.notna().all() else cells
    shown_so = pc.utf8_is_printable(pa.array(cells)).to_pandas().fillna(True)
    return cells.where(shown_so.to_numpy(dtype=bool), cells[~shown_so.astype(bool)].map(printable))


def _complete_again(ids: pd.Series[Any], outcome: pd.Series[Any]) -> bool:
    """Whether most ids that come again complete again: they name what is run, not the runs."""
    rows = ids.value_counts()
    again = rows[rows > 1].index
    completed = ids[(outcome == "completed").to_numpy()].value_counts()
    return bool(len(again)) and float((completed.reindex(again) > 1).mean()) > 0.5


def _words(table: Table, target: str) -> Any:
    """Names, printable and without blanks around them; missing where the log says none."""
    cells = table.cells(target)
    if cells is None:
        return np.nan
    codes, found = pd.factorize(cells.astype("str").where(cells.notna()))
    words = [printable(str(word)) for word in found]
    return pd.Series([*words, np.nan], dtype="object").to_numpy()[codes]


def printable(word: str) -> str:
    """A name on one line, without what cannot be shown."""
    return "".join(sign if sign.isprintable() else " " for sign in word).strip() or "?"


def _number(table: Table, target: str) -> Any:
    cells = table.cells(target)
    if cells is None:
        return np.nan
    numbers = as_numbers(cells)
    if numbers is None:
        found = pd.to_numeric(cells, errors="coerce").to_numpy("float64")
        table.wrong(target, np.isnan(found) & cells.notna().to_numpy(), "no number")
        return found
    return numbers if target == "priority" else np.where(numbers >= 0, numbers, np.nan)


def _memory(table: Table) -> Any:
    if "memory" not in table.columns:
        return np.nan
    unit = table.unit("memory")
    if not unit:
        column, rows = table.columns["memory"], len(table.frame)
        what = f"guessed: memory is not taken, the unit of {shown(column)} is not known (--unit)"
        table.notes.add(what, rows)
        return np.nan
    return _number(table, "memory") * MEMORY_UNITS_MB[unit]


def _with_sense(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """The rows that have a submission, without times that cannot be."""
    without = rows["submit_s"].isna()
    notes.add("dropped: no submission time", without)
    rows = rows[~without]
    too_large = rows[["submit_s", "start_s", "run_s"]].abs().max(axis="columns") > LARGEST
    notes.add("dropped: a time that no clock shows", too_large)
    rows = rows[~too_large]
    never = (rows["run_s"] == -1) | (rows["run_s"] < 0)
    notes.add("mended: run time below 0 (ended before it started), left missing", never)
    early = rows["start_s"] < rows["submit_s"]
    notes.add("mended: started before it was submitted, start left missing", early)
    return rows.assign(run_s=rows["run_s"].mask(never), start_s=rows["start_s"].mask(early))
