"""A log without its names, so that it can be shared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from jobsim.errors import UsageError
from jobsim.joblog.notes import KINDS, Note, Notes
from jobsim.joblog.pseudonyms import new_key, pseudonyms
from jobsim.joblog.table import JobLog
from jobsim.words import nearest

NAME = "anonymised"
PREFIX_OF = {"owner": "owner", "kind": "kind", "job_id": "job"}
"""The columns that hold words of the log, and how their pseudonyms begin."""

PLAIN_WORDS = re.compile(r"[a-z][a-z ,;-]*")
SHORTEST = 3
"""Shorter words are in any text by chance."""

REPLACED = "mended: names replaced by pseudonyms"
WITHHELD = "a note that quotes the log, left out"


def anonymised(
    log: JobLog, key: bytes | None = None, keep: Sequence[str] = (), dates: bool = False
) -> JobLog:
    """The same jobs, with pseudonyms for owners, kinds and job ids that are text.

    What stays: all times, run lengths, outcomes and numbers (job ids that are numbers too), and
    which jobs share an owner or a kind. Whoever knows some of the jobs can thus find the others
    of their owner: the log is pseudonymous, not anonymous. What goes: its name, its source, the
    date at which it begins, and of each note what follows its first number, quotation or name.

    Parameters
    ----------
    key
        Makes the same pseudonyms of the same names each time; None: a new one, thrown away.
    keep
        Columns whose words stay: of ``owner``, ``kind``, ``job_id``.
    dates
        Whether the log's origin and time zone stay.

    Raises
    ------
    UsageError
        `keep` names another column.
    """
    for column in keep:
        if column not in PREFIX_OF:
            raise UsageError(f"--keep {column}: {nearest(column, [*PREFIX_OF])}")
    key = key or new_key()
    secret = [c for c in PREFIX_OF if c not in keep and not _is_number(log.jobs[c])]
    moved = log if dates else log.from_zero()
    words = [w.lower() for c in secret for w in _distinct(log.jobs[c]) if len(w) >= SHORTEST]
    notes = Notes(_safe(moved.notes, words))
    notes.add(REPLACED, moved.jobs[secret].notna().any(axis="columns"))
    renamed = {c: _renamed(moved.jobs[c], PREFIX_OF[c], key) for c in secret}
    return JobLog.of(
        moved.jobs.assign(**renamed),
        name=NAME,
        source=NAME,
        origin=moved.origin if dates else None,
        zone=moved.zone if dates else None,
        notes=notes.taken,
        workers=log.workers,
    )


def _is_number(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_integer_dtype(column.dtype)


def _renamed(column: pd.Series[Any], prefix: str, key: bytes) -> pd.Series[Any]:
    return column.map(pseudonyms(_distinct(column), prefix, key))


def _distinct(column: pd.Series[Any]) -> list[str]:
    return list(column.dropna().unique().tolist())


def _safe(notes: Iterable[Note], words: Sequence[str]) -> tuple[Note, ...]:
    """The notes without what they may quote of the log."""
    safe = Notes()
    for note in notes:
        kind, _, reason = note.reason.partition(": ")
        text = _plain(reason) if kind in KINDS else ""
        if not text or any(word in text for word in words):
            text = WITHHELD
        safe.add(f"{kind if kind in KINDS else 'marked'}: {text}", note.count)
    return safe.taken


def _plain(reason: str) -> str:
    """A reason up to its first word that is no plain English, as the rest may quote the log."""
    found = PLAIN_WORDS.match(reason)
    text = found[0] if found else ""
    if text == reason:
        return text
    whole = text.rpartition(" ")[0].rstrip(" ,;-")
    return f"{whole} ..." if whole else ""
