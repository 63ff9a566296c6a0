"""jobsim's own Parquet: the tidy table, with what travels with it in the schema's metadata."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from jobsim.joblog.check import check_names
from jobsim.joblog.faultlist import FaultList, refuse
from jobsim.joblog.files import log_name
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import BY_NAME
from jobsim.joblog.table import JobLog
from jobsim.joblog.travel import travelled, travelling

KEY = b"jobsim"
MAGIC = b"PAR1"


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is Parquet."""
    return head.startswith(MAGIC)


def write_parquet(log: JobLog, path: Path) -> None:
    """Write the log as Parquet; `read` gives the same log."""
    table = pa.Table.from_pandas(log.jobs, preserve_index=False)
    table = table.replace_schema_metadata({KEY: travelling(log)})
    packed = io.BytesIO()
    pq.write_table(table, packed, compression="zstd", write_page_checksum=True)
    path.write_bytes(packed.getbuffer())


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read Parquet that has columns of the tidy table.

    Raises
    ------
    LogError
        The file is damaged, or lists every wrong column or row, up to a limit.
    """
    file = str(path)
    table = _table(path)
    _check_types(table.schema, file)
    if not table.num_rows:
        refuse(file, "there is no job in it", "one row a job")
    said = (table.schema.metadata or {}).get(KEY)
    with_it: dict[str, Any] = {"name": log_name(path)}
    if said is not None:
        with_it |= travelled(said.decode(errors="replace"), file)
    columns = {name: _cells(name, table[name]) for name in table.column_names}
    return JobLog.of(columns, source=file, **with_it)


def _table(path: Path) -> pa.Table:
    try:
        table = pq.read_table(path, page_checksum_verification=True)
        table.validate(full=True)
        check_names(table.column_names, str(path), None)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        wrong = f"cannot be read as Parquet: {str(error).splitlines()[0].rstrip('.')}"
        refuse(str(path), wrong, "the whole file, as it was written")
    return table


def _check_types(schema: pa.Schema, file: str) -> None:
    faults = FaultList(file)
    for field in schema:
        column = BY_NAME[field.name]
        if not _fits(field.type, column.holds):
            faults.add(f"it holds {field.type}", column.right, column=column.name)
    faults.raise_if_any()


def _fits(kind: pa.DataType, holds: str) -> bool:
    is_whole = bool(pa.types.is_integer(kind))
    is_number = is_whole or bool(pa.types.is_floating(kind))
    words = kind.value_type if pa.types.is_dictionary(kind) else kind
    is_text = bool(pa.types.is_string(words) or pa.types.is_large_string(words))
    if holds == "id":
        return is_text or is_whole
    return bool(pa.types.is_null(kind)) or (is_number if holds == "number" else is_text)


def _cells(name: str, cells: pa.ChunkedArray) -> pd.Series[Any]:
    if BY_NAME[name].holds == "number":
        cells = cells.cast(pa.float64(), safe=False)
    elif name == "job_id" and cells.null_count:
        # As numbers, those beside a missing one would pass through float64.
        cells = cells.cast(pa.string())
    series: pd.Series[Any] = cells.to_pandas()
    return series.fillna("unknown") if name == "outcome" else series
