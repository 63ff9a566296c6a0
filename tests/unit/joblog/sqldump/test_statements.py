import pytest

from jobsim.joblog.sqldump.dialects import MYSQL, POSTGRES, TSQL
from jobsim.joblog.sqldump.statements import CutOffError, plain_name, statements


def heads(text, dialect=MYSQL):
    return [(each.does, each.table) for each in statements(text, dialect)]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("INSERT INTO `t` VALUES (1);", ("insert", "t")),
        ("insert ignore into t values (1);", ("insert", "t")),
        ("INSERT LOW_PRIORITY IGNORE INTO `db`.`t` VALUES (1);", ("insert", "db.t")),
        ("REPLACE INTO t VALUES (1);", ("insert", "t")),
        ("INSERT /*!32311 IGNORE */ INTO t VALUES (1);", ("insert", "t")),
        ('INSERT OR REPLACE INTO "main"."a""b" VALUES(1);', ("insert", 'a"b')),
        ("CREATE TABLE IF NOT EXISTS public.t (a int);", ("create", "t")),
        ("CREATE UNLOGGED TABLE pgboss.job (a int);", ("create", "pgboss.job")),
        ("-- INSERT INTO a\n/* b; */ # c\nINSERT INTO t VALUES (1);", ("insert", "t")),
    ],
)
def test_what_fills_or_makes_a_table_is_found(text, head):
    assert heads(text) == [head]


@pytest.mark.parametrize(
    "text",
    [
        "/*!40000 ALTER TABLE `t` DISABLE KEYS */;",
        "CREATE TABLESPACE t;",
        "SELECT 'INSERT INTO t VALUES (1)';",
        "-- INSERT INTO t VALUES (1);",
        "CREATE INDEX i ON t (a);",
        "UPDATE t SET a = 1;",
        "DELIMITER ;;\nCREATE TRIGGER x BEGIN\nINSERT INTO t VALUES (1);\nEND ;;\nDELIMITER ;\n",
        "--\n-- x\n--\nDELIMITER $$\nINSERT INTO t VALUES (1)$$\n",
    ],
)
def test_other_statements_are_passed_over(text):
    assert heads(text) == []


def test_rows_to_copy_belong_to_their_statement():
    text = "COPY t (a) FROM stdin;\n1;\n\\.\nINSERT INTO u VALUES (1);"
    copy, insert = statements(text, POSTGRES)
    assert text[copy.end : copy.rows_end] == "\n1;\n\\."
    assert text[insert.start : insert.end] == "INSERT INTO u VALUES (1);"


def test_a_copy_from_a_file_has_no_rows_here():
    assert heads("COPY t (a) FROM '/tmp/x';", POSTGRES) == []


def test_a_statement_of_sql_server_ends_where_the_next_begins():
    text = "INSERT [t] ([a]) VALUES (N'x\nGO\n')\nINSERT [u] ([a]) VALUES (2)\nGO\nSET X ON"
    assert heads(text, TSQL) == [("insert", "t"), ("insert", "u")]


def test_the_last_statement_may_go_without_its_semicolon():
    assert heads("INSERT INTO t VALUES (1)") == [("insert", "t")]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("SET a;\n-- b\nINSERT INTO t VALUES ('x;", 12),
        ("COPY t (a) FROM stdin;\n1\n", 0),
    ],
)
def test_a_text_that_ends_within_a_statement_is_cut_off(text, begins):
    with pytest.raises(CutOffError) as caught:
        list(statements(text, POSTGRES))
    assert caught.value.args == (begins,)


def test_schemas_that_everybody_has_are_no_part_of_a_name():
    assert [plain_name(name) for name in ("public.t", "[dbo].[t]", 'x."y"', "a.b.c")] == [
        "t",
        "t",
        "x.y",
        "b.c",
    ]
