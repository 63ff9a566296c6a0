"""Every error is a line on stderr and an exit status; a traceback only where it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from jobsim.cli.guard import INTERRUPTED, Guard
from jobsim.errors import DatabaseError, JobsimError, UsageError
from tests.unit.cli.conftest import SMALL, Jobsim


def raising(error: BaseException) -> Any:
    def command(**_: Any) -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (UsageError("no such thing"), 2, "jobsim: no such thing"),
        (DatabaseError("not there"), 3, "jobsim: not there"),
        (typer.BadParameter("too many"), 2, "too many"),
        (KeyboardInterrupt(), INTERRUPTED, "interrupted"),
        (typer.Abort(), INTERRUPTED, "interrupted"),
        (ZeroDivisionError("oh"), 1, "unexpected ZeroDivisionError: oh"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_what_is_raised_becomes_a_line_and_a_status(
    error: BaseException, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Guard()(raising(error)) == status
    out, err = capsys.readouterr()
    assert said in err
    assert out == ""


def test_with_debug_the_error_comes_out_as_it_is() -> None:
    guard = Guard()
    guard.debug = True
    with pytest.raises(UsageError):
        guard(raising(UsageError("no such thing")))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["simulate"], "Missing argument"),
        (["simulate", SMALL, "--wrokers", "4"], "--workers"),
        (["simulate", SMALL, "--workers", "four"], "integer"),
        (["simulate", SMALL, "--queue", "skip-lock"], "did you mean skip-locked"),
        (["simulate", SMALL, "--set", "queue.bacth=1"], "did you mean queue.batch"),
        (
            ["simulate", SMALL, "--set", "visibility_timeout=30"],
            "here it is called queue.reclaim_s",
        ),
        (["simulate", SMALL, "--fault", "kind=kil,at=work"], "did you mean kill"),
        (["simulate", SMALL, "--fault", "kind=kill,at=wrk"], "did you mean work"),
        (["simulate", SMALL, "--fail-if", "stuck"], "stuck.max_s > 60"),
        (["simulate", SMALL, "--window", "2h"], "write FROM..TO"),
        (["compare", SMALL, "--queue", "a", "--queue", "b", "--lease", "c", "--lease", "d"], "one"),
        (["run", "absent.toml"], "no scenario file absent.toml"),
        (["run", "."], "no scenario file .: Is a directory"),
        (["simulate", SMALL, "-o", "/dev/null/out"], "-o /dev/null/out: cannot be written"),
        (["explain", "skiplocked"], "did you mean skip-locked"),
    ],
    ids=lambda value: " ".join(value[:1] + value[-1:]) if isinstance(value, list) else "",
)
def test_wrong_use_exits_with_2_and_says_what_would_be_right(
    arguments: list[str], told: str, jobsim: Jobsim
) -> None:
    done = jobsim(*arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_bad_log_is_answered_with_every_fault_by_file_and_line(
    jobsim: Jobsim, tmp_path: Path
) -> None:
    (tmp_path / "bad.csv").write_text("submit_s,run_s\n0,1\nx,2\n3,-1\n")
    done = jobsim("simulate", "bad.csv")
    assert done.returncode == 2
    assert "bad.csv:3: column submit_s: 'x' is not a number; seconds since" in done.stderr
    assert "bad.csv:4: column run_s: '-1.0' is below 0; seconds, 0 or more" in done.stderr
    assert done.stdout == ""


def test_a_database_that_cannot_be_reached_exits_with_3_and_keeps_the_password(
    jobsim: Jobsim,
) -> None:
    url = "mariadb://app:geheim@127.0.0.1:1/x"
    done = jobsim("live", SMALL, "--database", url, "--scratch")
    assert done.returncode == 3
    assert "cannot be reached" in done.stderr
    assert "geheim" not in done.stderr + done.stdout


def test_a_traceback_is_shown_only_with_debug(jobsim: Jobsim) -> None:
    assert jobsim("simulate", "absent.csv").returncode == 2
    with pytest.raises(JobsimError):
        jobsim("--debug", "simulate", "absent.csv")


def test_the_command_line_imports_no_heavy_library_before_a_command_needs_it() -> None:
    heavy = "{'pandas', 'sqlalchemy', 'matplotlib', 'scipy', 'pyarrow', 'pandera', 'simpy'}"
    program = f"import sys, jobsim.cli; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
