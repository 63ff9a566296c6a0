"""Predicates as values."""

import pytest

from jobsim.effects import Ago, Compare, Param, all_of, any_of, column
from jobsim.effects.predicate import comparisons

STATUS = column("status").equals("pending")
OLD = column("claimed_at").at_most(Ago(30.0))
MINE = column("claimed_by").equals(Param("worker"))


@pytest.mark.parametrize(
    ("made", "operator"),
    [
        (column("a").equals(1), "="),
        (column("a").less_than(1), "<"),
        (column("a").at_most(1), "<="),
        (column("a").more_than(1), ">"),
        (column("a").at_least(1), ">="),
    ],
)
def test_a_column_is_compared_by_words(made: Compare, operator: str) -> None:
    assert made == Compare("a", operator, 1)  # type: ignore[arg-type]


def test_a_list_of_values_comes_with_the_asking() -> None:
    assert column("id").is_in(Param("ids")) == Compare("id", "in", Param("ids"))


def test_a_column_may_be_asked_for_nothing() -> None:
    assert column("end_time").is_null() == Compare("end_time", "is null", None)


def test_comparisons_come_in_the_order_in_which_they_are_written() -> None:
    nested = any_of(all_of(STATUS, OLD), all_of(MINE, any_of(OLD, STATUS)))
    assert comparisons(nested) == (STATUS, OLD, MINE, OLD, STATUS)


def test_no_predicate_has_no_comparisons() -> None:
    assert comparisons(None) == ()


def test_predicates_are_equal_by_what_they_say() -> None:
    assert all_of(STATUS, OLD) == all_of(STATUS, OLD) != any_of(STATUS, OLD)
