"""Points in time as people and programs write them beside ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime
from functools import reduce
from typing import Any

import pandas as pd

LONGEST = 80
"""No text of more characters is a point in time."""

DATES = (
    *("%Y/%m/%d", "%Y-%m-%d", "%Y.%m.%d", "%Y%m%d", "%Y年%m月%d日", "%d.%m.%Y", "%d.%m.%y"),
    *("%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%Y", "%m-%d-%Y"),
    *("%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d %Y", "%b %d, %Y"),
    *("%d %B %Y", "%B %d %Y", "%B %d, %Y"),
)
CLOCKS = (
    *("%H:%M:%S.%f", "%H:%M:%S", "%H:%M", "%I:%M:%S.%f %p", "%I:%M:%S %p", "%I:%M %p"),
    *("%H.%M.%S.%f", "%H.%M.%S", "%I.%M.%S.%f %p", "%I.%M.%S %p"),
)
WHOLE = (
    *("%Y%m%d%H%M%S", "%Y%m%dT%H%M%S", "%d/%b/%Y:%H:%M:%S %z", "%Y-%m-%d-%H.%M.%S.%f"),
    *("%b %d %H:%M:%S %Y", "%b %d %H:%M:%S %Y %z"),
)
"""Forms that are not a date, a time of day and perhaps an offset, with blanks between."""

_PARTS = re.compile(
    r"(?P<date>.+?)(?: (?P<clock>[0-9]{1,2}[:.][0-9]{2}.*?))?(?P<offset> [+-][0-9]{2}:?[0-9]{2})?"
)

_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"\s+", " "),
        (r"\A(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? ", ""),
        # Spreadsheets, JavaScript and Kibana part a date from its time of day.
        (r"(?<=[0-9]),?(?: @| at)? (?=[0-9]{1,2}[:.][0-9]{2})", " "),
        # JavaScript and Java name the zone behind its offset, and so does Go.
        (r" ?\([^()]*\)\Z|\[[^\[\]]*\]\Z", ""),
        (r" ?(?:utc|gmt)?([+-][0-9]{2}:?[0-9]{2})(?: [a-z]{2,5})?\Z", r" \1"),
        (r" (?:utc|gmt)( [0-9]{4})\Z", r"\1 +0000"),
        (r"(?<=[0-9m]) ?(?:utc|gmt|z)\Z", " +0000"),
        (r"(?<=[0-9]) ?([ap])\.? ?m\.?(?=\Z| )", r" \1M"),
        (r"(?<=[:.][0-9]{2})[.,]([0-9]{1,6})[0-9]*", r".\1"),
    )
)
"""What stands in many writings, and what says the same in one of the formats."""


def rewritten(texts: pd.Series[Any]) -> pd.Series[Any]:
    """The texts with their zones as offsets, without weekdays, and with single blanks."""
    return texts.map(_rewritten, na_action="ignore").astype("str")


def _rewritten(text: str) -> str:
    if len(text) > LONGEST:
        return text
    return reduce(lambda so_far, rule: rule[0].sub(rule[1], so_far), _REWRITES, text)


def fitting(texts: pd.Series[Any]) -> list[str]:
    """The formats that fit every text; the first text and some others sort most formats out."""
    known = texts.dropna()
    some = known.iloc[:: max(1, len(known) // 200)]
    candidates = _candidates(known.iloc[0]) if len(known) else []
    return [form for form in candidates if _fits(some, form) and _fits(known, form)]


def parsed(texts: pd.Series[Any], **how: Any) -> pd.Series[Any]:
    """What pandas makes of texts, NaT where it makes nothing."""
    try:
        found: pd.Series[Any] = pd.to_datetime(texts, errors="coerce", **how)
    except ValueError:
        found = pd.Series(pd.NaT, index=texts.index)
    return found


def _candidates(text: str) -> list[str]:
    parts = _PARTS.fullmatch(text) if len(text) <= LONGEST else None
    if parts is None:
        return []
    offset = " %z" if parts["offset"] else ""
    clocks = (
        [f" {form}" for form in CLOCKS if _is_one(parts["clock"], form)] if parts["clock"] else [""]
    )
    dates = [form for form in DATES if _is_one(parts["date"], form)]
    whole = [form for form in WHOLE if _is_one(text, form)]
    return [date + clock + offset for date in dates for clock in clocks] + whole


def _is_one(text: str, form: str) -> bool:
    try:
        datetime.strptime(text, form)
    except ValueError:
        return False
    return True


def _fits(texts: pd.Series[Any], form: str) -> bool:
    return bool(parsed(texts, format=form, utc="%z" in form).notna().all())
