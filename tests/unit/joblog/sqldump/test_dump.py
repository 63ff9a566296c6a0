from __future__ import annotations

import time

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog.notes import Notes
from jobsim.joblog.sqldump import looks_like, open_dump

CREATE = "CREATE TABLE `t` (`id` int, `b` text, KEY `i` (`b`)) ENGINE=InnoDB;"


def frame(path, table="t"):
    return open_dump(path).frame(table, notes=Notes())


def cells(found: pd.DataFrame) -> list[list[str | None]]:
    return [[None if pd.isna(cell) else cell for cell in row] for row in found.to_numpy()]


def test_inserts_with_and_without_column_list_fill_one_table(file):
    path = file(
        "a.sql",
        CREATE,
        "INSERT INTO `t` VALUES (1,'a'),(2,NULL);",
        "INSERT INTO `u` VALUES (9);",
        "INSERT INTO `t` (`b`,`id`) VALUES ('c',3);",
        "REPLACE INTO `t` (`id`) VALUES (4);",
    )
    dump = open_dump(path)
    assert dump.tables == {"t": ("id", "b"), "u": ()}
    assert cells(frame(path)) == [["1", "a"], ["2", None], ["3", "c"], ["4", None]]
    assert dump.rows("t") == 4
    assert list(dump.frame("t", ["b"], notes=Notes())) == ["b"]


def test_a_table_that_is_only_made_is_empty(file):
    assert frame(file("a.sql", CREATE)).shape == (0, 2)


def test_a_table_that_is_only_filled_has_the_columns_that_are_named(file):
    path = file("a.sql", "INSERT INTO t (x, value) VALUES (1, 2);")
    assert open_dump(path).tables == {"t": ("x", "value")}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("INSERT INTO t VALUES (1);", 1, "columns of t are named nowhere"),
        (
            CREATE + "\n\nINSERT INTO t VALUES (1,2),(3);\nINSERT INTO t VALUES (1,2,3);",
            3,
            "1 cell",
        ),
        ("INSERT INTO t (a, a) VALUES (1, 2);", 1, "named twice"),
        (CREATE + "\nSET x;\nINSERT INTO `t` VALUES (1,'a", 3, "ends within the statement"),
    ],
)
def test_wrong_rows_are_listed_with_their_lines(file, text, line, said):
    with pytest.raises(LogError, match=said) as caught:
        frame(file("a.sql", text))
    assert caught.value.faults[0].line == line


def test_every_wrong_row_is_listed_up_to_a_limit(file):
    path = file("a.sql", CREATE, *["INSERT INTO t VALUES (1);"] * 50)
    with pytest.raises(LogError, match=r"and 30 more") as caught:
        frame(path)
    assert len(caught.value.faults) == 20


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_text_may_be_in_several_encodings(file, codec):
    text = CREATE + "\nINSERT INTO `t` VALUES (1,'é');\n"
    path = file("a.sql", text.encode(codec))
    assert looks_like(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    assert cells(frame(path)) == [["1", "é"]]


def test_a_byte_that_is_no_utf8_spoils_only_its_cell(file):
    path = file(
        "a.sql", "/*!40101 SET NAMES utf8mb4 */;", CREATE,
        b"INSERT INTO `t` VALUES (1,'\xc3\xa9'),(2,_binary '\xff');",
    )  # fmt: skip
    assert cells(frame(path)) == [["1", "é"], ["2", "\ufffd"]]


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xff\xfe\x00\x00\x01\x00\x02\x00", b"\x00\x01"])
def test_what_is_empty_or_binary_is_refused(file, data):
    with pytest.raises(LogError):
        open_dump(file("a.sql", data))


@pytest.mark.parametrize(
    ("head", "yes"),
    [
        (b"-- MySQL dump 10.13  Distrib 8.0", True),
        (b"/*M!999999\\- enable the sandbox mode */", True),
        (b"--\n-- PostgreSQL database dump\n--\n\n\\restrict x\n", True),
        (b"\n-- x\nSET a = 1;\nINSERT INTO t VALUES (1);", True),
        (b"COPY public.t (a, b) FROM stdin;\n", True),
        (
            b"# Table d'actions\n#\n/*!40101 SET NAMES utf8 */;\ninsert  into `t`(`a`) values (1)",
            True,
        ),
        (b"# User@Host: a[a] @ h []\nINSERT INTO t VALUES (1);", False),
        (b"SET NAMES utf8;\nSELECT 1;", False),
        (b"# Time: 2026-03-01T10:00:00Z\nINSERT INTO t VALUES (1);", False),
        (b"Info: INSERT INTO t VALUES (1);", False),
        (b"submit_s,run_s\n1,2\n", False),
        (b"\x00\x01INSERT INTO t", False),
    ],
)
def test_a_dump_is_known_by_its_head(head, yes):
    assert looks_like(head) == yes


def tables_or_faults(path):
    """What a dump gives, whatever is in it; anything but a LogError comes through."""
    try:
        dump = open_dump(path)
        return [dump.frame(table, notes=Notes()) for table in dump.tables]
    except LogError as error:
        return error.faults or None


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
tables = st.lists(st.tuples(st.none() | st.integers(), st.none() | text), max_size=5)


def as_mysql(cell: object) -> str:
    if cell is None:
        return "NULL"
    escapes = {"\\": r"\\", "'": r"\'", "\0": r"\0", "\n": r"\n", "\r": r"\r", "\x1a": r"\Z"}
    letters = (escapes.get(letter, letter) for letter in str(cell))
    return "'" + "".join(letters) + "'" if isinstance(cell, str) else str(cell)


def as_standard(cell: object) -> str:
    if cell is None:
        return "NULL"
    return "'" + cell.replace("'", "''") + "'" if isinstance(cell, str) else str(cell)


def as_copied(cell: object) -> str:
    if cell is None:
        return r"\N"
    escapes = {"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"}
    return "".join(escapes.get(letter, letter) for letter in str(cell))


def dump_of(rows, kind):
    if kind == "copy":
        lines = "".join("\t".join(map(as_copied, row)) + "\n" for row in rows)
        return f"CREATE TABLE t (id int, b text);\nCOPY t (id, b) FROM stdin;\n{lines}\\.\n"
    write, create = {
        "mysql": (as_mysql, CREATE),
        "sqlite": (as_standard, "PRAGMA foreign_keys=OFF;\nCREATE TABLE t (id int, b text);"),
        "postgres": (as_standard, "CREATE TABLE public.t (id int, b text);"),
    }[kind]
    filled = ",\n".join(f"({','.join(map(write, row))})" for row in rows)
    return f"{create}\nINSERT INTO t VALUES {filled};\n" if rows else create


@pytest.mark.parametrize("kind", ["mysql", "sqlite", "postgres", "copy"])
@settings(max_examples=60)
@given(rows=tables)
def test_what_is_written_is_read_back(tmp_path_factory, kind, rows):
    # SQL text cannot hold a zero byte but in MySQL's escapes, and files have one line ending.
    if kind != "mysql":
        rows = [(a, b and b.replace("\0", "")) for a, b in rows]
    path = tmp_path_factory.getbasetemp() / f"{kind}.sql"
    path.write_bytes(dump_of(rows, kind).encode())
    assert cells(frame(path)) == [[None if a is None else str(a), b] for a, b in rows]


@pytest.mark.parametrize("kind", ["mysql", "postgres", "copy"])
@settings(max_examples=60)
@given(data=st.data())
def test_a_damaged_dump_is_a_table_or_a_clear_error(tmp_path_factory, kind, data):
    whole = dump_of(data.draw(tables), kind).encode()
    cut = data.draw(st.integers(0, len(whole)))
    noise = data.draw(
        st.binary(max_size=8) | st.sampled_from([b"'", b"(", b"/*", b"`", b"$$", b"["])
    )
    again = data.draw(st.integers(0, len(whole)))
    path = tmp_path_factory.getbasetemp() / f"damaged-{kind}.sql"
    path.write_bytes(whole[:cut] + noise + whole[again:])
    assert tables_or_faults(path) is not None


@pytest.mark.parametrize(
    "hostile", ["/*", "[", "$$", "$a$", "'\\", "((", "INSERT ", "CREATE TABLE `a` (", "-- ", "\\"]
)
@pytest.mark.parametrize("head", [CREATE, "PRAGMA foreign_keys=OFF;", "USE [a]\nGO\nINSERT [b]\n"])
def test_hostile_text_takes_no_longer_than_any(file, hostile, head):
    path = file("a.sql", head, hostile * (40_000 // len(hostile)))
    began_s = time.process_time()
    assert tables_or_faults(path) is not None
    assert time.process_time() - began_s < 5
