"""The time stamps that stand before process lists."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.localtime import Seconds, epoch_s, since_1970
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading

_DAY = r"\d{4}-\d\d-\d\d"
_HOUR = r"\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?"
_STAMP = re.compile(
    rf"(?:TS )?(\d{{10}}(?:\.\d{{1,9}})?)(?: {_DAY} {_HOUR})?"  # pt-stalk writes both
    rf"|({_DAY}[T ]{_HOUR} ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)?)"
    rf"|(?:\w{{3}},? )?(\w{{3}} +\d\d?) ({_HOUR}(?: [AP]M)?)(?: ([A-Z]{{1,5}}|[+-]\d+))? (\d{{4}})"
    rf"|(?:\w{{3}},? )?(\d\d? \w{{3}}) (\d{{4}}) ({_HOUR}(?: [AP]M)?)(?: ([A-Z]{{1,5}}|[+-]\d+))?"
)
_KILLED_AT = re.compile(rf"# ({_DAY}T{_HOUR}\S*) KILL")
_DECORATION = " \t#-=*<>[]"
_UNIVERSAL = ("Z", "UTC", "GMT")


def is_stamp(line: str) -> bool:
    """Whether a line says when a list was made, and nothing else."""
    return _STAMP.fullmatch(line.strip(_DECORATION)) is not None


def stamp_text(line: str) -> str | None:
    """The time that such a line, or one that a killer printed, names: seconds since 1970 or ISO."""
    if killed := _KILLED_AT.match(line):
        return killed[1]
    found = _STAMP.fullmatch(line.strip(_DECORATION))
    if found is None:
        return None
    epoch, iso, day, hour, zone, year, day2, year2, hour2, zone2 = found.groups()
    if epoch or iso:
        return epoch or iso
    return _iso(f"{day or day2} {year or year2} {hour or hour2}", zone or zone2 or "")


def _iso(text: str, zone: str) -> str | None:
    """What ``date`` prints as ISO; the names of zones but UTC are those of many, so left out."""
    try:
        instant = pd.Timestamp(text)
    except ValueError:
        return None
    offset = "Z" if zone in _UNIVERSAL else zone if zone[:1] in ("+", "-") else ""
    return f"{instant.isoformat()}{offset}"


def instants_s(stamps: list[str], reading: Reading, notes: Notes) -> Seconds:
    """Stamps as seconds since 1970, NaN where one is no time; those without offset are local."""
    texts = pd.Series(stamps, dtype="str").str.replace(",", ".").str.strip()
    epochs_s = np.asarray(pd.to_numeric(texts, errors="coerce"), dtype="float64")
    texts = texts.str.replace(r" ?(?:UTC|GMT)$", "Z", regex=True)
    offset = texts.str.contains(r"(?:Z|:\d\d[.\d]* ?[+-]\d\d:?\d\d)$", regex=True)
    universal_s = since_1970(_parsed(texts.where(offset), utc=True).dt.tz_localize(None))
    local = _parsed(texts.where(~offset & np.isnan(epochs_s)), utc=False)
    found_s = np.where(np.isnan(epochs_s), universal_s, epochs_s)
    if local.isna().all():
        return found_s
    return np.where(np.isnan(found_s), epoch_s(local, reading, notes), found_s)


def _parsed(texts: pd.Series[Any], *, utc: bool) -> pd.Series[Any]:
    texts = texts.str.replace(rf"^({_DAY}) ", r"\1T", regex=True).str.replace(" ", "")
    return pd.to_datetime(texts, format="ISO8601", utc=utc, errors="coerce")
