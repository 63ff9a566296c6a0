"""Transitions on disk, and the log that they make."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog import JobLog
from jobsim.record.snapshots import Transition
from jobsim.record.transitions import About, NothingSeenError, Writer, log_of

NOON_S = 1_796_040_000.0  # 2026-11-30 12:00 UTC
Seen = Callable[..., None]


def written(
    path: Path, *steps: tuple[float, str, str, str, dict[str, str]], every_s: float = 2.0,
    columns: dict[str, str] | None = None, zone: str | None = None,
) -> Path:  # fmt: skip
    """A file of these steps: seconds after noon, what, id, state, cells."""
    writer = Writer(path, About("jobs", "sqlite:///x", every_s, zone, columns or {}))
    for t_s, what, key, state, cells in steps:
        now_s = NOON_S + t_s
        writer.write(now_s, now_s - every_s, [Transition(what, state, {"id": key, **cells})])
    writer.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "w.transitions.csv"


def reasons(log: JobLog) -> str:
    return " | ".join(note.reason for note in log.notes)


def test_a_job_is_what_its_transitions_say(path: Path) -> None:
    written(
        path,
        (0, "submit", "1", "waiting", {"kind": "zip"}),
        (4, "submit", "2", "waiting", {}),
        (6, "claim", "1", "running", {"kind": "zip"}),
        (8, "release", "1", "waiting", {"kind": "zip"}),
        (12, "claim", "1", "running", {"kind": "zip"}),
        (20, "finish", "1", "failed", {"kind": "zip"}),
    )
    log = log_of(path)
    assert (log.name, str(log.origin)) == ("w", "2026-11-30 12:00:00+00:00")
    first, second = log.jobs.to_dict("records")
    assert (first["submit_s"], first["start_s"], first["run_s"]) == (0, 6, 8)
    assert (first["outcome"], first["attempts"], first["kind"]) == ("failed", 2, "zip")
    assert (second["submit_s"], second["outcome"]) == (4, "unknown")
    assert np.isnan([second["start_s"], second["run_s"], second["attempts"]]).all()
    assert "known to within 2 s" in reasons(log)
    assert "not over when the watch ended" in reasons(log)


def test_a_row_that_goes_ends_its_job_and_how_is_not_known(path: Path) -> None:
    written(
        path,
        (0, "submit", "1", "waiting", {}),
        (2, "claim", "1", "running", {}),
        (9, "vanish", "1", "running", {}),
        (9, "submit", "2", "waiting", {}),
        (11, "vanish", "2", "waiting", {}),
    )
    log = log_of(path)
    assert list(log.jobs["run_s"].fillna(-1)) == [7, -1]
    assert set(log.jobs["outcome"]) == {"unknown"}
    assert "vanished" in reasons(log)
    assert "nobody was seen to take it" in reasons(log)


def test_what_was_there_before_is_dropped_where_nothing_says_when_it_came(path: Path) -> None:
    written(
        path,
        (0, "found", "1", "waiting", {}),
        (2, "submit", "2", "waiting", {}),
        (4, "claim", "1", "running", {}),
    )
    log = log_of(path)
    assert list(log.jobs["job_id"]) == [2]
    assert "dropped: in the table before the watch began" in reasons(log)


TIMES = {"submit": "created_at", "start": "started_at", "end": "done_at"}


def at(clock: str) -> str:
    return f"2026-11-30 {clock}"


def test_the_tables_own_times_are_used_where_they_agree_with_the_looks(path: Path) -> None:
    submit = {"submit": at("12:00:00.200")}
    start = {**submit, "start": at("12:00:03.500")}
    written(
        path,
        (-2, "found", "0", "waiting", {"submit": at("11:59:00")}),
        (2, "submit", "1", "waiting", submit),
        (4, "claim", "1", "running", start),
        (8, "finish", "1", "completed", {**start, "end": at("12:00:06.700")}),
        columns=TIMES,
    )
    log = log_of(path)
    assert list(log.jobs["submit_s"]) == pytest.approx([0, 60.2])
    job = log.jobs.iloc[1]
    assert job["start_s"] - job["submit_s"] == pytest.approx(3.3)
    assert job["run_s"] == pytest.approx(3.2)
    assert "guessed: submit is the column 'created_at'" in reasons(log)


def test_times_of_another_zone_are_not_believed_until_the_zone_is_said(path: Path) -> None:
    steps = [
        (2.0 + n, "submit", str(n), "waiting", {"submit": at(f"13:00:0{n + 1}.5")})
        for n in range(3)
    ]
    assert "'created_at' does not agree" in reasons(log_of(written(path, *steps, columns=TIMES)))
    berlin = log_of(written(path, *steps, columns=TIMES, zone="Europe/Berlin"))
    assert "does not agree" not in reasons(berlin)
    assert berlin.origin is not None
    assert berlin.origin.timestamp() == NOON_S + 1.5


def test_a_job_that_was_over_at_the_next_look_has_the_start_that_its_row_shows(path: Path) -> None:
    cells = {"submit": at("12:00:01.0"), "start": at("12:00:01.2"), "end": at("12:00:01.9")}
    written(
        path,
        (2, "submit", "1", "completed", cells),
        (2, "finish", "1", "completed", cells),
        columns=TIMES,
    )
    (job,) = log_of(path).jobs.to_dict("records")
    assert job["start_s"] == pytest.approx(0.2)
    assert job["run_s"] == pytest.approx(0.7)


def test_whole_seconds_are_not_used_where_looks_come_more_often(path: Path) -> None:
    cells = {"submit": at("12:00:01")}
    written(
        path, (1.7, "submit", "1", "waiting", cells), (1.9, "submit", "2", "waiting", cells),
        columns=TIMES, every_s=0.2,
    )  # fmt: skip
    assert list(log_of(path).jobs["submit_s"]) == pytest.approx([0, 0.2], abs=1e-6)


def test_a_file_that_a_crash_cut_off_is_read_as_far_as_it_goes(path: Path) -> None:
    written(path, *((float(n), "submit", str(n), "waiting", {}) for n in range(5)))
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    assert len(log_of(path)) == 4


def test_a_watch_in_which_nothing_came_makes_no_log(path: Path) -> None:
    with pytest.raises(NothingSeenError, match="no row came"):
        log_of(written(path, (0, "found", "1", "waiting", {})))


def test_other_files_are_refused(path: Path) -> None:
    path.write_text("id,status\n1,done\n")
    with pytest.raises(LogError, match="not written by jobsim record table"):
        log_of(path)
    with pytest.raises(UsageError, match="cannot be written"):
        Writer(path.parent / "none" / "x", About("jobs", "", 1.0))


DUE = {"submit": "created_at", "due": "run_at"}


def test_a_job_is_submitted_when_it_falls_due_and_waits_from_then_on(path: Path) -> None:
    written(
        path,
        (0, "submit", "1", "waiting", {"submit": at("12:00:00"), "due": at("12:00:00")}),
        (2, "claim", "1", "running", {}),
        (4, "submit", "2", "waiting", {"submit": at("12:00:04"), "due": at("12:10:00")}),
        (604, "claim", "2", "running", {}),
        columns=DUE,
    )
    log = log_of(path)
    waits_s = log.jobs["start_s"] - log.jobs["submit_s"]
    assert list(waits_s) == pytest.approx([2, 4])
    assert [note.count for note in log.notes if "due is the column" in note.reason] == [1]


def test_a_retry_does_not_move_when_its_job_fell_due(path: Path) -> None:
    first, again = {"due": at("12:01:00")}, {"due": at("12:30:00")}
    written(
        path,
        (0, "submit", "1", "waiting", first),
        (62, "claim", "1", "running", first),
        (64, "release", "1", "waiting", again),
        (1802, "claim", "1", "running", again),
        columns=DUE,
    )
    log = log_of(path)
    assert log.origin is not None
    assert log.origin.timestamp() == NOON_S + 60
    assert log.jobs["attempts"].tolist() == [2]


def test_what_was_there_before_is_kept_where_it_says_when_it_falls_due(path: Path) -> None:
    written(path, (0, "found", "1", "waiting", {"due": at("12:05:00")}), columns=DUE)
    assert len(log_of(path, until_s=NOON_S + 3600)) == 1


def test_what_is_not_due_yet_or_was_withdrawn_before_is_no_job(path: Path) -> None:
    later = {"due": at("13:00:00")}
    written(
        path,
        (0, "submit", "1", "waiting", {}),
        (2, "submit", "2", "waiting", later),
        (2, "submit", "3", "waiting", later),
        (9, "vanish", "3", "waiting", later),
        columns=DUE,
    )
    log = log_of(path, until_s=NOON_S + 60)
    assert log.jobs["job_id"].tolist() == [1]
    assert "dropped: not due yet when the watch ended" in reasons(log)
    assert "dropped: gone before it was due" in reasons(log)
    assert log_of(path, until_s=NOON_S + 7200).jobs["job_id"].tolist() == [1, 2]


def test_a_column_after_which_rows_are_taken_before_is_not_when_they_fall_due(path: Path) -> None:
    steps = [
        step
        for n in range(3)
        for step in (
            (2.0 * n, "submit", str(n), "waiting", {"due": at("13:00:00")}),
            (2.0 * n + 1, "claim", str(n), "running", {"due": at("13:00:00")}),
        )
    ]
    log = log_of(written(path, *steps, columns=DUE))
    assert "'run_at' is after its rows were taken" in reasons(log)
    assert log.jobs["submit_s"].tolist() == [0, 2, 4]
