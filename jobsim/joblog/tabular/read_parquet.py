"""Any Parquet file: jobsim's own, or a table with columns of other names."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from jobsim.joblog import own_parquet
from jobsim.joblog.faultlist import refuse
from jobsim.joblog.files import log_name
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import BY_NAME
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.frame import from_frame

looks_like = own_parquet.looks_like


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read a Parquet file.

    A file of jobsim's own columns is taken as it is (the reading then says nothing of it);
    nested columns of others (lists, structs) are left aside.

    Raises
    ------
    LogError, UsageError
        The file is damaged; see also `from_frame`.
    """
    file = str(path)
    try:
        names = pq.read_schema(path).names
        if "submit_s" in names and set(names) <= set(BY_NAME) and not reading.columns:
            return own_parquet.read(path)
        table = pq.read_table(path, page_checksum_verification=True)
        table.validate(full=True)
        frame = _flat(table).to_pandas(date_as_object=False, ignore_metadata=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        wrong = f"cannot be read as Parquet: {str(error).splitlines()[0].rstrip('.')}"
        refuse(file, wrong, "the whole file, as it was written")
    if frame.empty:
        refuse(file, "there is no job in it", "one row a job")
    return from_frame(frame.reset_index(drop=True), reading, name=log_name(path), source=file)


def _flat(table: pa.Table) -> pa.Table:
    """The columns that are not nested; bytes as text, or in hex where they are none."""
    columns = {
        field.name: _texts(table[field.name]) if _is_binary(field.type) else table[field.name]
        for field in table.schema
        if not pa.types.is_nested(field.type)
    }
    return pa.table(columns)


def _is_binary(kind: pa.DataType) -> bool:
    tests = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    return any(test(kind) for test in tests)


def _texts(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        return cells.cast(pa.binary()).cast(pa.string())
    except pa.ArrowInvalid:
        in_hex = [None if cell is None else cell.hex() for cell in cells.to_pylist()]
        return pa.chunked_array([in_hex], pa.string())
