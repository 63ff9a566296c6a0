"""From sessions seen in lists to statements."""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.processlist.statements import gaps_s, statements


def sessions(*rows):
    """Rows of list, id, time, and what else differs from a query."""
    names = ("list", "id", "time_s", "info", "command")
    filled = [(*row, *("SELECT 1", "Query")[len(row) - 3 :]) for row in rows]
    table = pd.DataFrame(filled, columns=names).astype({"id": "str", "time_s": "float64"})
    return table.assign(user="app", kind="select", at_s=table["list"] * 10.0)


def test_the_time_between_lists_is_what_the_sessions_in_both_gained():
    seen = sessions((0, 1, 5), (0, 2, 100, None, "Sleep"), (1, 1, 2), (1, 2, 104, None, "Sleep"))
    assert gaps_s(seen).tolist() == [0, 4]


def test_a_session_that_does_something_else_tells_nothing():
    assert gaps_s(sessions((0, 1, 5), (1, 1, 9, "SELECT 2"))) is None
    assert gaps_s(sessions((0, 1, 5), (1, 2, 9))) is None
    assert gaps_s(sessions((0, 1, 5), (1, 1, 4))) is None


def test_one_list_needs_no_time():
    assert gaps_s(sessions((0, 1, 5))).tolist() == [0]


def test_a_statement_in_several_lists_is_one_with_its_longest_time():
    notes = Notes()
    (one,) = statements(sessions((0, 1, 5), (1, 1, 14), (2, 1, 25)), notes).itertuples()
    assert (one.start_s, one.time_s, one.list) == (-5, 25, 2)
    assert [(note.reason[:6], note.count) for note in notes.taken] == [("mended", 2)]


def test_a_statement_that_begins_anew_is_another():
    found = statements(sessions((0, 1, 5), (1, 1, 4), (2, 1, 14)), Notes())
    assert found["start_s"].tolist() == [-5, 6]
    assert found["time_s"].tolist() == [5, 14]


def test_another_session_or_text_is_another_statement():
    seen = sessions((0, 1, 5), (0, 2, 5), (1, 1, 15, "SELECT 2"), (1, 2, 15))
    assert len(statements(seen, Notes())) == 3


def test_a_session_that_a_list_has_twice_counts_once():
    notes = Notes()
    assert len(statements(sessions((0, 1, 5), (0, 1, 5)), notes)) == 1
    assert notes.taken[0].reason == "dropped: its session is in the list twice"
