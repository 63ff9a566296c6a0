"""jobsim record run, the long way."""

from pathlib import Path

from jobsim.joblog import read_log
from tests.unit.cli.conftest import Jobsim


def test_a_command_is_recorded_and_its_status_is_the_exit_status(
    jobsim: Jobsim, tmp_path: Path
) -> None:
    assert jobsim("record", "run", "--append", "c.csv", "--", "sh", "-c", "exit 4").returncode == 4
    assert jobsim("record", "run", "--append", "c.csv", "true").returncode == 0
    assert list(read_log(tmp_path / "c.csv").jobs["outcome"]) == ["failed", "completed"]


def test_without_a_log_or_a_command_the_right_line_is_said(jobsim: Jobsim) -> None:
    for words in (["--", "true"], ["--append", "c.csv"], []):
        done = jobsim("record", "run", *words)
        assert done.returncode == 2
        assert "jobsim record run --append jobs.csv -- COMMAND" in done.stderr
