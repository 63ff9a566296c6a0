"""The objects in JSON of any kind: one value or several, objects within lists and objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_JSON = re.compile(r'\s*(?:\[\s*[\[{]|\{\s*")')
_BETWEEN = re.compile(r"[\s,]*")


def is_json(text: str) -> bool:
    """Whether a text that begins like this is JSON, if it holds objects."""
    return _JSON.match(text) is not None


def json_objects(text: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Every object in a JSON text of one value or several, with the line of its value.

    Raises
    ------
    ValueError
        It is no JSON.
    """
    for value, line in _json_values(text):
        waiting = [value]
        while waiting:
            each = waiting.pop()
            if isinstance(each, dict):
                yield each, line
                each = [*each.values()]
            if isinstance(each, list):
                waiting += reversed(each)


def _json_values(text: str) -> Iterator[tuple[Any, int]]:
    decoder, line, counted = json.JSONDecoder(), 1, 0
    at = _end_of(_BETWEEN, text, 0)
    while at < len(text):
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {error.lineno} is not JSON: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"this is not JSON that can be read: {error}") from None
        yield value, line
        at = _end_of(_BETWEEN, text, end)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
