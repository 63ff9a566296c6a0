"""Replications: means, and how sure they are."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jobsim.outcomes import measure, replicated

from .made import Story, jobs


def run(replication: int, wait_s: float, lock_waits: int | None = None) -> dict:
    story = Story().attempt(1, wait_s, wait_s, wait_s + 1, wait_s + 1)
    if lock_waits is not None:
        story.recorder.counts["lock_waits"] = lock_waits
    facts = story.facts(jobs([0]))
    return measure(facts, driver="sim", name="x", seed=7 + replication, replication=replication)


def test_each_number_becomes_its_mean_between_bounds_of_students_t():
    told = replicated([run(0, 1), run(1, 2), run(2, 3)])["wait"]["mean_s"]
    half = 4.302652729911275 / np.sqrt(3)  # t(0.975, 2) = 4.3027; the sample deviation is 1
    assert told == pytest.approx({"mean": 2, "low": 2 - half, "high": 2 + half})


def test_what_was_not_measured_stays_none_and_what_was_sometimes_is_of_those():
    told = replicated([run(0, 1, lock_waits=4), run(1, 1), run(2, 1, lock_waits=6)])
    assert told["contention"]["lock_waits"]["mean"] == 5
    assert told["contention"]["deadlocks"] is None
    assert told["killer"]["kills"] is None


def test_one_replication_has_no_bounds():
    assert replicated([run(0, 1)])["wait"]["mean_s"] == {"mean": 1, "low": None, "high": None}


def test_what_names_the_run_stays_as_it_is():
    told = replicated([run(0, 1), run(1, 2)])
    assert (told["driver"], told["name"], told["workers"], told["speedup"]) == ("sim", "x", 2, 1)
    assert (told["seed"], told["replications"]) == (7, 2)
    assert json.loads(json.dumps(told)) == told


def test_intervals_of_95_percent_cover_the_truth_about_95_times_in_100():
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        values = rng.exponential(1, 30).tolist()
        told = replicated([{"seed": 1, "x": value} for value in values])["x"]
        covered += told["low"] <= 1 <= told["high"]
    assert 0.89 <= covered / 400 <= 0.98
