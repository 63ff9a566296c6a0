"""What things cost on the modelled server."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from jobsim.errors import UsageError
from jobsim.sim.costs import DEFAULT, ZERO, Costs, read_costs


def test_the_built_in_costs_go_by_name() -> None:
    assert read_costs("default") is DEFAULT
    assert read_costs("zero") is ZERO


def test_with_zero_costs_every_statement_is_instantaneous() -> None:
    statements = {"send_s", "begin_s", "commit_s", "select_s", "lock_s", "update_s", "insert_s"}
    assert {getattr(ZERO, name) for name in statements} == {0.0}
    assert all(getattr(DEFAULT, name) > 0 for name in statements)


def test_costs_read_back_from_what_they_write(tmp_path: Path) -> None:
    path = tmp_path / "costs.toml"
    path.write_text(DEFAULT.to_toml())
    assert read_costs(path) == DEFAULT


def test_a_file_may_name_a_few_and_leave_the_rest_at_their_default(tmp_path: Path) -> None:
    path = tmp_path / "costs.toml"
    path.write_text("commit_s = 0.002\n")
    read = read_costs(path)
    assert read.commit_s == 0.002
    others = [f.name for f in fields(Costs) if f.name != "commit_s"]
    assert all(getattr(read, name) == getattr(DEFAULT, name) for name in others)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("comit_s = 1", "unknown cost comit_s.*commit_s"),
        ("commit_s = -1", "it takes a number from 0"),
        ("commit_s = nan", "it takes a number from 0"),
        ("commit_s = true", "it takes a number from 0"),
        ("commit_s = 'slow'", "it takes a number from 0"),
        ("processors = 0", "processors = 0: it takes a whole number from 1"),
        ("processors = 1.5", "it takes a whole number from 1"),
        ("stalls = 0.5\nstall_mean = 3", "stalls x stall_mean is 0.5 times 3; it takes a product"),
        ("purge_s = 0", "purge_s = 0: it takes a number above 0"),
        ("calibrated = 5", "it takes a text"),
        ("commit_s = ", "not a costs file"),
    ],
)
def test_what_is_not_a_costs_file_is_answered_with_what_would_be(
    text: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "costs.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=told) as refused:
        read_costs(path)
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_there_is_answered_with_the_built_in_names() -> None:
    with pytest.raises(UsageError, match=r"no costs file fast; built in are default, zero"):
        read_costs("fast")


def test_a_folder_is_not_a_costs_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no costs file"):
        read_costs(tmp_path)


def test_stepping_over_dead_entries_costs_more_where_each_is_locked_and_unlocked() -> None:
    assert DEFAULT.dead_entry_s("read-committed") > DEFAULT.dead_entry_s("repeatable-read")


def test_times_scatter_a_little_and_a_few_stall_without_a_change_of_the_mean() -> None:
    """The spread of a trace of one worker: see `DEFAULT`."""
    drawn = np.array(DEFAULT.factors(np.random.default_rng(1), 200_000))
    p25, p50, p75, p99 = np.quantile(drawn, [0.25, 0.5, 0.75, 0.99])
    assert drawn.min() > 0
    assert drawn.mean() == pytest.approx(1, abs=0.01)
    assert 0.8 < p25 / p50 < p75 / p50 < 1.25
    assert 2 < p99 / p50 < 4
    assert 0.6 < drawn.std() / drawn.mean() < 1.1


def test_without_scatter_and_stalls_every_time_is_its_mean() -> None:
    drawn = replace(DEFAULT, scatter=0.0, stalls=0.0).factors(np.random.default_rng(1), 5)
    assert drawn == [1.0] * 5
