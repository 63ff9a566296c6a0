"""The file that crons add their lines to."""

from __future__ import annotations

import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobsim.joblog import read_log
from jobsim.record import append as module
from jobsim.record.append import COLUMNS, CannotAppendError, append

CELLS = {
    "job_id": "a", "kind": "zip", "submit_s": "1000.5", "start_s": "1001", "run_s": "2.5",
    "outcome": "completed", "owner": "me", "memory_mb": "8.0", "attempts": "1",
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cron.csv"


def add(file: Path, name: str, **cells: str) -> str:
    return append(str(file), {**CELLS, "job_id": name, **cells})


def ids(file: Path) -> list[str]:
    return [str(cell) for cell in read_log(file).jobs["job_id"]]


def test_what_is_added_reads_back_with_its_instants(file: Path) -> None:
    assert add(file, "a") == ""
    assert add(file, "b", start_s="", memory_mb="") == ""
    log = read_log(file)
    assert log.name == "cron"
    first, second = log.jobs.to_dict("records")
    assert log.origin is not None
    submit_s = log.origin.timestamp() + first["submit_s"]
    assert datetime.fromtimestamp(submit_s, UTC).isoformat() == "1970-01-01T00:16:40.500000+00:00"
    assert first["start_s"] - first["submit_s"] == 0.5
    assert (first["run_s"], first["outcome"], first["owner"]) == (2.5, "completed", "me")
    assert second["start_s"] != second["start_s"]


def test_names_that_csv_or_the_reader_would_stumble_over_are_made_harmless(file: Path) -> None:
    add(file, "a", kind='say "hi", you', owner="  two\nlines\udcff ")
    (job,) = read_log(file).jobs.to_dict("records")
    assert (job["kind"], job["owner"]) == ('say "hi", you', "two?lines?")


def test_a_last_line_that_was_cut_off_is_dropped_and_said(file: Path) -> None:
    add(file, "a")
    add(file, "b")
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    assert "cut off" in add(file, "c")
    assert ids(file) == ["a", "c"]


def test_a_last_line_that_only_lacks_its_end_is_kept(file: Path) -> None:
    add(file, "a")
    file.write_bytes(file.read_bytes()[:-1])
    assert "had no end" in add(file, "b")
    assert ids(file) == ["a", "b"]


@pytest.mark.parametrize("length", [1, 10, 60, 150])
def test_a_file_that_was_cut_off_in_its_first_lines_is_begun_anew(file: Path, length: int) -> None:
    add(file, "a")
    file.write_bytes(file.read_bytes()[:length])
    assert "cut off" in add(file, "b")
    assert ids(file) == ["b"]


def test_cut_off_anywhere_it_is_mended_or_as_it_was(file: Path) -> None:
    add(file, "a")
    add(file, "b")
    whole = file.read_bytes()
    for length in range(0, len(whole), 11):
        file.write_bytes(whole[:length])
        add(file, "c")
        assert ids(file)[-1] == "c"


@pytest.mark.parametrize(
    "text", ["hello\n", "job_id,run_s\n1,2\n", "\n", "# jobsim job log {}\na\n"]
)
def test_a_file_of_others_is_refused_and_not_touched(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(CannotAppendError, match="was not begun by"):
        add(file, "a")
    assert file.read_text() == text


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotAppendError, match="No such file or directory"):
        add(tmp_path / "none" / "cron.csv", "a")
    with pytest.raises(CannotAppendError, match="Is a directory"):
        add(tmp_path, "a")


def test_a_full_disk_leaves_the_file_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(file, "a")
    whole, write = file.read_bytes(), os.write
    monkeypatch.setattr(os, "write", lambda to, data: write(to, data[:30]))
    with pytest.raises(CannotAppendError, match="no room"):
        add(file, "b")
    assert file.read_bytes() == whole


def test_a_lock_that_is_not_given_back_is_not_waited_for_long(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOCK_S", 0.05)
    add(file, "a")
    with file.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(CannotAppendError, match="locked"):
            add(file, "b")
    assert add(file, "c") == ""
    assert ids(file) == ["a", "c"]


def test_lines_of_many_that_add_at_once_are_all_there_and_whole(file: Path) -> None:
    """Each opens the file for itself: to the lock, threads are as processes are."""

    def add_many(who: int) -> None:
        for n in range(50):
            add(file, f"{who}-{n}", kind="k" * (n * 7))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_many, range(4)))
    assert len(set(ids(file))) == 200
    assert file.read_text().count(",".join(COLUMNS)) == 1
