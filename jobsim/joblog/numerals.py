"""Numbers as people and programs write them: decimal points, decimal commas, grouped digits.

Whether ``1,234`` is a thousand or one and a bit no cell says by itself, but its column may: where
any other cell shows what commas are for, that holds for all of them.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]

_GROUPED = r"[+-]?[1-9][0-9]{0,2}(?:%s[0-9]{3})%s"
AMBIGUOUS = _GROUPED % (",", "")
"""``1,234``: grouped digits or a decimal comma."""
DOTTED = _GROUPED % (r"\.", "+")
"""``1.234``: grouped digits, in a column that writes decimal commas."""

POINT_COLUMN = (_GROUPED % (",", r"{2,}(?:\.[0-9]*)?"), _GROUPED % (",", r"\.[0-9]*"))
"""``1,234,567`` or ``1,234.5``: commas group digits."""
COMMA_COLUMN = (
    r"[+-]?[0-9]*,[0-9]+",
    _GROUPED % (r"\.", r"{2,}(?:,[0-9]*)?"),
    _GROUPED % (r"\.", ",[0-9]*"),
)
"""``12,5`` (not `AMBIGUOUS`), ``1.234.567`` or ``1.234,5``: commas are decimal."""


def numbers(texts: pd.Series[str]) -> Floats:
    """What each text says as a number; NaN where it is none, or where it could be two.

    Plain numbers (``12``, ``-1.5``, ``1e3``) are always taken. A decimal comma and grouped
    digits are where the cells agree on what a comma is; infinite is no number.
    """
    texts = texts.str.strip().reset_index(drop=True)
    found = _plain(texts)
    commas = texts[np.isnan(found) & texts.str.contains("[,.]").fillna(False)]
    if len(commas):
        _mend_commas(commas, texts[~np.isnan(found)], found)
    return found


def _mend_commas(commas: pd.Series[str], plain: pd.Series[str], found: Floats) -> None:
    """Put into `found` what the texts with `commas` say, beside `plain` ones of their column."""
    ambiguous = _are(commas, AMBIGUOUS)
    by_point = _are(commas, *POINT_COLUMN)
    by_comma = _are(commas, *COMMA_COLUMN) & ~ambiguous
    dotted = _are(plain, DOTTED)
    says_point = bool(by_point.any() or plain[~dotted].str.contains(".", regex=False).any())
    says_comma = bool(by_comma.any())
    # Where some cells write a decimal comma and others a decimal point, each is clear by itself,
    # but what could be either stays open.
    grouped = commas[by_point | (ambiguous if says_point and not says_comma else False)]
    decimal = commas[by_comma | (ambiguous if says_comma and not says_point else False)]
    found[grouped.index] = _plain(grouped.str.replace(",", ""))
    found[decimal.index] = _plain(_pointed(decimal))
    if says_comma:
        dotted_texts = plain[dotted]
        found[dotted_texts.index] = np.nan if says_point else _plain(_pointed(dotted_texts))


def _pointed(texts: pd.Series[str]) -> pd.Series[str]:
    """``1.234,5`` as ``1234.5``."""
    return texts.str.replace(".", "").str.replace(",", ".")


def _plain(texts: pd.Series[str]) -> Floats:
    found = pd.to_numeric(texts, errors="coerce").to_numpy("float64", na_value=np.nan)
    return np.where(np.isfinite(found), found, np.nan)


def _are(texts: pd.Series[str], *forms: str) -> pd.Series[bool]:
    return texts.str.fullmatch("|".join(f"(?:{form})" for form in forms)).fillna(False)
