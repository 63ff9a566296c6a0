"""The tidy table of a job log: its columns, what each may hold, and how columns become it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from pandera.pandas import Check, DataFrameSchema

LARGEST = 1e16
"""No second, MB or count is larger: what is, has another unit."""

OUTCOMES = ("completed", "failed", "cancelled", "timeout", "unknown")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the tidy table.

    Attributes
    ----------
    holds
        ``id``: whole numbers, or text where one of them is not a whole number;
        ``number``: float64; ``text``: category; ``outcome``: category of `OUTCOMES`.
    right
        What a right cell looks like, said to whoever wrote a wrong one.
    required
        Never missing.
    signed
        May be below 0.
    """

    name: str
    holds: Literal["id", "number", "text", "outcome"]
    doc: str
    right: str
    required: bool = False
    signed: bool = False


_NAME = "printable text without blanks around it, or empty where unknown"

COLUMNS = (
    Column(
        "job_id",
        "id",
        "Names the job within its log.",
        "a number, or a name, that no other job has",
        required=True,
    ),
    Column("kind", "text", "What sort of work it is.", _NAME),
    Column(
        "submit_s",
        "number",
        "When it was submitted, in seconds since the log's origin.",
        "seconds since the log's origin, 0 or more",
        required=True,
    ),
    Column(
        "start_s",
        "number",
        "When its first attempt started, in seconds since the log's origin.",
        "seconds since the log's origin, at submit_s or later, or empty where unknown",
    ),
    Column(
        "run_s",
        "number",
        "How long it ran, in seconds.",
        "seconds, 0 or more, or empty where unknown",
    ),
    Column("outcome", "outcome", "How it ended.", f"one of {', '.join(OUTCOMES)}", required=True),
    Column(
        "priority",
        "number",
        "Its priority, in the log's own scale.",
        "a number, or empty where unknown",
        signed=True,
    ),
    Column("owner", "text", "Who submitted it.", _NAME),
    Column(
        "memory_mb",
        "number",
        "The most memory it used, in MB.",
        "MB, 0 or more, or empty where unknown",
    ),
    Column(
        "attempts",
        "number",
        "How many times it was run.",
        "a number, 0 or more, or empty where unknown",
    ),
)

BY_NAME = {column.name: column for column in COLUMNS}


def tidy(columns: Mapping[str, Any], rows: int) -> pd.DataFrame:
    """The tidy table made of `columns`, in their order, with every other column missing.

    Each column gets its compact type. What its cells hold is not checked here (`schema` does
    that), but ValueError says so if they cannot become its type, or are not `rows` many.
    """
    index = pd.RangeIndex(rows)
    return pd.DataFrame(
        {
            column.name: (
                _given(column, columns[column.name], index)
                if column.name in columns
                else _absent(column, index)
            )
            for column in COLUMNS
        }
    )


def category(codes: np.ndarray[Any, np.dtype[Any]], words: Sequence[str]) -> pd.Categorical[str]:
    """Text packed as a number for each word; -1 is missing."""
    return pd.Categorical.from_codes(codes, categories=pd.Index(list(words), dtype="str"))


def trimmed(jobs: pd.DataFrame) -> pd.DataFrame:
    """A part of a tidy table as a table of its own: new index, only the kinds and owners in it."""
    own = {
        column.name: jobs[column.name].cat.remove_unused_categories()
        for column in COLUMNS
        if column.holds == "text"
    }
    return jobs.assign(**own).reset_index(drop=True)


@cache
def schema() -> DataFrameSchema:
    """The pandera schema of the tidy table (pandera is imported here, as it is slow to import)."""
    import pandera.pandas as pa

    return pa.DataFrameSchema(
        {
            column.name: pa.Column(
                {"id": None, "number": "float64"}.get(column.holds, "category"),
                checks=_checks(column),
                nullable=not column.required,
                unique=column.holds == "id",
                description=column.doc,
            )
            for column in COLUMNS
        },
        checks=pa.Check(
            lambda jobs: ~(jobs["start_s"] < jobs["submit_s"]), error="is before its submit_s"
        ),
        strict=True,
        ordered=True,
    )


def _checks(column: Column) -> list[Check]:
    import pandera.pandas as pa

    if column.holds == "number":
        finite = pa.Check(np.isfinite, error="is not a finite number")
        low, high = pa.Check.ge(0, error="is below 0"), pa.Check.le(LARGEST, error="is too large")
        return [finite] if column.signed else [finite, low, high]
    if column.holds == "outcome":
        return [pa.Check.isin(OUTCOMES, error="is no outcome")]
    return [pa.Check(_are_names, error="is no name")]


def _are_names(cells: pd.Series[Any]) -> pd.Series[bool]:
    if pd.api.types.is_integer_dtype(cells.dtype):
        return pd.Series(True, index=cells.index)
    return cells.map(_is_name).astype(bool)


def _is_name(cell: str) -> bool:
    return cell != "" and cell.isprintable() and cell == cell.strip()


def _absent(column: Column, index: pd.RangeIndex) -> pd.Series[Any]:
    if column.holds == "id":
        return pd.Series(np.arange(len(index), dtype="int64"), index=index)
    if column.holds == "number":
        return pd.Series(math.nan, index=index, dtype="float64")
    if column.holds == "outcome":
        unknown = np.full(len(index), OUTCOMES.index("unknown"), dtype="int8")
        return pd.Series(category(unknown, OUTCOMES), index=index)
    return pd.Series(category(np.full(len(index), -1, dtype="int8"), ()), index=index)


def _given(column: Column, cells: Any, index: pd.RangeIndex) -> pd.Series[Any]:
    try:
        return _typed(column, pd.Series(cells).set_axis(index))
    except (ValueError, TypeError) as error:
        raise ValueError(f"column {column.name}: {error}") from error


def _typed(column: Column, cells: pd.Series[Any]) -> pd.Series[Any]:
    if column.holds == "id":
        return _ids(cells)
    if column.holds == "number":
        return cells.astype("float64")
    if column.holds == "outcome":
        return _outcomes(_category(cells))
    return _category(cells)


def _ids(cells: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers as int64; text as text, unless every cell is a whole number, plainly written.

    "7" is a whole number, "007" and "+7" are names: so that writing and reading changes no id.
    """
    if pd.api.types.is_signed_integer_dtype(cells.dtype) and not cells.hasnans:
        return cells.astype("int64")
    texts = cells.astype("str")
    if not texts.str.fullmatch(r"0|-?[1-9][0-9]{0,18}").fillna(False).all():
        return texts
    try:
        return texts.astype("int64")
    except (OverflowError, ValueError):  # one of them is beyond 64 bits
        return texts


def _category(cells: pd.Series[Any]) -> pd.Series[Any]:
    """Text as a category, its words sorted, so that equal columns have equal categories."""
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype("str").astype("category")
    cells = cells.cat.remove_unused_categories()
    words = cells.cat.categories.astype("str")
    return cells.cat.rename_categories(list(words)).cat.reorder_categories(words.sort_values())


def _outcomes(cells: pd.Series[Any]) -> pd.Series[Any]:
    """With all outcomes as categories, unless there are others, which the schema refuses."""
    known = set(cells.cat.categories) <= set(OUTCOMES)
    return cells.cat.set_categories(pd.Index(OUTCOMES, dtype="str")) if known else cells
