"""Status words as outcomes."""

import pandas as pd
import pytest

from jobsim.joblog.notes import Notes
from jobsim.joblog.statuses import OUTCOME_OF, outcomes, plain


def found(*words, said=None, column="status"):
    notes = Notes()
    outcome, unfinished = outcomes(pd.Series(words), said or {}, notes, column)
    return outcome.tolist(), unfinished.tolist(), notes.taken


def test_the_words_of_common_systems_are_known_in_any_writing():
    words = ("SUCCEEDED", "Failed", "canceled", "Timed out", "in-progress")
    outcome, unfinished, notes = found(*words)
    assert outcome == ["completed", "failed", "cancelled", "timeout", "unknown"]
    assert unfinished == [False, False, False, False, True]
    assert notes == ()


def test_what_the_user_says_holds_before_all_else():
    said = {"Succeeded": "failed", "9": "completed", "wip": "unfinished"}
    assert found("Succeeded", 9.0, "WIP", said=said)[:2] == (
        ["failed", "completed", "unknown"],
        [False, False, True],
    )


def test_a_word_that_nobody_knows_is_unknown_and_counted():
    outcome, _, notes = found("zorg", "zorg", "done")
    assert outcome == ["unknown", "unknown", "completed"]
    assert [note.count for note in notes] == [2]
    assert "'zorg'" in notes[0].reason


def test_a_missing_status_is_unknown_and_not_counted():
    assert found(None, "done") == (["unknown", "completed"], [False, False], ())


@pytest.mark.parametrize(
    ("column", "words", "right"),
    [
        ("exit_code", (0, 1, "0:0", "0:15", -9), "completed failed completed failed failed"),
        ("is_success", (True, False), "completed failed"),
        ("failed", ("t", "f"), "failed completed"),
        ("status", (0, 1), "unknown unknown"),
    ],
)
def test_numbers_and_truths_mean_what_their_column_says(column, words, right):
    assert found(*words, column=column)[0] == right.split()


def test_every_known_word_is_written_as_it_is_compared():
    assert all(plain(word) == word for word in OUTCOME_OF)
