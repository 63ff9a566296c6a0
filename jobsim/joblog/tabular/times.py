"""The points in time of a foreign table: one clock, and nothing that can be read in two ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from jobsim.joblog.faultlist import refuse, shown
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import INSTANTS
from jobsim.joblog.tabular.clock import UNIT_NAMES, Instants, instants
from jobsim.joblog.tabular.source import MOMENT, RECORD, Table

SPREADSHEET = {"s": "seconds", "d": "the days of a spreadsheet"}


def times(table: Table) -> dict[str, Instants]:
    """The instants of each target that has a column.

    Raises
    ------
    LogError
        A column can be read in two ways, or has days and no times of day, or counts from another
        beginning than the others.
    """
    found = _settled(
        table, {target: _read(table, target) for target in INSTANTS if target in table.columns}
    )
    for target, each in found.items():
        _check(table, target, each)
    kinds = {each.absolute for each in found.values()} - {None}
    if len(kinds) > 1:
        which = ", ".join(table.columns[target] for target in found)
        wrong = f"{which}: some count from 1970 and some from a start of their own"
        refuse(table.source, wrong, "instants of one clock; --unit says what numbers count")
    return found


def _read(table: Table, target: str, form: str = "") -> tuple[Instants, Notes]:
    notes = Notes()
    cells: Any = table.cells(target)
    return instants(cells, table.reading, notes, form or table.unit(target)), notes


def _settled(table: Table, read: dict[str, tuple[Instants, Notes]]) -> dict[str, Instants]:
    """What was read, with days told from months as the other columns of the table do."""
    orders = {_days_first(one.form) for one, _ in read.values() if not one.formats} - {None}
    for target, (one, _) in list(read.items()):
        fitting = [form for form in one.formats if {_days_first(form)} == orders]
        if len(fitting) == 1:
            read[target] = _read(table, target, fitting[0])
            column = shown(table.columns[target])
            what = f"guessed: times in {column} are {fitting[0]}, as other columns show"
            table.notes.add(what, len(table.frame))
    unclear = {target: one.formats for target, (one, _) in read.items() if one.formats}
    if unclear:
        _refuse_unclear(table, unclear)
    for _, notes in read.values():
        _take_largest(table.notes, notes)
    return {target: one for target, (one, _) in read.items()}


def _days_first(form: str) -> bool | None:
    """Whether a format such as %d/%m/%Y has the day first; None where it cannot be mistaken."""
    return form.startswith("%d") if form[:2] in ("%d", "%m") and "%m" in form else None


def _refuse_unclear(table: Table, unclear: dict[str, tuple[str, ...]]) -> None:
    target, formats = next(iter(unclear.items()))
    readings = " and as ".join(SPREADSHEET.get(form, form) for form in formats[:2])
    wrong = f"{table.columns[target]} can be read as {readings}"
    likely = "d" if "d" in formats else formats[0]
    say = ",".join(
        f"{each}={likely if likely in unclear[each] else unclear[each][0]}" for each in unclear
    )
    refuse(table.source, wrong, f'say which: --unit "{say}"')


def _take_largest(notes: Notes, more: Notes) -> None:
    """Add notes of one column to those of others: a job that is in both counts once."""
    counts = {note.reason: note.count for note in notes.taken}
    for note in more.taken:
        notes.add(note.reason, max(0, note.count - counts.get(note.reason, 0)))


def _check(table: Table, target: str, one: Instants) -> None:
    known = ~np.isnan(one.seconds)
    table.wrong(target, one.wrong, "no point in time that jobsim knows")
    if one.dates_only and target == "submit" and known.sum() > 1:
        wrong = f"{table.columns[target]} holds dates without a time of day"
        right = f"both in one column, as {MOMENT}; where none is logged, {RECORD}"
        refuse(table.source, wrong, right)
    if one.unit is not None and target not in table.reading.units:
        since = "1970" if one.absolute else "the log's own start"
        unit = UNIT_NAMES.get(one.unit, one.unit)
        column = shown(table.columns[target])
        table.notes.add(f"guessed: numbers in {column} are {unit} since {since}", known)
