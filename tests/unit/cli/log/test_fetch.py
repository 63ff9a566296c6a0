"""jobsim log fetch."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer

from jobsim.cli.guard import guarded
from jobsim.cli.log import fetch
from jobsim.joblog import read_log
from jobsim.joblog.archive import LOGS, find
from tests.unit.cli.conftest import Done, Jobsim
from tests.unit.joblog.server import Archive, gives, packed_log, served

LOG = find("kth-sp2")
BODY = packed_log()
Fetch = Callable[..., Done]


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Archive]:
    with served() as archive:
        monkeypatch.setenv("JOBSIM_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("JOBSIM_ARCHIVE_URL", raising=False)
        archive.answers[f"/{LOG.folder}/{LOG.file}"] = gives(BODY)
        yield archive


@pytest.fixture
def run(
    jobsim: Jobsim, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fetch:
    """The command as the console script runs it."""
    app = typer.Typer()
    app.command()(fetch.fetch)

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["fetch", *arguments])
        return Done(guarded(app), *capsys.readouterr())

    return run


def test_the_path_is_the_result_and_the_rest_is_said_beside(run: Fetch, archive: Archive) -> None:
    done = run("kth-sp2", "--from", archive.url)
    assert done.returncode == 0
    path = Path(done.stdout.strip())
    assert len(read_log(path)) == 3
    assert "no SHA-256 of it was known: what came is trusted" in done.stderr
    assert f"go on with: jobsim log describe {path}" in done.stderr
    assert f"whom to acknowledge: {path.with_name(f'{LOG.stem}.txt')}" in done.stderr


def test_the_second_time_it_is_in_the_cache(run: Fetch, archive: Archive) -> None:
    first, second = (run("kth-sp2", "--from", archive.url) for _ in range(2))
    assert first.stdout == second.stdout
    assert "is in the cache" in second.stderr
    assert "the one kept when it was first fetched" in second.stderr
    assert len(archive.asked) == 1


def test_a_mirror_can_be_said_by_the_environment(
    run: Fetch, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOBSIM_ARCHIVE_URL", archive.url)
    assert run("kth-sp2").returncode == 0


def test_a_program_gets_json(run: Fetch, archive: Archive) -> None:
    done = run("kth-sp2", "--from", archive.url, "--json")
    said = json.loads(done.stdout)
    assert (said["name"], said["known_by"], said["downloaded"]) == ("kth-sp2", "nobody", True)
    assert Path(said["path"]).is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["kth-sp2", "--sha256", "0" * 64], "its SHA-256 is"),
        (["ricc"], "the server says 404 Not Found"),
        (["kth-sp"], "did you mean kth-sp2"),
        (["kth-sp2", "--sha256", "12"], "64 digits"),
        (["kth-sp2", "--timeout", "0s"], "above 0"),
        (["kth-sp2", "--timeout", "soon"], "is not a duration"),
        (["kth-sp2", "--from", "nowhere"], "no address of the web"),
        ([], "which log? jobsim log fetch --list has all"),
    ],
)
def test_what_goes_wrong_is_one_line_and_status_2(
    run: Fetch, archive: Archive, arguments: list[str], said: str
) -> None:
    done = run("--from", archive.url, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_no_network_is_one_line(run: Fetch, archive: Archive) -> None:
    done = run("kth-sp2", "--from", "http://archive.invalid")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "archive.invalid: its name is not known here (no network?)" in done.stderr


def test_the_logs_are_listed_with_those_that_are_cached_marked(
    run: Fetch, archive: Archive
) -> None:
    run("kth-sp2", "--from", archive.url)
    lines = run("--list").stdout.splitlines()
    assert len(lines) == len(LOGS)
    assert [line.split()[0] for line in lines if line.endswith("cached")] == ["kth-sp2"]
    rows = json.loads(run("--list", "--json").stdout)
    assert [row["name"] for row in rows if row["cached"]] == ["kth-sp2"]
    assert {row["name"]: row["jobs"] for row in rows}["kth-sp2"] == 28_476
