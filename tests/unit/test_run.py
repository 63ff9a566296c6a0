"""A resolved run: who takes part, and the rows that they meet."""

import pytest

from jobsim.run import (
    CLIENTS,
    CRON,
    FIRING,
    JOB,
    KILLER,
    REAPER,
    SPAWNED,
    STATEMENT,
    SUBMITTER,
    Run,
    seed_streams,
)
from jobsim.scenario import Scenario
from tests.unit.byhand import name
from tests.unit.scenario.made import log_of

JOBS = log_of([0, 0, 5], [1, 1, 1])
FIRINGS = log_of([0, 60], [1, 1], kind="nightly")
STATEMENTS = log_of([0, 1], [1, 1], kind="read", owner=["web", "batch"])


@pytest.fixture
def everything() -> Run:
    """A run of all three families at once."""
    scenario = Scenario("skip-locked", "heartbeat", "busy-time", workers=2, touching=1.0)
    return scenario.resolve({"jobs": JOBS, "firings": FIRINGS, "statements": STATEMENTS})


def test_the_cast_comes_in_the_order_in_which_ties_are_broken(everything: Run) -> None:
    assert [(part.name, part.worker) for part in everything.cast] == [
        ("submitter", SUBMITTER),
        ("worker-0", 0),
        ("worker-1", 1),
        ("reaper", REAPER),
        ("firings", CRON),
        ("statements", CLIENTS),
        ("killer", KILLER),
    ]


def test_a_queue_that_never_reclaims_has_no_reaper() -> None:
    run = Scenario("taken-flag", workers=1).resolve(JOBS)
    assert [part.name for part in run.cast] == ["submitter", "worker-0"]
    assert not run.can_recover
    assert Scenario("skip-locked").resolve(JOBS).can_recover


def test_every_part_begins_by_connecting_or_by_waiting_for_its_instant(everything: Run) -> None:
    first = {part.name: name(next(part.begin())[0]) for part in everything.cast}
    assert {first.pop("firings"), first.pop("statements")} == {"sleep"}
    assert set(first.values()) == {"connect"}


def test_what_is_spawned_for_rows_is_met_by_faults_as_worker_0(everything: Run) -> None:
    part = everything.spawned("firing", 3)
    assert (part.worker, part.met_as, part.troupe) == (SPAWNED + 2, 0, "firing")
    assert everything.cast[2].met_as == 1


def test_a_statement_connects_as_its_owner(everything: Run) -> None:
    users = {connect.user for connect in everything.log_ins}
    assert users == {None, "web", "batch"}


def test_rows_are_submitted_by_instant_with_the_ids_of_their_order() -> None:
    load = Scenario().resolve(JOBS).load
    assert list(load.jobs()) == [
        (0.0, [(1, "zip", 0, 0.0), (2, "zip", 0, 0.0)]),
        (5.0, [(3, "zip", 0, 5.0)]),
    ]


def test_rows_of_one_sort_are_found_among_the_others(everything: Run) -> None:
    load = everything.load
    found = {what: list(load.numbers(what)) for what in (JOB, FIRING, STATEMENT)}
    assert found[JOB] == [(0.0, [1, 2]), (5.0, [6])]
    assert found[FIRING] == [(0.0, [3]), (60.0, [7])]
    assert found[STATEMENT] == [(0.0, [4]), (1.0, [5])]


def test_shared_rows_are_there_before_the_statements_that_touch_them(everything: Run) -> None:
    (rows,) = everything.seeded.values()
    assert {row for row, _ in rows} == {t for t in everything.load.touches.tolist() if t}
    assert Scenario().resolve(JOBS).seeded == {}


def test_a_seed_gives_streams_that_are_named_and_differ() -> None:
    streams, again, other = seed_streams(1), seed_streams(1), seed_streams(2)
    drawn = {name: stream.generate_state(2).tolist() for name, stream in streams.items()}
    assert {n: s.generate_state(2).tolist() for n, s in again.items()} == drawn
    assert {n: s.generate_state(2).tolist() for n, s in other.items()} != drawn
    assert len({tuple(state) for state in drawn.values()}) == len(drawn)
