"""What travels with the table in jobsim's own files: name, origin, zone, workers and notes."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from jobsim.joblog.faultlist import refuse
from jobsim.joblog.notes import Note
from jobsim.joblog.table import JobLog


def travelling(log: JobLog) -> str:
    """What travels with the table, as one line of JSON."""
    origin = None if log.origin is None else log.origin.isoformat()
    notes = [asdict(note) for note in log.notes]
    about = {"version": 1, "name": log.name, "origin": origin, "workers": log.workers}
    zone = {} if log.zone is None else {"zone": log.zone}
    return json.dumps({**about, **zone, "notes": notes})


def travelled(text: str, file: str) -> dict[str, Any]:
    """The arguments of a JobLog that `travelling` wrote; LogError if they are not right."""
    try:
        found = json.loads(text)
        if found["version"] != 1:
            refuse(file, f"a job log of version {found['version']}", "version 1", line=1)
        return {
            "name": str(found["name"]),
            "origin": None if found["origin"] is None else _instant(found["origin"]),
            "workers": None if found["workers"] is None else int(found["workers"]),
            "zone": None if found.get("zone") is None else ZoneInfo(found["zone"]).key,
            "notes": tuple(Note(str(n["reason"]), int(n["count"])) for n in found["notes"]),
        }
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, OSError) as error:
        wrong = f"what should say the log's name, origin and notes is damaged ({error!r})"
        refuse(file, wrong, "leave it as jobsim wrote it, or leave it out", line=1)


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return instant.astimezone(UTC)
