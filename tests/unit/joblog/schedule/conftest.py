"""Schedules played out, and their firings as a clock on the wall shows them."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from jobsim.joblog.reading import Reading


@pytest.fixture
def play(tmp_path):
    """Plays a schedule out: some days from a begin on, by the clock of a zone."""

    def played(read, content, *, begin="2026-01-05", days=1.0, zone="UTC", name="schedule", **said):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        reading = Reading(
            begin=datetime.fromisoformat(begin), span_s=days * 86400, zone=zone, **said
        )
        return read(path, reading)

    return played


@pytest.fixture
def shown():
    """The firings of a plan as the clock of a zone shows them, as 05 02:30:00+0100."""

    def texts(log, zone="UTC", form="%d %H:%M"):
        instants = [log.origin + timedelta(seconds=s) for s in log.jobs["submit_s"]]
        return [f"{instant.astimezone(ZoneInfo(zone)):{form}}" for instant in instants]

    return texts


@pytest.fixture
def counts():
    """The number of firings that each reason for a note counts, where it holds a text."""

    def found(log, text):
        return [note.count for note in log.notes if text in note.reason]

    return found
