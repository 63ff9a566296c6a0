"""Rows of a process list in each form in which the client prints it."""

from __future__ import annotations

import pytest

from jobsim.joblog.processlist.lists import lists


@pytest.fixture
def rows():
    def found(text):
        (one,) = lists(text)
        return [row.fields for row in one.rows]

    return found


def test_a_row_has_the_cells_of_its_session(rows, form, session):
    assert rows(form(session(), session(2, None, 17, "Sleep"))) == [
        {"id": "1", "user": "app", "host": "web:40926", "db": "shop", "command": "Query"}
        | {"time": "3", "info": "SELECT * FROM orders"},
        {"id": "2", "user": "app", "host": "web:40926", "db": "shop", "command": "Sleep"}
        | {"time": "17"},
    ]


def test_a_statement_may_have_several_lines(rows, form, session):
    text = "SELECT *\n\n FROM orders\nWHERE a = '\\x' # Time: no field"
    found = rows(form(session(1, text), session(2)))
    assert [each["info"] for each in found] == [text, "SELECT * FROM orders"]


def test_a_statement_may_have_the_signs_of_a_table_in_it(rows, form, session):
    found = rows(form(session(1, "SELECT a || b | c", Progress="0.000"), session(2, Progress="1")))
    assert [each["info"] for each in found] == ["SELECT a || b | c", "SELECT * FROM orders"]
    assert [each["progress"] for each in found] == ["0.000", "1"]


def test_columns_of_the_information_schema_are_read(rows, form, session):
    named = {name.upper(): cell for name, cell in session(TIME_MS="3012.5", QUERY_ID=7).items()}
    (found,) = rows(form(named))
    assert (found["command"], found["time_ms"], found["query_id"]) == ("Query", "3012.5", "7")


def test_what_the_client_says_after_a_list_is_no_statement(rows, printed, session):
    (found,) = rows(printed(session()) + "\n1 row in set (0.00 sec)\n\nmysql> Bye")
    assert found["info"] == "SELECT * FROM orders"


def test_rows_may_be_indented_unevenly(rows, vertical, session):
    text = "\n".join(" " + line for line in vertical(session(), session(2)).splitlines())
    assert [each["id"] for each in rows(text)] == ["1", "2"]


def test_a_killers_line_names_session_command_time_and_statement(rows):
    text = "# 2026-11-30T09:00:00 KILL 8 (Query 42 sec) SELECT *\nFROM orders"
    assert rows(text) == [
        {"id": "8", "command": "Query", "time": "42", "info": "SELECT *\nFROM orders"}
    ]


def test_a_row_that_is_cut_off_has_the_cells_it_has(rows, vertical, session):
    lines = vertical(session()).splitlines()
    assert rows("\n".join(lines[:4]))[0].keys() == {"id", "user", "host"}
