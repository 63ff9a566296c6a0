"""JSON lines, a JSON list, or pages with such a list in them: an object a job."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.frame import from_frame
from jobsim.joblog.tabular.pages import documents, unpacked

DEPTH = 2
"""Objects within objects become columns such as ``actor.login``, so many levels down."""


_OBJECT = re.compile(r"\s*\{\s*\"")


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is JSON: an object, several, or a list of them."""
    text = head.decode(errors="replace").lstrip()
    return _OBJECT.match(text.removeprefix("[")) is not None


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read JSON lines, a list of objects, or pages of a service with such a list in each.

    Plain or gzip; nested objects become columns.

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
    found, lines = _documents(text, file)
    objects = _objects(found, file)
    if not objects:
        refuse(file, "there is no job in it", "one object a job")
    frame = pd.json_normalize(objects, max_level=DEPTH)
    nested = frame.map(lambda cell: isinstance(cell, (list, dict))).any()
    frame = frame.loc[:, ~nested]
    line_of = lines.__getitem__ if len(lines) == len(objects) else None
    return from_frame(frame, reading, name=log_name(path), source=file, line_of=line_of)


def _documents(text: str, file: str) -> tuple[list[Any], list[int]]:
    """The documents of a text, and the line of each where each has one."""
    if isinstance(_parsed(text.lstrip().partition("\n")[0]), dict):
        return _lines(text, file)
    return list(documents(text, file)), []


def _objects(found: list[Any], file: str) -> list[dict[str, Any]]:
    faults, objects = FaultList(file), list(unpacked(found))
    for place, each in enumerate(objects, start=1):
        if not isinstance(each, dict):
            faults.add(f"element {place} is {shown(json.dumps(each))}", "an object a job")
    faults.raise_if_any()
    return objects


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


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
