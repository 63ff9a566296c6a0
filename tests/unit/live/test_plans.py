"""How the server reaches the rows of a statement."""

import pytest
import sqlalchemy as sa

from jobsim.effects import Index, Param, Select, Update, any_of, column
from jobsim.live.plans import PRIMARY, Plan, Plans, expected_index
from jobsim.live.schema import create, drop
from jobsim.policies.queue import JOBS

STATUS, COMPOSITE = Index(("status",)), Index(("status", "created_at"))
READY = column("status").equals("pending")
IDS = column("id").is_in(Param("ids"))


def head(*indexes: Index) -> Select:
    return Select("select", JOBS.indexed(*indexes), ("id",), READY, ("created_at", "id"), 1)


def test_rows_by_their_id_are_expected_through_the_primary_key() -> None:
    assert expected_index(Update("x", JOBS.indexed(COMPOSITE), (("status", "a"),), IDS)) == PRIMARY


def test_no_index_is_expected_where_none_fits() -> None:
    assert expected_index(head()) is None
    assert expected_index(head(Index(("kind",)))) is None
    either = any_of(READY, column("kind").equals("zip"))
    assert expected_index(Select("x", JOBS.indexed(STATUS), ("id",), either)) is None


def test_the_index_that_is_in_order_already_is_expected() -> None:
    for indexes in ((STATUS, COMPOSITE), (COMPOSITE, STATUS)):
        assert expected_index(head(*indexes)) == "by_status_created_at"
    assert expected_index(head(STATUS)) == "by_status"


def test_an_unforeseen_plan_is_warned_of() -> None:
    plans = Plans()
    plans.plans["select"] = Plan(1.0, "select", "SELECT", "ALL", None, "by_status", 40, "")
    plans.plans["mark"] = Plan(1.0, "mark", "UPDATE", "range", PRIMARY, PRIMARY, 1, "")
    (warning,) = plans.warnings()
    assert warning == (
        "select: the server used no index (ALL, about 40 rows) "
        "where the simulation supposes by_status"
    )


@pytest.mark.live
def test_the_server_is_asked_once_for_each_statement(connection: sa.Connection) -> None:
    table = JOBS.indexed(COMPOSITE)
    create(connection, [table])
    plans = Plans()
    plans.add("mark", "UPDATE jobsim_jobs SET priority = 1 WHERE id IN (7)", PRIMARY)
    plans.add("mark", "UPDATE jobsim_jobs SET priority = 1 WHERE id IN (8)", PRIMARY)
    plans.add("all", "SELECT attempts FROM jobsim_jobs", None)
    plans.add("wrong", "SELECT nothing FROM nowhere", None)
    try:
        assert plans.explain(connection, 2.0) == 3
        plans.statements.pop("wrong")
        assert plans.explain(connection, 3.0) == 0
    finally:
        drop(connection, [table])
    assert {label: (one.index, one.t_s) for label, one in plans.plans.items()} == {
        "mark": (PRIMARY, 2.0),
        "all": (None, 2.0),
    }
