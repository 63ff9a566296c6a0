"""The process lists of a file."""

from __future__ import annotations

import pytest

from jobsim.joblog.processlist.lists import lists, looks_like


def test_each_list_of_a_file_is_found_with_its_stamp_and_line(form, session):
    one = form(session(), session(2))
    text = f"2026-11-30T09:00:00Z\n{one}\n\n2026-11-30T09:00:02Z\n\n{one}\n"
    found = list(lists(text))
    assert [each.stamp for each in found] == ["2026-11-30T09:00:00Z", "2026-11-30T09:00:02Z"]
    assert [len(each.rows) for each in found] == [2, 2]
    assert found[0].line == 2
    assert {row.fields["info"] for each in found for row in each.rows} == {"SELECT * FROM orders"}


def test_lists_without_stamps_follow_one_another(form, session):
    found = list(lists(f"{form(session())}\n{form(session(), session(2))}"))
    assert [(each.stamp, len(each.rows)) for each in found] == [(None, 1), (None, 2)]


def test_a_number_in_a_statement_is_no_stamp(vertical, session):
    text = vertical(session(1, "SELECT * FROM t WHERE a IN (\n1796029200\n)"), session(2))
    (found,) = lists(text)
    assert found.rows[0].fields["info"].endswith("1796029200\n)")


def test_a_killers_lines_of_one_instant_are_one_list():
    text = "# 2026-11-30T09:00:0{0} KILL {1} (Query 42 sec) SELECT 1"
    found = list(lists("\n".join(text.format(at, at + n) for at in range(2) for n in range(2))))
    assert [(each.stamp, len(each.rows)) for each in found] == [
        ("2026-11-30T09:00:00", 2),
        ("2026-11-30T09:00:01", 2),
    ]


def test_a_list_is_known_by_its_first_columns(form, session):
    assert looks_like(f"Mon Nov 30 09:00:00 UTC 2026\n{form(session())}".encode())
    assert looks_like(form(session()).replace("\n", "\r\n").encode())
    assert looks_like(b"# 2026-11-30T09:00:00 KILL 8 (Query 42 sec) SELECT 1\n")


@pytest.mark.parametrize(
    "text",
    [
        "*************************** 1. row ***************************\n  Table: orders\n",
        "| Id | Name |\n",
        "id,user,host\n1,app,web\n",
        "id,user,host,time,command\n1,app,web,3,backup\n",
        '[{"id": 1, "user": "app", "command": "backup", "time": 3}]',
        "[root@db ~]# mysql\n",
        "id\tsubmit\n",
        "# Query_time: 1  Lock_time: 0\n",
    ],
)
def test_other_output_of_the_client_is_not_claimed(text):
    assert not looks_like(text.encode())
