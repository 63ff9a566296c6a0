"""Who waits for whom."""

from __future__ import annotations

import pytest

from jobsim.sim.database.locks import (
    GAP,
    INTENT,
    NEXT_KEY,
    RECORD,
    SHARED,
    Holder,
    Lock,
    LockSpace,
    conflicts,
    covered,
)


@pytest.mark.parametrize(
    ("wanted", "held", "waits"),
    [
        (RECORD, RECORD, True),
        (RECORD, NEXT_KEY, True),
        (NEXT_KEY, RECORD, True),
        (RECORD, GAP, False),
        (GAP, NEXT_KEY, False),
        (GAP, GAP, False),
        (INTENT, GAP, True),
        (INTENT, NEXT_KEY, True),
        (INTENT, RECORD, False),
        (INTENT, INTENT, False),
        (NEXT_KEY, INTENT, False),
        (RECORD | SHARED, RECORD | SHARED, False),
        (RECORD | SHARED, RECORD, True),
        (RECORD, RECORD | SHARED, True),
        (INTENT, GAP | SHARED, True),
    ],
)
def test_who_waits_for_whom(wanted: int, held: int, waits: bool) -> None:
    assert conflicts(wanted, held) is waits


@pytest.mark.parametrize(
    ("held", "wanted", "enough"),
    [
        (NEXT_KEY, RECORD, True),
        (NEXT_KEY, GAP, True),
        (RECORD, NEXT_KEY, False),
        (GAP, RECORD, False),
        (RECORD | SHARED, RECORD, False),
        (RECORD, RECORD | SHARED, True),
        (INTENT, GAP, False),
        (NEXT_KEY, INTENT, False),
    ],
)
def test_what_one_lock_is_enough_for(held: int, wanted: int, enough: bool) -> None:
    holder = Holder(1)
    queue = [Lock(holder, LockSpace("index"), held, waiting=False)]
    assert covered(queue, holder, wanted) is enough
    assert not covered(queue, Holder(2), wanted)


def test_what_is_only_waited_for_is_not_held() -> None:
    holder = Holder(1)
    queue = [Lock(holder, LockSpace("index"), RECORD, waiting=True)]
    assert not covered(queue, holder, RECORD)
