"""Tables as values."""

from jobsim.effects import Column, Index, Table

TABLE = Table("t", (Column("id", "integer"), Column("name", "text")))


def test_a_table_knows_what_its_columns_hold() -> None:
    assert TABLE.kind("name") == "text"


def test_indexing_makes_another_table_and_leaves_the_first() -> None:
    indexed = TABLE.indexed(Index(("name",)))
    assert indexed.indexes == (Index(("name",)),)
    assert TABLE.indexes == ()
    assert indexed.columns == TABLE.columns
