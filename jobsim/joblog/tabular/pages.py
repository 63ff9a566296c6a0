"""JSON as web services give it: one document or several, and pages with the records in a list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jobsim.joblog.faultlist import refuse
from jobsim.joblog.reading import INSTANTS
from jobsim.joblog.tabular.names import rank

_BLANK = re.compile(r"\s*")


def documents(text: str, file: str) -> Iterator[Any]:
    """One document, or several one after another, as lines or as pages.

    Raises
    ------
    LogError
        The text is cut off, or no JSON.
    """
    decode, at = json.JSONDecoder().raw_decode, _past_blanks(text, 0)
    while at < len(text):
        try:
            document, end = decode(text, at)
        except json.JSONDecodeError as error:
            refuse(file, f"this is not JSON: {error.msg}", "the whole export", error.lineno)
        except (ValueError, RecursionError) as error:
            refuse(file, f"this is not JSON that can be read: {error}", "the export as it came")
        yield document
        at = _past_blanks(text, end)


def unpacked(documents: Iterable[Any], names: Sequence[str] = (), depth: int = 2) -> Iterator[Any]:
    """The records of documents that are records, lists of them, or pages; or lists of pages.

    Parameters
    ----------
    names
        Members of a page that hold its records, if they are known.
    """
    for each in documents:
        page = _page(each, names) if isinstance(each, dict) else each
        if isinstance(page, list) and depth:
            yield from unpacked(page, names, depth - 1)
        else:
            yield each


def _page(document: Mapping[str, Any], names: Sequence[str]) -> list[Any] | None:
    """The records in a page, which has them in a list or by their names; None of a record."""
    lists = {name: value for name, value in document.items() if isinstance(value, list)}
    for name in names:
        if name in lists:
            return lists[name]
    if _has_times(document):
        return None
    values = list(document.values())
    if values and all(isinstance(value, dict) and _has_times(value) for value in values):
        return values
    of_objects = [value for value in lists.values() if value and isinstance(value[0], dict)]
    likely = [value for value in of_objects if _has_times(value[0])] or of_objects
    return likely[0] if len(likely) == 1 else None


def _has_times(record: Mapping[str, Any]) -> bool:
    return any(_is_time(name) for name in record)


@cache
def _is_time(name: str) -> bool:
    return any(rank(target, name) is not None for target in INSTANTS)


def _past_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
