"""What things cost on the modelled server."""

from dataclasses import fields
from pathlib import Path

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
