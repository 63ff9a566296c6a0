"""Journals, replayed into the record that both drivers make."""

from math import isnan

import pytest

from jobsim.live.journal import Record
from jobsim.live.replay import Replay, in_order


def replay(*journals: tuple[int, list[Record]]) -> Replay:
    made = Replay()
    made.all(journals)
    return made


def test_records_of_several_processes_are_taken_in_order_of_time() -> None:
    first: list[Record] = [["empty", 1.0, 0.9], ["empty", 3.0, 2.9]]
    second: list[Record] = [["empty", 2.0, 1.9]]
    taken = [(worker, record[1]) for worker, record in in_order([(0, first), (1, second)])]
    assert taken == [(0, 1.0), (1, 2.0), (0, 3.0)]


def test_a_job_goes_through_its_stages() -> None:
    made = replay(
        (-1, [["submitted", 0.1, [1, 2]]]),
        (
            3,
            [
                ["claimed", 0.5, 0.2, [[1, 1]]],
                ["started", 0.6, [1, 1]],
                ["ended", 0.9, [1, 1], "failed"],
                ["finished", 1.0, [[1, 1]], "failed"],
            ],
        ),
    )
    attempts, events, _ = made.recorder.frames()
    (row,) = attempts.to_dict("records")
    assert row == {
        "job": 1, "number": 1, "worker": 3, "claiming_s": 0.2, "claimed_s": 0.5, "started_s": 0.6,
        "ended_s": 0.9, "finished_s": 1.0, "outcome": "failed",
    }  # fmt: skip
    assert list(made.recorder.submitted) == [0.1, 0.1]
    assert events.empty


def test_what_a_dead_worker_held_died_with_it() -> None:
    made = replay(
        (
            0,
            [
                ["claimed", 0.5, 0.2, [[1, 1], [2, 1]]],
                ["started", 0.6, [1, 1]],
                ["event", 0.7, "died", "work", 1, 1, None],
            ],
        )
    )
    attempts, events, _ = made.recorder.frames()
    assert list(attempts["outcome"]) == ["died", "died"]
    assert list(attempts["started_s"].isna()) == [False, True]
    assert list(events["kind"]) == ["died"]


def test_a_death_that_was_only_seen_is_that_of_the_attempt_at_work() -> None:
    made = replay(
        (0, [["claimed", 0.5, 0.2, [[1, 2], [4, 1]]], ["started", 0.6, [1, 2]]]),
        (0, [["event", 0.6, "died", "", 0, 0, None]]),
    )
    assert made.recorder.events[0][:5] == (0.6, "died", 0, 1, 2)


@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        ("raised", "raised"),
        ("crashed", "raised"),
        ("stopped", "unfinished"),
        ("returned", "unfinished"),
    ],
)
def test_what_is_in_hand_at_the_end_tells_how_the_script_left(how: str, outcome: str) -> None:
    made = replay((0, [["claimed", 0.5, 0.2, [[1, 1]]], ["left", 0.9, how, ""]]))
    assert list(made.recorder.frames()[0]["outcome"]) == [outcome]


def test_every_reclaimed_job_is_an_event() -> None:
    made = replay((-2, [["reclaimed", 2.0, [5, 6], "note"]]))
    assert [(one.kind, one.worker, one.job) for one in made.recorder.events] == [
        ("reclaimed", -2, 5),
        ("reclaimed", -2, 6),
    ]
    assert isnan(made.recorder.events[0].value)


def test_empty_claims_commands_and_steps_are_kept() -> None:
    measured = {
        "start_s": 0.1, "run_s": 0.2, "outcome": "completed", "memory_mb": 9.5, "cpu_s": 0.1,
        "status": 0,
    }  # fmt: skip
    made = replay(
        (
            2,
            [
                ["empty", 0.05, 0.04],
                ["step", 0.06, "begin", "()", "None"],
                ["statement", 0.07, "select", "SELECT 1", None],
                ["ran", 0.3, [1, 1], measured],
            ],
        )
    )
    assert list(made.recorder.empty) == [2, 0.04, 0.05]
    assert made.steps[0].label == "begin"
    assert (made.ran[0].worker, made.ran[0].memory_mb) == (2, 9.5)
