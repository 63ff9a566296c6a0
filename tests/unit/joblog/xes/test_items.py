"""The lifecycle rule of one work item."""

from __future__ import annotations

from collections import Counter
from time import monotonic

import pytest

from jobsim.joblog.xes.items import END_ALONE, ENDED, SCHEDULED, STARTED, Event, Item


@pytest.fixture
def item():
    return Item(Counter())


def take(item, *transitions):
    for t_s, transition in enumerate(transitions):
        item.take(transition, Event(float(t_s), -1, t_s + 1))
    return [(work.told_by, work.submit_s, work.start_s, work.end_s) for work in item.work()]


def test_schedules_are_answered_by_starts_in_their_order(item):
    assert take(item, "schedule", "schedule", "start", "start", "complete", "complete") == [
        (SCHEDULED, 0, 2, 4),
        (SCHEDULED, 1, 3, 5),
    ]


def test_a_start_without_a_schedule_was_submitted_by_the_end_before_it(item):
    assert take(item, "start", "complete", "start", "complete") == [
        (STARTED, 0, 0, 1),
        (ENDED, 1, 2, 3),
    ]


def test_work_that_is_resumed_is_as_old_as_before(item):
    take(item, "start", "suspend", "start", "resume", "complete", "complete")
    assert [(work.start_s, work.end_s, work.suspended_s) for work in item.closed] == [
        (0, 4, 2),
        (2, 5, 0),
    ]


def test_what_cannot_be_closed_suspended_or_resumed_changes_nothing(item):
    assert take(item, "suspend", "resume", "complete", "withdraw") == []
    assert item.dropped == {END_ALONE: 2}


def test_many_open_at_once_take_no_more_time_each(item):
    many = ["start"] * 50_000 + ["suspend"] * 50_000 + ["resume"] * 50_000 + ["complete"] * 50_000
    begin = monotonic()
    assert len(take(item, *many)) == 50_000
    assert monotonic() - begin < 4
