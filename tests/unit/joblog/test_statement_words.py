"""Words and shapes of SQL statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.statement_words import MOST_CHARACTERS, plain_words, shape, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM t WHERE a = 7 AND b = -1.5e3", "SELECT * FROM t WHERE a = ? AND b = -?"),
        ("SELECT 'it''s', 'a\\'b', \"x\"", "SELECT ?"),
        ("SELECT 0xFF", "SELECT ?"),
        ("SELECT 1 /* why */ -- here\n + 2 # and\n", "SELECT ? + ?"),
        ("SELECT *\n\tFROM   t ;\n", "SELECT * FROM t"),
        ("/*!40101 SET NAMES utf8 */;", "SET NAMES utf8 */"),
        ("SELECT /*!40001 SQL_NO_CACHE */ /*+ hint */ a FROM t", "SELECT SQL_NO_CACHE */ a FROM t"),
        ("SELECT t1.c2 FROM t1", "SELECT t1.c2 FROM t1"),
        ("SELECT `a 1`, `it's` FROM `t`", "SELECT `a 1`, `it's` FROM `t`"),
        ("SELECT 1 FROM t WHERE id IN (1, 2,3)", "SELECT ? FROM t WHERE id IN (?)"),
        ("INSERT INTO t VALUES (1, 'a'), (2, 'b'),(3,'c')", "INSERT INTO t VALUES (?)"),
        ("SELECT 'cut o", "SELECT ?"),
        ("SELECT * FROM wp_12_posts", "SELECT * FROM wp_N_posts"),
        ("SELECT a-1 FROM t", "SELECT a-? FROM t"),
    ],
)
def test_a_shape_has_no_literals_comments_or_lists(text, expected):
    assert shape(text) == expected


def test_of_a_long_statement_only_the_beginning_counts():
    assert shape("SELECT x" + " " * MOST_CHARACTERS + "FROM t") == "SELECT x"


def test_a_quoted_name_is_no_keyword():
    for split in (words, plain_words):
        found = split("SELECT `from` FROM t")
        assert found.texts == ("SELECT", "from", "FROM", "t")
        assert found.keywords == ("SELECT", "", "FROM", "T")


def test_words_that_the_tokenizer_takes_as_one_are_taken_apart():
    assert words("REPLACE INTO t SELECT a FROM b ORDER BY c").texts[:3] == ("REPLACE", "INTO", "t")


def test_text_that_the_tokenizer_gives_up_on_is_split_plainly():
    assert words("SELECT a FROM t WHERE b = 'cut").texts[:4] == ("SELECT", "a", "FROM", "t")
    assert words("CALL f(?)").texts == ("CALL", "f", "(", "?", ")")


@given(st.text(max_size=300))
def test_any_text_has_a_shape_and_words(text):
    found = words(shape(text))
    assert len(found.texts) == len(found.keywords) == len(found)
