"""The rows of logs as a run meets them."""

import re
from typing import Any

import numpy as np
import pytest

from jobsim.errors import LogError
from jobsim.joblog.describe import check_answers
from jobsim.policies.queue import JOBS
from jobsim.run import Load
from jobsim.scenario.load import make_load
from tests.unit.scenario.made import log_of


def load(logs: dict[Any, Any], **given: Any) -> Load:
    usual = {"denser": 1.0, "speedup": 1.0, "touching": 0.5, "seed": 1}
    return make_load(logs, **{**usual, **given})


def test_the_first_submission_is_at_nought() -> None:
    assert load({"jobs": log_of([50, 53], [1, 1])}).submit_s.tolist() == [0.0, 3.0]


def test_rows_without_a_run_time_are_left_out() -> None:
    made = load({"jobs": log_of([0, 1], [1, np.nan])})
    assert len(made) == 1


def test_a_log_of_which_nothing_can_be_replayed_is_refused() -> None:
    with pytest.raises(LogError, match=r"cannot be replayed .*state one for all \(--assume-run"):
        load({"jobs": log_of([0, 1], [np.nan, np.nan])})


def test_a_log_that_answers_nothing_is_refused_as_it_is_by_describe() -> None:
    useless = log_of([4, 4], [np.nan, np.nan])
    with pytest.raises(LogError, match="one single time") as refused:
        load({"jobs": useless})
    with pytest.raises(LogError, match=re.escape(str(refused.value))):
        check_answers(useless)


def test_a_kind_that_is_too_long_for_its_column_is_cut_and_still_its_own() -> None:
    long = ["php artisan " + "x" * 300 + end for end in "ab"]
    made = load({"jobs": log_of([0, 1, 2], [1, 1, 1], kind=[*long, "zip"])})
    width = next(column.width for column in JOBS.columns if column.name == "kind")
    assert max(map(len, made.kinds)) == width
    assert len({*made.kinds}) == 3
    assert [made.kinds[code][:11] for code in made.kind] == ["php artisan", "php artisan", "zip"]


def test_jobs_that_failed_fail_again() -> None:
    made = load({"jobs": log_of([0, 1], [1, 1], outcome=["failed", "timeout"])})
    assert made.fails.tolist() == [True, False]


def test_only_statements_touch_shared_rows_and_each_that_of_its_kind() -> None:
    many = np.arange(400)
    logs = {
        "jobs": log_of(many, np.ones(400)),
        "statements": log_of(many, np.ones(400), kind=np.where(many % 2, "read", "write")),
    }
    made = load(logs)
    statements = made.what == 2
    assert not made.touches[~statements].any()
    touched = made.touches[statements] > 0
    assert 150 < touched.sum() < 250
    own = made.kind[statements] + 1
    assert (made.touches[statements][touched] == own[touched]).all()


def test_the_same_seed_touches_the_same_rows() -> None:
    logs = {"statements": log_of(np.arange(50), np.ones(50))}
    first, again, other = (load(logs, seed=seed).touches.tolist() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(("touching", "share"), [(0.0, 0), (1.0, 50)])
def test_none_or_all_may_touch(touching: float, share: int) -> None:
    made = load({"statements": log_of(np.arange(50), np.ones(50))}, touching=touching)
    assert (made.touches > 0).sum() == share
