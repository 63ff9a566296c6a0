"""Any table of jobs as a job log: columns are found, read, and held against one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from shlex import quote
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from jobsim.errors import UsageError
from jobsim.joblog.durations import seconds as durations
from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.localtime import Seconds
from jobsim.joblog.notes import Note, Notes
from jobsim.joblog.reading import INSTANTS, MEMORY_UNITS_MB, UNITS, Reading
from jobsim.joblog.schema import LARGEST
from jobsim.joblog.statuses import outcomes
from jobsim.joblog.swf import EPOCH
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.attempts import joined
from jobsim.joblog.tabular.clock import UNIT_NAMES, Instants, instants
from jobsim.joblog.tabular.guess import Guess, guess, times_in
from jobsim.joblog.tabular.missing import blanked
from jobsim.joblog.tabular.names import rank, split
from jobsim.joblog.tabular.numbers import as_numbers
from jobsim.words import nearest

Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]

RECORD = (
    "record one: jobsim record run --append jobs.csv -- COMMAND, or"
    " jobsim record table --database URL --table T --every 2s"
)


@dataclass
class Table:
    """A foreign table while it is read.

    Attributes
    ----------
    columns
        The column of each target, said or guessed.
    line_of
        Gives the line of a row (numbered from 0), for messages.
    """

    frame: pd.DataFrame
    reading: Reading
    source: str
    notes: Notes
    faults: FaultList
    line_of: Callable[[int], int] | None
    columns: Mapping[str, str] = field(default_factory=dict)

    def cells(self, target: str) -> pd.Series[Any] | None:
        """The cells of a target, with unknown ones missing; None where no column holds it."""
        name = self.columns.get(target)
        return None if name is None else blanked(self.frame[name])

    def wrong(self, target: str, mask: Mask, right: str) -> None:
        """Add a fault for each of these cells."""
        name = self.columns[target]
        for row in np.flatnonzero(mask):
            text = shown(str(self.frame[name].iloc[row]))
            if self.line_of is None:
                self.faults.add(f"row {row + 1}: {text} is {right}", HOW_TO_SAY, column=name)
            else:
                self.faults.add(f"{text} is {right}", HOW_TO_SAY, self.line_of(int(row)), name)


WHOLE = r"0|-?[1-9][0-9]{0,17}"
"""A number as it is plainly written; 007 and +7 are names."""

HOW_TO_SAY = "another column (--map), a unit or format (--unit), or an empty cell where unknown"


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
    times = _times(table)
    rows = _rows(table, times)
    table.faults.raise_if_any()
    jobs = joined(_with_sense(rows, table.notes), table.notes)
    if jobs.empty:
        refuse(source, "no row has a submission time", f"one row a job; or {RECORD}")
    absolute = any(found.absolute for found in times.values())
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
    if not {"submit", "start"} & set(columns) and not {"end", "run"} <= set(columns):
        _refuse_without_time(table, found)
    return columns


def _note_guesses(table: Table, found: Guess) -> None:
    rows = len(table.frame)
    for target, column in found.columns.items():
        others = found.others.get(target, ())
        rather = f", rather than {' or '.join(others)}" if others else ""
        table.notes.add(f"guessed: {target} is the column {shown(column)}{rather}", rows)
    for target, several in found.ambiguous.items():
        if target != "submit":
            could = " or ".join(several)
            table.notes.add(f"guessed: {target} is not taken, it could be {could} (--map)", rows)


def _refuse_without_time(table: Table, found: Guess) -> None:
    several = found.ambiguous.get("submit") or found.ambiguous.get("start") or times_in(table.frame)
    if several:
        wrong = f"which column is the submission is not clear; of times: {', '.join(several)}"
        say = quote(f"submit={several[0]}")
        refuse(table.source, wrong, f"say it: --map {say}, or in a file: --mapping FILE")
    names = ", ".join(map(str, table.frame.columns))
    wrong = f"no column can be a submission time (there are {names})"
    refuse(table.source, wrong, f"say it with --map submit=COLUMN; where none is logged, {RECORD}")


def _times(table: Table) -> dict[str, Instants]:
    """The instants of each target that has a column."""
    found: dict[str, Instants] = {}
    for target in INSTANTS:
        cells = table.cells(target)
        if cells is not None:
            notes = Notes()
            unit = table.reading.units.get(target, "") or _unit(table, target)
            times = instants(cells, table.reading, notes, unit)
            _take_largest(table.notes, notes)
            found[target] = _checked(table, target, times)
    kinds = {times.absolute for times in found.values()} - {None}
    if len(kinds) > 1:
        which = ", ".join(table.columns[target] for target in found)
        wrong = f"{which}: some count from 1970 and some from a start of their own"
        refuse(table.source, wrong, "instants of one clock; --unit says what numbers count")
    return found


def _take_largest(notes: Notes, more: Notes) -> None:
    """Add notes of one column to those of others: a job that is in both counts once."""
    counts = {note.reason: note.count for note in notes.taken}
    for note in more.taken:
        notes.add(note.reason, max(0, note.count - counts.get(note.reason, 0)))


def _unit(table: Table, target: str) -> str:
    """The unit that a column's name ends in, if its target can have it."""
    unit = split(table.columns[target])[1]
    return unit if unit in UNITS[target] else ""


def _checked(table: Table, target: str, times: Instants) -> Instants:
    column = table.columns[target]
    if times.formats:
        wrong = f"{column} can be read as {' and as '.join(times.formats[:2])}"
        refuse(table.source, wrong, f'say which: --unit "{target}={times.formats[0]}"')
    table.wrong(target, times.wrong, "no point in time that jobsim knows")
    if times.dates_only and target != "start":
        return _without_days(table, target, times)
    if times.unit is not None and target not in table.reading.units:
        since = "1970" if times.absolute else "the log's own start"
        unit = UNIT_NAMES.get(times.unit, times.unit)
        what = f"guessed: numbers in {shown(column)} are {unit} since {since}"
        table.notes.add(what, int((~np.isnan(times.seconds)).sum()))
    return times


def _without_days(table: Table, target: str, times: Instants) -> Instants:
    column, some = table.columns[target], ~np.isnan(times.seconds)
    if target == "submit" and some.sum() > 1:
        refuse(table.source, f"{column} holds dates without a time of day", RECORD)
    return times


def _rows(table: Table, times: Mapping[str, Instants]) -> pd.DataFrame:
    """The columns of the tidy table as the log has them, not yet held against each other."""
    rows = len(table.frame)
    nothing = np.full(rows, np.nan)
    submit_s, start_s, end_s = (
        times[target].seconds if target in times else nothing for target in INSTANTS
    )
    run_s, wait_s = _duration(table, "run", times), _duration(table, "wait", times)
    outcome, unfinished = _outcome(table)
    if "start" not in times and wait_s is not None:
        start_s = submit_s + wait_s
    if run_s is None:
        run_s = end_s - start_s
        alone = ~np.isnan(end_s) & ("start" not in times and wait_s is None)
        what = "marked: an end is logged, but neither a start nor a run time: how long is not known"
        table.notes.add(what, alone)
    run_s = _of_ended(table, run_s, unfinished.to_numpy(), ~np.isnan(end_s))
    if "start" not in times and wait_s is None:
        start_s = end_s - run_s
        if "submit" in times and "end" in times:
            start_s = _started_before_its_end(table, submit_s, start_s)
    if "submit" not in times:
        submit_s, start_s = _submitted_by_start(table, start_s, wait_s)
    return pd.DataFrame(
        {
            "job_id": _ids(table),
            "kind": _words(table, "kind"),
            "submit_s": submit_s,
            "start_s": start_s,
            "run_s": run_s,
            "outcome": outcome.to_numpy() if rows else outcome,
            "priority": _number(table, "priority"),
            "owner": _words(table, "owner"),
            "memory_mb": _memory(table),
            "attempts": _number(table, "attempts"),
        }
    )


def _of_ended(table: Table, run_s: Seconds, unfinished: Mask, has_end: Mask) -> Seconds:
    """Run times without those of jobs that had not ended, which say only how far they were."""
    known = ~np.isnan(run_s)
    cut = "marked: an end is logged, yet the status says not ended: the run time may be cut off"
    table.notes.add(cut, unfinished & known & has_end)
    open_ = unfinished & known & ~has_end
    table.notes.add("mended: not ended when the log was made, run time left missing", open_)
    return np.where(open_, np.nan, run_s)


def _started_before_its_end(table: Table, submit_s: Seconds, start_s: Seconds) -> Seconds:
    """Starts that are ends less run times; whole seconds can put them just before submission."""
    early = (start_s < submit_s) & (start_s > submit_s - 1)
    table.notes.add("mended: start (end less run time) rounds to before submission, moved", early)
    return np.where(early, submit_s, start_s)


def _submitted_by_start(
    table: Table, start_s: Seconds, wait_s: Seconds | None
) -> tuple[Seconds, Seconds]:
    if wait_s is not None:
        return start_s - wait_s, start_s
    known = ~np.isnan(start_s)
    table.notes.add("marked: submissions are not logged, starts stand for them", known)
    return start_s, np.full(len(start_s), np.nan)


def _duration(table: Table, target: str, times: Mapping[str, Instants]) -> Seconds | None:
    cells = table.cells(target)
    if cells is None:
        return None
    said = table.reading.units.get(target) or _unit(table, target)
    found, wrong = durations(cells)
    is_number = as_numbers(cells) is not None
    unit = said or (_unit_by_clock(found, times) if is_number else "s")
    found, wrong = durations(cells, UNITS[target][unit])
    table.wrong(target, wrong, "no duration that jobsim knows")
    if is_number and target not in table.reading.units:
        what = (
            f"guessed: numbers in {shown(table.columns[target])} are {UNIT_NAMES.get(unit, unit)}"
        )
        table.notes.add(what, int((~np.isnan(found)).sum()))
    return found


def _unit_by_clock(found: Seconds, times: Mapping[str, Instants]) -> str:
    """The unit of run times: as start and end say; else that of the instants, if these are ms..."""
    if {"start", "end"} <= set(times):
        between_s = times["end"].seconds - times["start"].seconds
        both = (between_s > 0) & (found > 0)
        ratio = float(np.median(found[both] / between_s[both])) if both.any() else 1.0
        for unit, per_s in (("ms", 1e3), ("us", 1e6), ("ns", 1e9), ("min", 1 / 60)):
            if 0.9 < ratio / per_s < 1.1:
                return unit
        return "s"
    units = {each.unit for each in times.values() if each.unit is not None}
    return units.pop() if len(units) == 1 else "s"


def _outcome(table: Table) -> tuple[pd.Series[Any], pd.Series[bool]]:
    cells = table.cells("outcome")
    if cells is None:
        cells = pd.Series(np.nan, index=table.frame.index, dtype="object")
    column = table.columns.get("outcome", "")
    return outcomes(cells, table.reading.outcomes, table.notes, column)


def _ids(table: Table) -> Any:
    """What names the jobs; rows are jobs of their own where nothing does."""
    cells, rows = table.cells("id"), len(table.frame)
    if cells is None:
        return np.arange(rows)
    name, said = table.columns["id"], "id" in table.reading.columns
    if not said and rank("id", name) and not (cells.is_unique and cells.notna().all()):
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
    unit = table.reading.units.get("memory") or _unit(table, "memory")
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
