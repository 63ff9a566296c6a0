"""No public job log, where they are at hand, is taken for a schedule.

They are no part of the project. Their folder is looked for at $JOBSIM_JOBLOGS, or beside the
checkout at ``shared/joblogs``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jobsim.joblog.files import HEAD_BYTES, read_bytes
from jobsim.joblog.schedule import crontab, systemd, windows

FOLDER = Path(os.environ.get("JOBSIM_JOBLOGS") or Path(__file__).parents[5] / "shared" / "joblogs")


def test_no_public_log_is_taken_for_a_schedule():
    found = [path for path in sorted(FOLDER.rglob("*")) if path.is_file()]
    if not found:
        pytest.skip(f"no public logs in {FOLDER} (set JOBSIM_JOBLOGS)")
    for path in found:
        head = read_bytes(path, HEAD_BYTES)
        claimed = [reader.looks_like(head) for reader in (crontab, systemd, windows)]
        assert not any(claimed), path
