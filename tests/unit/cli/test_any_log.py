"""A log of any format is played as it is described, or refused for the same reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobsim.joblog.readers import by_name
from tests.unit.cli.conftest import Done, Jobsim
from tests.unit.joblog.test_all_readers import SAMPLES

PERIOD = ("--from", "2026-01-01", "--for", "1d")
PLAYING = (("simulate",), ("compare", "--queue", "skip-locked"), ("live",))


def reason(done: Done) -> str:
    """The refusal, and nothing else."""
    return "\n".join(line for line in done.stderr.splitlines() if line.startswith("jobsim: "))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_log_of_each_format_is_played_as_it_comes_or_refused_before_anything_starts(
    jobsim: Jobsim, tmp_path: Path, name: str
) -> None:
    (tmp_path / "a").write_bytes(SAMPLES[name])
    log = ("a", "--format", name, *(PERIOD if "span_s" in by_name(name).takes else ()))
    described = jobsim("log", "describe", *log)
    if described.returncode == 2:
        for command in PLAYING:
            refused = jobsim(*command, *log)
            assert (refused.returncode, refused.stdout) == (2, "")
            assert reason(refused) == reason(described)
            assert "jobsim record" in reason(refused)
    elif "--assume-run 30s" in described.stdout:
        for command in PLAYING:
            refused = jobsim(*command, *log)
            assert (refused.returncode, refused.stdout) == (2, "")
            assert "--assume-run 30s" in reason(refused)
        assert jobsim("simulate", *log, "--assume-run", "30s").returncode == 0
    else:
        played = jobsim("simulate", *log)
        assert (described.returncode, played.returncode) == (0, 0), played.stderr
