"""Lines of the systemd journal as ``journalctl -o json`` prints them."""

from __future__ import annotations

import json
import re
from typing import Any

from jobsim.joblog.cronlog.syslog import Line, Stamp, program_name

MICROS = re.compile(r"\d{12,16}")


def parse_json(text: str) -> Line | None:
    """The line, or None if it is none of a journal.

    Raises
    ------
    ValueError
        It is no JSON.
    """
    try:
        entry = json.loads(text)
    except RecursionError:
        return None
    if not isinstance(entry, dict) or not MICROS.fullmatch(_text(entry, "__REALTIME_TIMESTAMP")):
        return None
    pid = _text(entry, "SYSLOG_PID") or _text(entry, "_PID")
    return Line(
        Stamp("utc", int(_text(entry, "__REALTIME_TIMESTAMP")) / 1e6),
        host=_text(entry, "_HOSTNAME"),
        program=program_name(_text(entry, "SYSLOG_IDENTIFIER") or _text(entry, "_COMM")),
        pid=int(pid) if re.fullmatch(r"\d{1,10}", pid) else -1,
        message=_text(entry, "MESSAGE").rstrip(),
    )


def _text(entry: dict[str, Any], name: str) -> str:
    """A field as text; the journal writes what is no UTF-8 as a list of bytes."""
    value = entry.get(name)
    if isinstance(value, list) and all(isinstance(byte, int) and 0 <= byte < 256 for byte in value):
        return bytes(value).decode(errors="replace")
    return value if isinstance(value, str) else ""
