"""JSON lines, or one JSON list: an object a job."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.frame import from_frame

DEPTH = 2
"""Objects within objects become columns such as ``actor.login``, so many levels down."""


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is JSON lines, or a list of objects."""
    text = head.decode(errors="replace").lstrip()
    if text.startswith("["):
        return text[1:].lstrip().startswith("{")
    first, _, rest = text.partition("\n")
    return isinstance(_parsed(first), dict) and (not rest.strip() or rest.lstrip().startswith("{"))


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read JSON lines or a list of objects, plain or gzip; nested objects become columns.

    Raises
    ------
    LogError, UsageError
        A line that is no object, each with its line; see also `from_frame`.
    """
    file = str(path)
    try:
        text = read_text_bytes(path).decode()
    except UnicodeDecodeError:
        refuse(file, "this is not UTF-8 text", "save the file as UTF-8")
    objects, lines = _list(text, file) if text.lstrip().startswith("[") else _lines(text, file)
    if not objects:
        refuse(file, "there is no job in it", "one object a job")
    frame = pd.json_normalize(objects, max_level=DEPTH)
    nested = frame.map(lambda cell: isinstance(cell, (list, dict))).any()
    frame = frame.loc[:, ~nested]
    line_of = lines.__getitem__ if lines else None
    return from_frame(frame, reading, name=log_name(path), source=file, line_of=line_of)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _list(text: str, file: str) -> tuple[list[dict[str, Any]], list[int]]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        refuse(file, f"this is not JSON: {error.msg}", "a whole list of objects", error.lineno)
    except (ValueError, RecursionError) as error:
        refuse(file, f"this is not JSON that can be read: {error}", "a list of objects")
    faults = FaultList(file)
    for place, each in enumerate(found, start=1):
        if not isinstance(each, dict):
            faults.add(f"element {place} is {shown(json.dumps(each))}", "an object a job")
    faults.raise_if_any()
    return found, []


def _lines(text: str, file: str) -> tuple[list[dict[str, Any]], list[int]]:
    faults, objects, lines = FaultList(file), [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            found = _parsed(line)
            if isinstance(found, dict):
                objects.append(found)
                lines.append(number)
            else:
                faults.add(f"{shown(line.strip())} is no JSON object", "an object a line", number)
    faults.raise_if_any()
    return objects, lines
