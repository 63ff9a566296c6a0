import pytest

from jobsim.joblog.sqldump.dialects import MYSQL, POSTGRES, SQLITE, TSQL
from jobsim.joblog.sqldump.rows import ComputedCells, columns_created, copied, inserted


def rows(values, dialect=MYSQL):
    return list(inserted(f"VALUES {values};", dialect, ComputedCells())[1])


@pytest.mark.parametrize(
    ("dialect", "written", "cell"),
    [
        (MYSQL, r"'a\0b\'c''d\\\n'", "a\0b'c'd\\\n"),
        (MYSQL, '"say ""x"""', 'say "x"'),
        (MYSQL, "0x4142", "AB"),
        (MYSQL, "X'ff00'", "ff00"),
        (MYSQL, r"_binary 'a\0'", "a\0"),
        (MYSQL, "_utf8mb4'é'", "é"),
        (MYSQL, "b'101'", "5"),
        (MYSQL, "-1.5e3", "-1.5e3"),
        (MYSQL, "+3", "3"),
        (MYSQL, "NULL", None),
        (MYSQL, "DEFAULT", None),
        (MYSQL, "''", ""),
        (MYSQL, "/* , */ 7", "7"),
        (POSTGRES, r"'a\b''c'", r"a\b'c"),
        (POSTGRES, r"E'a\tb\'c'", "a\tb'c"),
        (POSTGRES, "true", "true"),
        (POSTGRES, "'x'::character varying", "x"),
        (POSTGRES, "'-5'::integer", "-5"),
        (POSTGRES, "TIMESTAMP '2026-03-01 10:00:00'", "2026-03-01 10:00:00"),
        (POSTGRES, "CAST('x' AS text)", "x"),
        (POSTGRES, "$$a;'b$$", "a;'b"),
        (SQLITE, r"'C:\'", "C:\\"),
        (SQLITE, r"replace('a\nb','\n',char(10))", "a\nb"),
        (SQLITE, r"replace(replace('a\r\nb','\r',char(13)),'\n',char(10))", "a\r\nb"),
        (SQLITE, r"unistr('a\u000ab\\c\+01f600')", "a\nb\\c😀"),
        (TSQL, "N'it''s'", "it's"),
        (TSQL, "CAST(0x0000A5E700C5C10A AS DateTime)", "2016-04-13 12:00:00.033"),
        (TSQL, "CAST(0x07 AS DateTime2)", "07"),
        (TSQL, "CAST(N'2026-03-01T10:00:00.003' AS DateTime)", "2026-03-01T10:00:00.003"),
    ],
)
def test_a_cell_is_what_its_literal_says(dialect, written, cell):
    assert rows(f"(1, {written})", dialect) == [["1", cell]]


CALLS = [
    "char('x')",
    "replace('a', now(), 'b')",
    "replace('a')",
    "replace('aa', '', 'aa')",
    "CAST x AS",
    "char(99999999999)",
    "char",
]


@pytest.mark.parametrize(
    "written", ["NOW()", "1 + 2", "f(a, (b), 'c')", "CURRENT_TIMESTAMP", "", *CALLS]
)
def test_a_cell_that_is_computed_is_missing_and_counted(written):
    computed = ComputedCells()
    sql = f"VALUES (1, {written}, 2), (3, 'x', 4);"
    assert list(inserted(sql, MYSQL, computed)[1]) == [["1", None, "2"], ["3", "x", "4"]]
    assert computed.count == 1


def test_what_follows_the_rows_is_no_row():
    assert rows("(1), (2) ON DUPLICATE KEY UPDATE a = VALUES(a)") == [["1"], ["2"]]
    assert rows("(1) ON CONFLICT (a) DO NOTHING", POSTGRES) == [["1"]]


def test_rows_that_are_selected_are_none():
    listed, found = inserted("(a) SELECT a FROM u;", MYSQL, ComputedCells())
    assert (listed, list(found)) == (["a"], [])


def test_a_column_list_is_read_without_quotes():
    sql = "(`a`, value, `c``d`) VALUES (1,2,3);"
    assert inserted(sql, MYSQL, ComputedCells())[0] == ["a", "value", "c`d"]


def test_columns_are_those_of_create_table_without_keys_and_constraints():
    sql = """(`id` int NOT NULL, `key` enum('a','b') DEFAULT 'a', price
        decimal(10,2), PRIMARY KEY (`id`), UNIQUE KEY `u` (`key`,`price`), FULLTEXT KEY `f` (`x`),
        CONSTRAINT `c` FOREIGN KEY (`id`) REFERENCES `u` (`id`), CHECK (price > 0)) ENGINE=InnoDB
        PARTITION BY HASH (`id`)"""
    assert columns_created(sql, MYSQL) == ["id", "key", "price"]


def test_key_is_a_column_in_postgresql():
    sql = '(key text, "order" int, index int, PRIMARY KEY (key))'
    assert columns_created(sql, POSTGRES) == ["key", "order", "index"]


def test_cells_to_copy_are_between_tabs_and_escaped():
    assert list(copied(["1\t\\N\ta\\tb\\\\N\\n\t", "2\tx\x0by\t\t"])) == [
        ["1", None, "a\tb\\N\n", ""],
        ["2", "x\x0by", "", ""],
    ]
