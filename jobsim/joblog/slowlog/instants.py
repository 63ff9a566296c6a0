"""When the statements of a slow log started.

What the times of a log mean depends on the server that wrote it:

=====================  ==================================  ===============================
server                 ``# Time``                          ``SET timestamp``
=====================  ==================================  ===============================
MySQL to 5.6,          local, of the end, printed where    of the end
Percona to 5.6         the second is another one
MySQL 5.7, 8.0.13      instant of the end, microseconds    of the end
MySQL 8.0.14 on        instant of the end, microseconds    of the start
MariaDB to early 2024  local, of the end                   of the end
MariaDB from then on   local, of the start                 of the start
=====================  ==================================  ===============================

(MySQL: its manual on the slow query log, and its worklog 12393 on ``log_slow_extra``; MariaDB:
its MDEV-11628, and a log that 10.11.19 wrote of statements whose times were known.) The column
``start_time`` of the table ``mysql.slow_log`` is that of the end in MySQL, whatever its name, and
what ``# Time`` is in MariaDB.

Which of the two it is follows from the log itself where it can: an entry is written when its
statement ends, so that the ends come in order, and a session has one statement at a time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.localtime import Seconds, epoch_s, since_1970
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading
from jobsim.joblog.slowlog.entries import Entries

STAMPS_ARE_STARTS = re.compile(
    rb"Version: (?:8\.0\.(?:1[4-9]|[2-9]\d)|8\.[1-9]|9\.)(?![^\n]*Maria)"
)
MARIADB = re.compile(rb"Version: (\d{1,3})\.(\d{1,3})\.(\d{1,3})-MariaDB")
MARIADB_FIELD = b"QC_hit:"

FIRST_OF_STARTS = {(10, 5): 24, (10, 6): 17, (10, 11): 7, (11, 0): 5, (11, 1): 4, (11, 2): 3}
FIRST_OF_STARTS |= {(11, 3): 2}
"""The first release of each series of MariaDB that logs starts; every one from 11.4 on does."""

MARIADB_CHANGED_S = 1_706_745_600.0
"""February 2024, when those were released: no earlier log has starts."""

YEAR_S = 365 * 86400.0
QUARTER_S = 900.0

Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Starts:
    """When the statements of a log started.

    Attributes
    ----------
    start_s
        Seconds since 1970, NaN where the log does not tell.
    whole
        Where it is known to a second only.
    as_starts
        Where a time of the log was taken as that of the start.
    by_order
        Whether the order of the log, and not only its server's habit, says which times those are.
    """

    start_s: Seconds
    whole: Mask
    as_starts: Mask
    by_order: bool


def starts(entries: pd.DataFrame, log: Entries, reading: Reading, notes: Notes) -> Starts:
    """The start of each statement of a log, whose `entries` are those found in it as a frame."""
    query_s = entries["query_s"].to_numpy()
    times = entries["time"].astype("str").str.replace(r"\s+", " ", regex=True)
    instants_s = _instants_s(times)
    own_s, unreadable = _own_s(entries, times, instants_s, reading, notes)
    printed_s = _carried(np.where(np.isnan(own_s), instants_s, own_s), unreadable)
    doubtful = np.isnan(instants_s)
    of_ends, of_starts = _disorder(entries[doubtful], printed_s[doubtful], log.in_table)
    by_order = of_ends != of_starts
    are_starts = of_starts < of_ends if by_order else _starts_by_habit(log.clues, printed_s)
    logged_s = _instants_s(entries["start"].astype("str"))
    unsaid = np.isnan(logged_s)
    as_starts = doubtful & unsaid & are_starts
    started_s = np.where(as_starts, printed_s, printed_s - query_s)
    return Starts(
        start_s=np.where(unsaid, started_s, logged_s),
        whole=doubtful & unsaid & (printed_s % 1 == 0),
        as_starts=as_starts,
        by_order=by_order,
    )


def _starts_by_habit(clues: bytes, printed_s: Seconds) -> bool:
    """Whether the server that wrote the log prints starts, by its version or the log's age."""
    if STAMPS_ARE_STARTS.search(clues):
        return True
    if versions := MARIADB.findall(clues):
        major, minor, release = map(int, versions[-1])
        first = FIRST_OF_STARTS.get((major, minor))
        return (major, minor) >= (11, 4) if first is None else release >= first
    return MARIADB_FIELD in clues and bool((printed_s >= MARIADB_CHANGED_S).any())


def lone(start_s: Seconds) -> Mask:
    """Which times are more than a year from both neighbours, which are near one another."""
    found = np.zeros(len(start_s), dtype=bool)
    if len(start_s) >= 3:
        before, here, after = start_s[:-2], start_s[1:-1], start_s[2:]
        apart = np.minimum(np.abs(here - before), np.abs(here - after)) > YEAR_S
        found[1:-1] = apart & (np.abs(after - before) <= YEAR_S)
    return found


def _instants_s(times: pd.Series[Any]) -> Seconds:
    """Times that name their offset from UTC; NaN for others."""
    is_instant = times.str.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)", na=False)
    parsed = pd.to_datetime(times.where(is_instant), format="ISO8601", utc=True, errors="coerce")
    return since_1970(parsed.dt.tz_localize(None))


def _own_s(
    entries: pd.DataFrame,
    times: pd.Series[Any],
    instants_s: Seconds,
    reading: Reading,
    notes: Notes,
) -> tuple[Seconds, Mask]:
    """The times without an offset that entries have of their own, and where one is unreadable."""
    local = _local(times)
    stamp_s = np.where(np.isnan(instants_s), entries["stamp_s"].astype("float64"), np.nan)
    without = np.isnan(stamp_s) & local.notna().to_numpy()
    own_s = stamp_s
    if without.any():
        own_s = np.where(without, _local_s(local, without, stamp_s, reading, notes), stamp_s)
    unreadable = times.notna().to_numpy() & np.isnan(own_s) & np.isnan(instants_s)
    return own_s + _fraction_s(since_1970(local), stamp_s), unreadable


def _local(times: pd.Series[Any]) -> pd.Series[Any]:
    """Times that name no offset, ``261130 9:15:00`` or ISO 8601, with a fraction or without."""
    old = times.where(times.str.fullmatch(r"\d{6} \d{1,2}:\d\d:\d\d(?:\.\d{1,6})?", na=False))
    old += np.where(old.str.contains(".", regex=False, na=True), "", ".0")
    iso = times.where(times.str.fullmatch(r"\d{4}-\d\d-\d\d[T ][\d:.]+", na=False))
    of_old, of_iso = (
        pd.to_datetime(texts, format=form, errors="coerce").dt.as_unit("us")
        for texts, form in ((old, "%y%m%d %H:%M:%S.%f"), (iso, "ISO8601"))
    )
    return of_old.fillna(of_iso)


def _fraction_s(local_s: Seconds, stamp_s: Seconds) -> Seconds:
    """What a local time adds to a stamp in whole seconds, if both are of one second."""
    one_second = (np.floor(local_s) - stamp_s) % 60 == 0
    return np.where(one_second, np.round(local_s % 1, 6), 0.0)


def _local_s(
    local: pd.Series[Any], without: Mask, stamp_s: Seconds, reading: Reading, notes: Notes
) -> Seconds:
    """Local times as instants: by the user's zone, or by what entries with both times show."""
    offset_s = since_1970(local.ffill()) - stamp_s  # a second is printed only once
    quarters_s = np.round(offset_s / QUARTER_S) * QUARTER_S
    shown_s = pd.Series(np.where(np.abs(offset_s - quarters_s) <= 2, quarters_s, np.nan))
    if reading.zone_info is not None or shown_s.isna().all():
        return epoch_s(local.where(without), reading, notes)
    notes.add(
        "guessed: a local time without SET timestamp, whose offset from UTC was taken from"
        " entries that have both",
        without,
    )
    near_s: Seconds = np.asarray(shown_s.ffill().bfill(), dtype="float64")
    return since_1970(local) - near_s


def _carried(printed_s: Seconds, unreadable: Mask) -> Seconds:
    """With the time of the entry before where an entry has none: its second is the same."""
    barred = pd.Series(np.where(unreadable, np.inf, printed_s)).ffill().to_numpy()
    carried: Seconds = np.where(np.isinf(barred), np.nan, barred)
    return carried


def _disorder(entries: pd.DataFrame, printed_s: Seconds, in_table: bool) -> tuple[int, int]:
    """How much speaks against the times being those of ends, and against those of starts.

    Counted are ends that come before the end in the line above, and statements of a session that
    began before its last one ended, both by a second or more, which rounding does not explain.
    The order of a table tells nothing of the ends.
    """
    table = pd.DataFrame(
        {
            "printed_s": printed_s,
            "query_s": entries["query_s"].to_numpy(),
            "session": entries["session"].to_numpy(),
        }
    ).dropna(subset="printed_s")
    steps_s = table["printed_s"].diff()
    if in_table:
        table = table.sort_values("printed_s", kind="stable")
    elif (steps_s < 0).sum() > (steps_s > 0).sum():
        table = table[::-1]
    counts: list[int] = []
    for begin_s, end_s in (
        (table["printed_s"] - table["query_s"], table["printed_s"]),
        (table["printed_s"], table["printed_s"] + table["query_s"]),
    ):
        backward = (end_s.diff() <= -1) & (not in_table)
        overlapping = begin_s <= end_s.groupby(table["session"]).shift() - 1
        counts.append(int(backward.sum() + overlapping.sum()))
    return counts[0], counts[1]
