"""What a process leaves on disk as it goes."""

import os
import signal
from pathlib import Path

from jobsim.effects import Attempt
from jobsim.live.journal import Journal, JournalReader


def test_records_are_read_as_soon_as_they_are_written_and_once(tmp_path: Path) -> None:
    reader = JournalReader(tmp_path / "worker-0")
    assert reader.more() == []
    journal = Journal(tmp_path / "worker-0")
    journal.started(0.5, Attempt(7, 1))
    assert reader.more() == [["started", 0.5, [7, 1]]]
    journal.ended(0.75, Attempt(7, 1), "completed")
    journal.event(1.0, "died", "work", 7, 1)
    assert reader.more() == [
        ["ended", 0.75, [7, 1], "completed"],
        ["event", 1.0, "died", "work", 7, 1, None],
    ]
    assert reader.more() == []


def test_all_of_it_can_be_read_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.submitted(0.0, [1, 2])
    reader = JournalReader(tmp_path / "j")
    assert reader.more() == list(reader.all()) == [["submitted", 0.0, [1, 2]]]


def test_a_process_that_was_killed_has_left_every_record(tmp_path: Path) -> None:
    pid = os.fork()
    if not pid:
        journal = Journal(tmp_path / "j")
        for number in range(100):
            journal.started(float(number), Attempt(number, 1))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    reader = JournalReader(tmp_path / "j")
    assert [record[1] for record in reader.more()] == list(range(100))
    reader.close()
    assert not reader.torn


def test_a_torn_last_line_is_dropped_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "j"
    Journal(path).empty(1.0, 0.5)
    with path.open("ab") as file:
        file.write(b'["claimed",2.0,1.')
    reader = JournalReader(path)
    assert reader.more() == [["empty", 1.0, 0.5]]
    assert not reader.torn
    reader.close()
    assert reader.torn
    assert list(reader.all()) == [["empty", 1.0, 0.5]]


def test_a_line_that_is_torn_for_a_moment_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b'["empty",1.')
    reader = JournalReader(path)
    assert reader.more() == []
    with path.open("ab") as file:
        file.write(b"0,0.5]\n")
    assert reader.more() == [["empty", 1.0, 0.5]]
    reader.close()
    assert not reader.torn


def test_a_process_that_never_wrote_has_an_empty_journal(tmp_path: Path) -> None:
    reader = JournalReader(tmp_path / "nothing")
    reader.close()
    assert list(reader.all()) == []
    assert not reader.torn
