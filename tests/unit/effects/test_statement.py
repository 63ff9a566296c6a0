"""The parameters of statements, in the order in which arguments are given."""

from jobsim.effects import NOW, Column, Delete, More, Param, Select, Table, Update, all_of, column

TABLE = Table("t", (Column("id", "integer"), Column("owner", "integer"), Column("n", "integer")))
IDS = column("id").is_in(Param("ids"))
MINE = column("owner").equals(Param("me"))


def test_a_selects_arguments_are_those_of_its_condition_then_its_limit() -> None:
    select = Select("s", TABLE, ("id",), all_of(MINE, IDS), limit=Param("batch"))
    assert select.params == ("me", "ids", "batch")


def test_an_updates_arguments_are_those_of_its_changes_first() -> None:
    update = Update("u", TABLE, (("owner", Param("me")),), IDS, limit=Param("many"))
    assert update.params == ("me", "ids", "many")


def test_a_parameter_that_appears_twice_is_given_once_at_its_first_place() -> None:
    update = Update("u", TABLE, (("owner", Param("me")), ("n", Param("me"))), all_of(IDS, MINE))
    assert update.params == ("me", "ids")


def test_constants_and_clocks_are_not_arguments() -> None:
    changes = (("n", More("n")), ("owner", 7), ("id", NOW), ("owner", None))
    assert Update("u", TABLE, changes, column("id").equals(1), limit=3).params == ()


def test_a_deletes_arguments_are_those_of_its_condition() -> None:
    assert Delete("d", TABLE, all_of(IDS, MINE)).params == ("ids", "me")
    assert Delete("d", TABLE).params == ()
