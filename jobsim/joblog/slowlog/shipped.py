"""Slow logs in the JSON of what ships logs: CloudWatch, Docker, Filebeat and their like.

The text of the log is in strings called ``message``, ``@message``, ``log`` or ``textPayload``, of
an entry each or of a line each.
"""

from __future__ import annotations

import re

from jobsim.joblog.json_objects import is_json, json_objects

_NAMES = ("message", "@message", "log", "textPayload")
_OF_SLOW_LOG = re.compile(
    rf'"(?:{"|".join(_NAMES)})"\s*:\s*"(?:\\n)*# (?:Time: |User@Host: |Query_time: )'
)


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this has a slow log in its strings."""
    text = head.decode("utf-8", "replace")
    return is_json(text) and _OF_SLOW_LOG.search(text) is not None


def unpacked(text: str) -> str:
    """The slow log in a JSON text.

    Raises
    ------
    ValueError
        It is no JSON.
    """
    messages = [
        message
        for found, _ in json_objects(text)
        for name, message in found.items()
        if name in _NAMES and isinstance(message, str)
    ]
    return "".join(message if message.endswith("\n") else f"{message}\n" for message in messages)
