"""jobsim log anonymise."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from jobsim.cli.guard import guarded
from jobsim.cli.log import anonymise
from jobsim.joblog import read_log
from tests.unit.cli.conftest import Done, Jobsim

CSV = """job_id,kind,owner,submit_s,run_s
Invoice-17,Invoice,Ann,0,1
Invoice-18,Invoice,Ben,5,2
Letter-1,Letter,Ann,6,3
"""
Anonymise = Callable[..., Done]


@pytest.fixture
def run(
    jobsim: Jobsim,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> Anonymise:
    """The command as the console script runs it, beside a log with names."""
    app = typer.Typer()
    app.command()(anonymise.anonymise)
    (tmp_path / "log.csv").write_text(CSV)

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["anonymise", *arguments])
        return Done(guarded(app), *capsys.readouterr())

    return run


def test_the_names_are_gone_and_it_is_said_what_stays(run: Anonymise) -> None:
    done = run("log.csv", "-o", "out.csv")
    assert (done.returncode, done.stdout) == (0, "")
    assert "3 jobs written to out.csv: 2 owners, 2 kinds, 3 job ids replaced" in done.stderr
    assert "what stays: times" in done.stderr
    text = Path("out.csv").read_text()
    assert not any(name in text for name in ("Invoice", "Letter", "Ann", "Ben", "log.csv"))
    assert read_log("out.csv").jobs["run_s"].tolist() == [1, 2, 3]


def test_names_that_may_stay_stay(run: Anonymise) -> None:
    done = run("log.csv", "-o", "out.csv", "--keep", "kind", "--keep", "job_id")
    assert "2 owners replaced" in done.stderr
    jobs = read_log("out.csv").jobs
    assert jobs["kind"].tolist() == ["Invoice", "Invoice", "Letter"]
    assert jobs["job_id"].tolist() == ["Invoice-17", "Invoice-18", "Letter-1"]


def test_a_key_file_is_made_and_gives_the_same_names_again(run: Anonymise) -> None:
    for out in ("one.csv", "two.parquet"):
        assert run("log.csv", "-o", out, "--key", "key").returncode == 0
    one, two = (read_log(out).jobs["owner"].tolist() for out in ("one.csv", "two.parquet"))
    assert one == two
    assert Path("key").stat().st_mode & 0o077 == 0


def test_a_log_without_names_says_so(run: Anonymise) -> None:
    done = run("mmc:arrival=3,service=1,servers=4,jobs=5", "-o", "out.csv", "--keep", "kind")
    assert "there was no name to replace" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "out.csv", "--keep", "owners"], "--keep owners: did you mean owner?"),
        (["-o", "out.txt"], "a job log is written as"),
        (["-o", "out.csv", "--key", "no/key"], "--key no/key"),
        (["-o", "out.csv", "--key", "log.csv"], "there is no key in it"),
    ],
)
def test_what_goes_wrong_is_one_line_and_status_2(
    run: Anonymise, arguments: list[str], said: str
) -> None:
    done = run("log.csv", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not Path("out.csv").exists()
