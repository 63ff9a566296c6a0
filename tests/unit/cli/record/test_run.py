"""jobsim record run, the long way."""

from pathlib import Path

import pytest

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


@pytest.mark.live
def test_a_list_of_commands_is_run_and_recorded(jobsim: Jobsim, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("true\nexit 3\n")
    done = jobsim("record", "run", "--file", "list.txt", "--processes", "2", "-o", "out.csv")
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 completed, 1 failed, 0 not over; written to out.csv" in done.stderr
    assert sorted(read_log(tmp_path / "out.csv").jobs["outcome"]) == ["completed", "failed"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--file none.txt -o out.csv", "no such file"),
        ("--file list.txt", "say where the log goes"),
        ("--file list.txt -o out.txt", "a job log is written as"),
        ("--file list.txt --append c.csv", "either --append or --file"),
        ("--file list.txt -o out.csv -- true", "takes its commands from the file"),
    ],
)
def test_a_list_that_cannot_be_recorded_is_refused_before_anything_runs(
    jobsim: Jobsim, tmp_path: Path, words: str, said: str
) -> None:
    (tmp_path / "list.txt").write_text("touch ran\n")
    done = jobsim("record", "run", *words.split())
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "ran").exists()
