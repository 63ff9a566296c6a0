"""The records of a run."""

import numpy as np
import pytest

from jobsim.effects import Attempt
from jobsim.events import ATTEMPT_COLUMNS, Event, Holder, Recorder

ONE, TWO = Attempt(1, 1), Attempt(2, 3)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def holder(recorder: Recorder) -> Holder:
    return Holder(5, recorder)


def test_an_attempt_is_followed_from_its_claim_to_its_end(
    recorder: Recorder, holder: Holder
) -> None:
    holder.claimed([ONE], 1.0, 1.5)
    holder.started(ONE, 2.0)
    holder.ended(ONE, 3.0)
    holder.finished([ONE], "completed", 3.5)
    attempts, _, _ = recorder.frames()
    assert tuple(attempts.columns) == ATTEMPT_COLUMNS
    assert attempts.iloc[0].tolist() == [1, 1, 5, 1.0, 1.5, 2.0, 3.0, 3.5, "completed"]
    assert not holder.in_hand


def test_what_was_in_hand_when_a_worker_died_has_no_end(recorder: Recorder, holder: Holder) -> None:
    holder.claimed([ONE, TWO], 1.0, 1.5)
    holder.started(ONE, 2.0)
    holder.lost("died")
    attempts, _, _ = recorder.frames()
    assert attempts["outcome"].tolist() == ["died", "died"]
    assert attempts["number"].tolist() == [1, 3]
    assert np.isnan(attempts["finished_s"]).all()
    assert attempts["started_s"].isna().tolist() == [False, True]


def test_an_attempt_that_was_never_claimed_is_recorded_all_the_same(
    recorder: Recorder, holder: Holder
) -> None:
    holder.finished([ONE], "skipped", 4.0)
    attempts, _, _ = recorder.frames()
    assert attempts["outcome"].tolist() == ["skipped"]
    assert np.isnan(attempts.loc[0, "claimed_s"])


def test_empty_claims_have_a_table_of_their_own(recorder: Recorder, holder: Holder) -> None:
    holder.empty(1.0, 1.25)
    _, _, looks = recorder.frames()
    assert looks.to_dict("records") == [{"worker": 5.0, "from_s": 1.0, "to_s": 1.25}]


def test_events_are_a_table_with_a_row_each(recorder: Recorder) -> None:
    recorder.events.append(Event(2.0, "died", 5, 1, 1, "work"))
    _, events, _ = recorder.frames()
    assert tuple(events.columns) == Event._fields
    assert events.loc[0, ["t_s", "kind", "step"]].tolist() == [2.0, "died", "work"]


def test_a_run_in_which_nothing_happened_has_tables_without_rows(recorder: Recorder) -> None:
    frames = recorder.frames()
    assert [len(frame) for frame in frames] == [0, 0, 0]
    assert tuple(frames[0].columns) == ATTEMPT_COLUMNS


def test_a_million_attempts_are_53_mb(recorder: Recorder, holder: Holder) -> None:
    for _ in range(1000):
        holder.finished([ONE], "completed", 1.0)
    recorder.attempts.settle()
    columns = recorder.attempts.columns.values()
    assert sum(len(column) * column.itemsize for column in columns) == 53_000
