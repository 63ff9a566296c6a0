"""What happened between two looks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.record.columns import Columns, States
from jobsim.record.snapshots import MARGIN, Snapshots

COLUMNS = Columns("id", "status")


def table() -> Snapshots:
    return Snapshots(COLUMNS, States(COLUMNS, {}))


def look(seen: Snapshots, *rows: tuple[int | str, str]) -> list[tuple[str, str]]:
    """What a look at these rows shows, read from the key on that is due."""
    low = seen.low
    read = [
        {"id": str(key), "status": status} for key, status in rows if low is None or int(key) >= low
    ]
    return [(one.what, one.row["id"]) for one in seen.compare(read, low)]


def test_the_first_look_finds_what_is_open_and_nothing_else() -> None:
    assert look(table(), (1, "done"), (2, "pending"), (3, "running")) == [
        ("found", "2"),
        ("found", "3"),
    ]


@pytest.mark.parametrize("key", [7, "a-uuid"])
def test_a_row_comes_is_taken_given_back_and_done(key: int | str) -> None:
    seen = table()
    other = "zzz" if isinstance(key, str) else 8
    assert look(seen, (other, "done")) == []
    name = str(key)
    for status, what in [
        ("pending", ["submit"]),
        ("pending", []),
        ("running", ["claim"]),
        ("pending", ["release"]),
        ("running", ["claim"]),
        ("failed", ["finish"]),
        ("failed", []),
        ("pending", ["release"]),
        ("running", ["claim"]),
        ("done", ["finish"]),
    ]:
        assert look(seen, (other, "done"), (key, status)) == [(one, name) for one in what]


def test_what_happens_between_two_looks_is_seen_as_far_as_the_row_shows_it() -> None:
    seen = table()
    look(seen)
    assert look(seen, (1, "running"), (2, "done")) == [
        ("submit", "1"),
        ("claim", "1"),
        ("submit", "2"),
        ("finish", "2"),
    ]
    assert look(seen, (2, "done")) == [("vanish", "1")]
    assert look(seen) == [], "a row that was over may be deleted"


def test_a_long_table_of_done_rows_is_not_read_again_and_not_remembered() -> None:
    seen = table()
    rows = [(key, "done") for key in range(1, 5001)]
    look(seen, *rows)
    assert seen.low == 5000 - MARGIN
    assert look(seen, *rows, (5001, "pending")) == [("submit", "5001")]
    assert len(seen._over) <= MARGIN + 1
    assert look(seen, *rows, (5001, "done"), (6000, "done"))[0] == ("finish", "5001")


def test_an_old_row_that_is_taken_up_again_is_seen_by_a_full_look() -> None:
    seen = table()
    rows = [(key, "done") for key in range(1, 1001)]
    look(seen, *rows)
    full = [{"id": str(key), "status": "pending" if key == 3 else "done"} for key, _ in rows]
    found = [(one.what, one.row["id"]) for one in seen.compare(full, seen.low)]
    assert found == [("release", "3")]
    assert seen.low == 3, "from now on it is looked at"


def test_a_row_that_is_committed_late_is_seen_although_its_key_is_low() -> None:
    seen = table()
    look(seen, (10, "done"))
    look(seen, (12, "done"))
    assert look(seen, (11, "pending"), (12, "done")) == [("submit", "11")]


STATUSES = st.sampled_from(["", "pending", "running", "done"])


@given(st.lists(st.lists(STATUSES, min_size=6, max_size=6), max_size=8))
def test_however_rows_change_the_open_ones_are_those_of_the_last_look(
    looks: Sequence[Sequence[str]],
) -> None:
    """And the first that is seen of a row which was not there before is that it came."""
    seen, known = table(), set[str]()
    for number, statuses in enumerate(looks):
        rows = [(key, status) for key, status in enumerate(statuses, 1) if status]
        for what, key in look(seen, *rows):
            assert key in known or what == ("submit" if number else "found")
            known.add(key)
        known |= {str(key) for key, _ in rows}
        assert set(seen.open) == {str(key) for key, s in rows if s in ("pending", "running")}
