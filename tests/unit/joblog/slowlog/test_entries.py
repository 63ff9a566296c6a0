"""Where the entries of a slow log begin and end, and what their lines say."""

from __future__ import annotations

import pytest

from jobsim.errors import LogError
from jobsim.joblog.faultlist import FaultList
from jobsim.joblog.slowlog.entries import entries, has_entries

BANNER = (
    "/usr/sbin/mysqld, Version: 5.7.40 (MySQL Community Server (GPL)). started with:\n"
    "Tcp port: 3306  Unix socket: /run/mysqld.sock\n"
    "Time                 Id Command    Argument"
)


@pytest.fixture
def found():
    """The entries of a log of these texts."""

    def parsed(*texts):
        faults = FaultList("slow.log")
        result = entries("\n".join(texts).encode() + b"\n", faults).found
        faults.raise_if_any()
        return result

    return parsed


def test_an_entry_says_its_time_user_session_and_query_time(found, entry):
    (one,) = found(BANNER, entry(time="2026-11-30T09:00:00.250000Z", stamp=1796029200, use="shop"))
    assert one.time == "2026-11-30T09:00:00.250000Z"
    assert one.stamp_s == 1796029200
    assert (one.query_s, one.lock_s) == (2.5, 0.0001)
    assert (one.user, one.session) == ("app", "4")
    assert (one.error, one.killed, one.sampled) == (0, 0, 1)
    assert one.kind == "select orders"


def test_a_time_and_a_user_may_share_a_line(found):
    (one,) = found(
        "# Time: 261130  9:00:00 # User@Host: [replica] @  []",
        "# Query_time: 1  Lock_time: 0  Rows_sent: 0  Rows_examined: 0",
        "BEGIN;",
    )
    assert (one.time, one.user, one.kind) == ("261130  9:00:00", "replica", "begin")


def test_a_log_made_of_the_traffic_names_the_client_in_place_of_the_user(found):
    (one,) = found(
        "# Time: 261130  9:00:00",
        "# Client: 10.0.0.3:12345",
        "# Query_time: 1  Lock_time: 0  Rows_sent: 0  Rows_examined: 0",
        "BEGIN;",
    )
    assert (one.time, one.user, one.kind) == ("261130  9:00:00", None, "begin")


def test_an_account_stands_for_a_missing_login_name(found, entry):
    assert found(entry(user="app[] @ web []"))[0].user == "app"
    assert found(entry(user="[] @ web []"))[0].user == ""
    assert found(entry(user=None))[0].user is None


def test_percona_lines_are_read_where_they_stand(found, entry):
    (one,) = found(
        "# User@Host: app[app] @ localhost []",
        "# Thread_id: 47  Schema: shop  Last_errno: 1205  Killed: 1317",
        "# Query_time: 1.5  Lock_time: 1.25  Rows_sent: 0  Rows_examined: 0  Rows_affected: 0",
        "# Bytes_sent: 545  Tmp_tables: 0  Tmp_disk_tables: 0  Tmp_table_sizes: 0",
        "# InnoDB_trx_id: 1A88583F",
        "# QC_Hit: No  Full_scan: Yes  Full_join: No  Tmp_table: No  Tmp_table_on_disk: No",
        "#   InnoDB_IO_r_ops: 0  InnoDB_IO_r_bytes: 0  InnoDB_IO_r_wait: 0.000000",
        "# Log_slow_rate_type: query  Log_slow_rate_limit: 20",
        "SET last_insert_id=3,insert_id=4,timestamp=1796029200;",
        "UPDATE orders SET a = 1;",
    )
    assert (one.session, one.error, one.killed, one.sampled) == ("47", 1205, 1317, 20)
    assert (one.stamp_s, one.kind) == (1796029200, "update orders")


def test_mariadb_plans_between_header_and_statement_are_passed_over(found, entry):
    plan = ("#", "# explain: id\tselect_type\ttable", "# explain: 1\tSIMPLE\torders", "#")
    (one,) = found(entry(more=("# Rows_affected: 0  Bytes_sent: 9", *plan), stamp=1796029200))
    assert (one.stamp_s, one.kind) == (1796029200, "select orders")


def test_fields_that_mysql_8_adds_to_the_line_are_read(found, entry):
    start = "2026-11-30T09:00:00.000000Z"
    (one,) = found(entry(fields=f" Thread_id: 4 Errno: 1317 Killed: 0 Start: {start} End: x"))
    assert (one.error, one.start) == (1317, start)


def test_a_statement_may_have_several_lines_and_comments_that_look_like_headers(found, entry):
    sql = "SELECT *\n# Note: no header\nFROM orders\n\n# and\nJOIN lines USING (id)"
    one, other = found(entry(sql), entry("BEGIN"))
    assert (one.kind, other.kind) == ("select orders, lines", "begin")


def test_administrator_commands_are_statements(found, entry):
    kinds = [each.kind for each in found(entry("# administrator command: Quit;"), entry("BEGIN"))]
    assert kinds == ["administrator command Quit", "begin"]


def test_an_entry_without_a_statement_does_not_swallow_the_next(found, entry):
    headless = entry().rpartition("\n")[0]
    assert [each.kind for each in found(headless, entry("BEGIN"))] == ["other", "begin"]


def test_a_header_without_a_query_time_ends_the_statement_before_it(found, entry):
    torn = "# User@Host: app[app] @ web []  Id: 9\nSELECT * FROM torn;"
    one, other = found(entry(), torn, entry("BEGIN"))
    assert (one.kind, other.kind) == ("select orders", "begin")
    assert entries(f"{torn}\n{entry()}".encode(), FaultList("slow.log")).broken == 1


def test_a_query_time_that_is_no_number_is_a_fault_with_its_line(found, entry):
    with pytest.raises(LogError) as error:
        found(BANNER, entry(), entry(query="soon"), entry(query="1e5"))
    assert [fault.line for fault in error.value.faults] == [8, 11]
    assert "Query_time is 'soon', not a number" in str(error.value)


def test_bytes_that_are_no_text_do_no_harm(found):
    data = b"# User@Host: caf\xe9[caf\xe9\x07] @ x []\n# Query_time: 1  Lock_time: 0\nSELECT \xff\n"
    (one,) = entries(data, FaultList("slow.log")).found
    assert one.user.isprintable()
    assert one.kind == "select"


def test_a_log_is_known_by_the_line_that_every_entry_has(entry):
    assert has_entries(entry().encode())
    assert not has_entries(BANNER.encode())
    assert not has_entries(b"submit_s,run_s\n1,2\n")
    assert not has_entries(b"say '# Query_time: 1  Lock_time: 0'\n")
