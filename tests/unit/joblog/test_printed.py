"""Result sets in each form in which clients print or export them."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.printed import Columns, begins, holds, json_rows, rows

COLUMNS = Columns(
    needed=(frozenset({"id"}), frozenset({"seconds", "millis"}), frozenset({"info"})),
    text="info",
    hint="id",
    called={"job_id": "id"},
    others=frozenset({"note"}),
)
TABLE = """\
+----+---------+-------+------+
| Id | Seconds | Info  | Note |
+----+---------+-------+------+
|  1 |       2 | a | b
c | x    |
|  2 |    NULL | d     |      |
+----+---------+-------+------+
2 rows in set (0.00 sec)
| 3 | 4 | e | f |"""
VERTICAL = """\
*************************** 1. row ***************************
     id: 1
seconds: 2
   info: a | b
c
   note: x
*************************** 2. row ***************************
     id: 2
seconds: NULL
   info: d
   note:
2 rows in set (0.00 sec)"""
BATCH = "id\tseconds\tinfo\tnote\n1\t2\ta | b\\nc\tx\n2\tNULL\td\t"
CSV = '"id","seconds","info","note"\n1,2,"a | b\nc",x\n2,\\N,d,\n'
WANTED = [
    {"id": "1", "seconds": "2", "info": "a | b\nc", "note": "x"},
    {"id": "2", "info": "d"},
]


def read(text):
    lines = text.splitlines()
    ((at, form),) = begins(lines, COLUMNS)
    return form, [row.fields for row in rows(form, lines[at:], COLUMNS, at + 1)]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("table", TABLE),
        ("vertical", VERTICAL),
        ("batch", BATCH),
        ("csv", CSV),
        ("csv", CSV.replace(",", ";")),
    ],
)
def test_each_form_has_the_same_rows(form, text):
    assert read(f"mysql> SELECT 1\n{text}") == (form, WANTED)
    assert holds(text, COLUMNS)


def test_a_row_knows_its_line():
    lines = ["", *CSV.splitlines()]
    assert [row.line for row in rows("csv", lines[1:], COLUMNS, 2)] == [3, 5]
    assert [row.line for row in rows("table", TABLE.splitlines(), COLUMNS, 1)] == [4, 6]


def test_a_head_that_is_broken_into_lines_is_read():
    broken = TABLE.replace("| Info  | Note |", "| Info\n   | Note |")
    assert read(broken) == ("table", WANTED)


def test_a_table_without_borders_ends_with_its_last_row():
    assert read("| id | seconds | info |\n| 1 | 2 | a |") == (
        "table",
        [{"id": "1", "seconds": "2", "info": "a"}],
    )


def test_a_column_may_have_another_name_and_one_name_of_several_is_enough():
    assert read("JOB_ID,Millis,INFO\n7,8,a") == ("csv", [{"id": "7", "millis": "8", "info": "a"}])


@pytest.mark.parametrize("text", ["id,seconds\n1,2", "id|info", "*** 1. row ***\nid: 1", "{}", ""])
def test_a_result_set_without_the_needed_columns_is_none(text):
    assert not holds(text, COLUMNS)


def test_a_quote_in_a_cell_of_csv_is_doubled_or_escaped():
    for quote in ('""', '\\"'):
        assert read(f'id,seconds,info\n1,2,"a {quote}b{quote}, c"')[1][0]["info"] == 'a "b", c'
    assert read('id,seconds,info\n1,2,"C:\\x"')[1][0]["info"] == "C:\\x"


def test_a_cell_of_csv_may_be_long():
    long, limit = "x, " * 100_000, csv.field_size_limit()
    assert read(f'id,seconds,info\n1,2,"{long}y"')[1][0]["info"] == f"{long}y"
    assert csv.field_size_limit() == limit


def test_csv_whose_rows_do_not_fit_is_refused_with_the_line():
    with pytest.raises(ValueError, match="line 3 has 2 cells, its head 3"):
        read("id,seconds,info\n1,2,a\n3,4")
    with pytest.raises(ValueError, match="no CSV, from line 3"):
        read('id,seconds,info\n1,2,a\n3,4,"b\n')


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": 1, "seconds": 2.5, "info": null}]',
        '{"id": 1, "seconds": 2.5, "info": null}\n',
        '{"rows": [{"other": [1, {"id": 1, "seconds": 2.5, "info": null}]}]}',
    ],
)
def test_objects_of_json_are_found_however_deep_they_lie(text):
    assert holds(text, COLUMNS)
    assert [row.fields for row in json_rows(text, COLUMNS)] == [{"id": "1", "seconds": "2.5"}]


CELLS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1)


@given(st.lists(CELLS.filter(lambda cell: cell not in ("NULL", "\\N", "[NULL]", "(NULL)"))))
def test_what_was_written_as_csv_and_json_is_read_back(texts):
    file = io.StringIO()
    table = [[str(n), "1", text] for n, text in enumerate(texts)]
    csv.writer(file, lineterminator="\n").writerows([["id", "seconds", "info"], *table])
    assert [each["info"] for each in read(file.getvalue())[1]] == texts
    text = json.dumps([dict(zip(("id", "seconds", "info"), row, strict=True)) for row in table])
    assert [row.fields["info"] for row in json_rows(text, COLUMNS)] == texts
