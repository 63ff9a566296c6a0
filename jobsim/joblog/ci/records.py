"""Exports of web services as records: JSON in every way that pages are put together, and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.tabular.pages import documents, unpacked

Record = Mapping[str, Any]

LISTS = ("workflow_runs", "jobs", "value")
"""Members of a page of an answer that hold its records."""

_KEY = re.compile(r'"([A-Za-z_]+)"\s*:')


def keys(head: bytes) -> frozenset[str]:
    """The names in the beginning of a JSON text (that may be cut off); none if it is no such."""
    text = head.decode(errors="replace").lstrip()
    return frozenset(_KEY.findall(text)) if text[:1] in ("{", "[") else frozenset()


def csv_names(head: bytes) -> frozenset[str]:
    """The names in the header of a CSV text."""
    first = head.decode(errors="replace").partition("\n")[0]
    return frozenset(name.strip(' "\r') for name in first.split(","))


def records(data: bytes, file: str) -> list[Record]:
    """The records of a file: of a list, of pages with a list in them, of lines; or of a CSV.

    Raises
    ------
    LogError
        The text is cut off or is neither JSON nor CSV; or a record is none.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        refuse(file, "this is not UTF-8 text", "the export as the service gave it")
    found = list(_of_json(text, file) if text.lstrip()[:1] in ("{", "[") else _of_csv(text, file))
    if not found:
        refuse(file, "there is no run in it", "an object, or a line of CSV, a run")
    return found


def pick(record: Record, path: str) -> Any:
    """The text or number at ``actor.login`` in a record; None where there is none."""
    value: Any = record.get(path)
    if value is None and "." in path:
        value = record
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
    return None if isinstance(value, (Mapping, list)) else value


def _of_json(text: str, file: str) -> Iterator[Record]:
    faults = FaultList(file)
    for place, each in enumerate(unpacked(documents(text, file), LISTS), start=1):
        if isinstance(each, dict):
            yield each
        else:
            faults.add(f"record {place} is {shown(str(each))}", "an object a run")
    faults.raise_if_any()


def _of_csv(text: str, file: str) -> Iterator[Record]:
    faults, reader = FaultList(file), csv.reader(io.StringIO(text), strict=True)
    try:
        names = [name.strip() for name in next(reader, [])]
        for row in reader:
            if len(row) == len(names):
                yield {name: cell.strip() or None for name, cell in zip(names, row, strict=True)}
            elif row:
                right = f"{len(names)} cells, as in the header"
                faults.add(f"{len(row)} cells", right, reader.line_num)
    except csv.Error as error:
        refuse(file, f"this is not CSV: {error}", "quotes in pairs", reader.line_num)
    faults.raise_if_any()
