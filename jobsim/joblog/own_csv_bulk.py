"""jobsim's own CSV in bulk: a C parser that is quick, and says little of what is wrong.

It takes only what is read the same way cell by cell; the rest is left to `own_csv`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from jobsim.joblog.check import check_names
from jobsim.joblog.schema import BY_NAME


def columns(body: bytes) -> dict[str, Any] | None:
    """The columns of a header line and the rows below it; None where anything is unusual.

    Raises
    ------
    LogError
        A column that the tidy table does not have.
    """
    header = body.partition(b"\n")[0].decode().split(",")
    if any(name != name.strip() for name in header) or not body.strip():
        return None
    check_names(header, "", None)
    types = {
        name: pa.float64() if BY_NAME[name].holds == "number" else pa.string() for name in header
    }
    options = pa.csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True)
    try:
        table = pa.csv.read_csv(pa.BufferReader(body), convert_options=options)
    except pa.ArrowInvalid:
        return None
    if not table.num_rows:
        return None
    found = {name: _cells(name, table[name]) for name in header}
    return None if any(cells is None for cells in found.values()) else found


def _cells(name: str, cells: pa.ChunkedArray) -> Any:
    if BY_NAME[name].holds == "number":
        numbers = cells.to_numpy()
        # "nan" and "inf" are numbers to the parser, and faults to us.
        return numbers if np.isfinite(numbers).sum() == len(cells) - cells.null_count else None
    if not pc.all(pc.equal(cells, pc.utf8_trim_whitespace(cells)), min_count=0).as_py():
        return None
    words = cells.to_pandas()
    return words.fillna("unknown") if name == "outcome" else words
