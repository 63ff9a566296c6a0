"""The tidy table of a job log: its columns, what each may hold, and how columns become it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from pandera.pandas import Check, DataFrameSchema

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


COLUMNS = (
    Column(
        "job_id",
        "id",
        "Names the job within its log.",
        "a name that no other job has",
        required=True,
    ),
    Column("kind", "text", "What sort of work it is.", "printable text, or empty where unknown"),
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
    Column("owner", "text", "Who submitted it.", "printable text, or empty where unknown"),
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

    Each column gets its compact type; nothing is checked here (`schema` does that), but what
    cannot be turned into its column's type raises ValueError or TypeError.
    """
    index = pd.RangeIndex(rows)
    return pd.DataFrame(
        {
            column.name: (
                _typed(column, pd.Series(columns[column.name]).set_axis(index))
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
        return [finite] if column.signed else [finite, pa.Check.ge(0, error="is below 0")]
    if column.holds == "outcome":
        return [pa.Check.isin(OUTCOMES, error="is no outcome")]
    return [pa.Check(_are_names, error="is not printable text")]


def _are_names(cells: pd.Series[Any]) -> pd.Series[bool]:
    if pd.api.types.is_integer_dtype(cells.dtype):
        return pd.Series(True, index=cells.index)
    return cells.map(lambda cell: cell != "" and cell.isprintable()).astype(bool)


def _absent(column: Column, index: pd.RangeIndex) -> pd.Series[Any]:
    if column.holds == "id":
        return pd.Series(np.arange(len(index), dtype="int64"), index=index)
    if column.holds == "number":
        return pd.Series(math.nan, index=index, dtype="float64")
    if column.holds == "outcome":
        unknown = np.full(len(index), OUTCOMES.index("unknown"), dtype="int8")
        return pd.Series(category(unknown, OUTCOMES), index=index)
    return pd.Series(category(np.full(len(index), -1, dtype="int8"), ()), index=index)


def _typed(column: Column, cells: pd.Series[Any]) -> pd.Series[Any]:
    if column.holds == "id":
        return _ids(cells)
    if column.holds == "number":
        return cells.astype("float64")
    if column.holds == "outcome":
        return _category(cells) if _has_others(cells) else cells.astype(_outcome_type())
    return _category(cells)


def _ids(cells: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers as int64; text as text, unless every cell is a whole number, plainly written.

    "7" is a whole number, "007" and "+7" are names: so that writing and reading changes no id.
    """
    if pd.api.types.is_integer_dtype(cells.dtype):
        return cells.astype("int64")
    if cells.map(_is_whole).all():
        return cells.astype("int64")
    return cells.astype("str")


def _is_whole(cell: object) -> bool:
    return (
        re.fullmatch(r"0|-?[1-9][0-9]{0,18}", str(cell)) is not None
        and -(2**63) <= int(str(cell)) < 2**63
    )


def _category(cells: pd.Series[Any]) -> pd.Series[Any]:
    """Text as a category, its words sorted, so that equal columns have equal categories."""
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype("str").astype("category")
    cells = cells.cat.remove_unused_categories()
    words = cells.cat.categories.astype("str")
    return cells.cat.rename_categories(list(words)).cat.reorder_categories(words.sort_values())


def _outcome_type() -> pd.CategoricalDtype:
    return pd.CategoricalDtype(pd.Index(OUTCOMES, dtype="str"))


def _has_others(cells: pd.Series[Any]) -> bool:
    return not cells.dropna().drop_duplicates().isin(OUTCOMES).all()
