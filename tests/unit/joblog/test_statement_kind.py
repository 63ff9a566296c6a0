"""The kind of an SQL statement."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog import statement_kind as module
from jobsim.joblog.statement_kind import MOST_LETTERS, OTHER, StatementKinds, statement_kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT a FROM users u, `ranks` AS r WHERE u.id = 7", "select users, ranks"),
        ("select a from t left outer join db.u using (x)", "select t, db.u"),
        ("select a from t inner join t on 1=1", "select t"),
        ("select a from (x inner join y on x.a = y.a)", "select x, y"),
        ("select a from (select 1 from b) c where exists (select 1 from d)", "select b, d"),
        ("select * from a, b, c, d, e", "select a, b, c +2"),
        ("select extract(year from d), trim(both ' ' from x) from t", "select t"),
        ("select * into outfile '/x' from t", "select t"),
        ("select 1 from t order by x for update", "select t"),
        ("select 1 from dual", "select"),
        ("select sleep(10)", "select"),
        ("(select 1 from a) union (select 2 from b)", "select a, b"),
        ("/* from app */ SELECT /*!40001 SQL_NO_CACHE */ * FROM `t`", "select t"),
        ("insert into db.t (a) values ('', 'x')", "insert db.t"),
        ("INSERT IGNORE t SET a = 1", "insert t"),
        ("insert into t values (1) on duplicate key update a = 2", "insert t"),
        ("insert into t select * from u", "insert t, u"),
        ("replace into t select replace(a, 'b', 'c') from u", "replace t, u"),
        ("update LOW_PRIORITY t set a = 1", "update t"),
        ("update t a inner join u b using (c) set a.x = b.x", "update t, u"),
        ("delete from t where 1 = 1", "delete t"),
        ("delete a, b from a join b", "delete a, b"),
        ("with q as (select 1 from a) select * from q join b", "select a, b"),
        ("with q(z) as (select 1 from a) insert into t select * from q", "insert a, t"),
        ("SHOW FULL PROCESSLIST", "show processlist"),
        ("SHOW INDEX FROM db.t", "show index db.t"),
        ("CALL db.tidy(1)", "call db.tidy"),
        ("LOAD DATA INFILE 'x' INTO TABLE t", "load data t"),
        ("DROP TABLE IF EXISTS t", "drop table t"),
        ("CREATE TEMPORARY TABLE t SELECT * FROM u", "create table t, u"),
        ("ALTER TABLE t ADD c INT", "alter table t"),
        ("OPTIMIZE TABLE t", "optimize table t"),
        ("TRUNCATE t", "truncate t"),
        ("LOCK TABLES a READ, b WRITE", "lock tables a, b"),
        ("EXPLAIN SELECT * FROM t", "explain t"),
        ("BEGIN", "begin"),
        ("START TRANSACTION", "start transaction"),
        ("SET NAMES utf8", "set"),
        ("SET STATEMENT max_statement_time=9, a=1 FOR (SELECT a FROM t FOR UPDATE)", "select t"),
        ("set statement a=1 for with q as (select 1 from a) delete from t", "delete a, t"),
        ("set statement", "set"),
        ("set statement a=1 for", OTHER),
        ("use `shop`", "use shop"),
        ("select * from `a\nb`", "select a b"),
        ("", OTHER),
        ("???", OTHER),
        ("'text'", OTHER),
    ],
)
def test_a_kind_is_the_verb_and_the_tables(text, kind):
    assert statement_kind(text) == kind


def test_values_lists_and_numbered_tables_make_no_kind_of_their_own():
    kinds = StatementKinds()
    texts = [f"select '{n}' from t_{n} where a in ({'1,' * n}2)" for n in range(1, 9)]
    assert {kinds.of(text) for text in texts} == {"select t_N"}


def test_a_kind_is_short():
    kind = statement_kind("select * from " + ", ".join(letter * 60 for letter in "abc"))
    assert len(kind) == MOST_LETTERS
    assert kind.endswith("...")


def test_shapes_beyond_the_tokenizers_share_have_the_same_kinds(monkeypatch):
    texts = ["select a from t, u", "insert into t values (1)", "update t set a = 1", "call f(1)"]
    kinds = [statement_kind(text) for text in texts]
    monkeypatch.setattr(module, "MOST_TOKENISED", 0)
    assert [statement_kind(text) for text in texts] == kinds


@given(st.text(max_size=200) | st.text("(),`'\"/*-#. selctfromjinwha_01", max_size=200))
def test_the_kind_of_any_text_is_a_short_name(text):
    kind = statement_kind(text)
    assert 0 < len(kind) <= MOST_LETTERS
    assert kind.isprintable()
    assert kind == kind.strip()


@pytest.mark.parametrize(
    "text",
    [piece * 9999 for piece in ("(", "'", "/*", "from a,", "with a as (", "a.", "?,", "(?),")]
    + [piece * 9999 for piece in ("`", "\\", "- ", "1e", "--", "0x")],
)
def test_hostile_text_takes_bounded_work(text):
    statement_kind("select 1")
    before_s = process_time()
    statement_kind(text)
    assert process_time() - before_s < 2
