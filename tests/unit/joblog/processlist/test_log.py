"""What process lists mean for jobs."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import processlist
from jobsim.joblog.reading import Reading
from jobsim.joblog.schema import schema


def test_a_statement_began_its_time_before_the_list(read, form, session, notes_of):
    log = read(form(session(1, Time=10), session(2, "UPDATE lines SET a = 1", 4)))
    assert log.origin is None
    assert log.jobs.iloc[1].dropna().to_dict() == {
        "job_id": 1,
        "kind": "update lines",
        "submit_s": 6.0,
        "start_s": 6.0,
        "run_s": 4.0,
        "outcome": "unknown",
        "owner": "app",
    }
    assert log.jobs["submit_s"].tolist() == [0, 6]
    assert notes_of(log, "lower bound")[0][1] == 2
    assert notes_of(log, "survivorship")[0][1] == 2


def test_sessions_without_a_statement_are_dropped_by_reason(read, form, session, notes_of):
    log = read(
        form(
            session(1),
            session(2, None, 99, "Sleep"),
            session(3, None, 99, "Binlog Dump"),
            session(4, "INSERT INTO t VALUES (1)", 5, User="system user"),
            session(5, None, 99, "Daemon"),
            session(6, None, None, "Connect"),
            session(7, None, 0, "Quit"),
            session(8, None),
            session(9, "show full processlist", 0),
            session(10, "SELECT * FROM information_schema.processlist", 0),
            session(13, "SELECT id FROM `processlist` WHERE time > 9", 0),
            session(14, "SELECT * FROM sys.session", 0),
            session(15, "SELECT * FROM performance_schema.threads", 0),
            session(11, Time=None),
            session(12, Time=4294967295),
        )
    )
    assert len(log) == 1
    assert dict(notes_of(log, "dropped")) == {
        "dropped: asleep, with no statement at work": 1,
        "dropped: replication": 2,
        "dropped: a thread of the server itself": 1,
        "dropped: a session that is logging in, or replication": 1,
        "dropped: a session that is ending": 1,
        "dropped: no statement in it (Info is empty)": 1,
        "dropped: the listing itself": 5,
        "dropped: how long it has run is not known": 2,
    }


def test_a_killed_statement_that_still_runs_is_cancelled(read, form, session):
    log = read(form(session(1), session(2, Command="Killed"), session(3, None, 0, "Killed")))
    assert log.jobs["outcome"].tolist() == ["unknown", "cancelled"]


def test_executed_statements_are_at_work_too(read, form, session):
    assert len(read(form(session(1, Command="Execute"), session(2, Command="Fetch")))) == 2


def test_times_may_have_decimals_or_milliseconds(read, form, session, notes_of):
    log = read(form(session(1, Time="3.25"), session(2, Time="4")))
    assert log.jobs["run_s"].tolist() == [4, 3.25]
    assert notes_of(log, "whole seconds") == []
    log = read(form(session(1, Time=3, Time_ms="3021.5"), session(2, Time=4, Time_ms="0.000")))
    assert log.jobs["run_s"].tolist() == [4, 3.0215]


def test_stamped_lists_give_the_instants(read, form, session, notes_of):
    one, other = form(session(Time=5)), form(session(Time=15), session(2, Time=1))
    log = read("2026-11-30T09:00:00Z", one, "", "2026-11-30T09:00:10Z", other)
    assert log.origin == datetime(2026, 11, 30, 8, 59, 55, tzinfo=UTC)
    assert log.jobs["submit_s"].tolist() == [0, 14]
    assert log.jobs["run_s"].tolist() == [15, 1]
    assert notes_of(log, "joined") == [
        ("mended: seen in several lists, joined to one statement", 1)
    ]


def test_stamps_without_offset_take_the_users_zone(read, form, session):
    log = read("2026-11-30 10:00:00", form(session()), reading=Reading(zone="Europe/Berlin"))
    assert log.origin == datetime(2026, 11, 30, 8, 59, 57, tzinfo=UTC)


def test_a_statement_that_is_gone_by_the_next_list_is_marked(read, form, session, notes_of):
    log = read(
        "2026-11-30T09:00:00Z", form(session(1)), "2026-11-30T09:00:10Z", form(session(2, Time=4))
    )
    assert [count for _, count in notes_of(log, "gone by the next list")] == [1]
    assert [count for _, count in notes_of(log, "still running")] == [1]


def test_lists_without_stamps_are_dated_by_sessions_in_both(read, form, session, notes_of):
    idle = {"Info": None, "Command": "Sleep"}
    one = form(session(1, Time=5), session(9, **idle | {"Time": 100}))
    other = form(session(2, Time=1), session(9, **idle | {"Time": 104}))
    log = read(one, other)
    assert log.jobs["submit_s"].tolist() == [0, 8]
    assert "guessed: the time between two lists" in notes_of(log, "guessed")[0][0]


def test_lists_whose_times_do_not_follow_are_refused_with_a_way_to_make_them(read, form, session):
    with pytest.raises(LogError, match=r"no session in common; a line with the time before each"):
        read(form(session(1)), form(session(2)))


def test_stamps_before_some_lists_only_are_refused(read, form, session):
    with pytest.raises(LogError, match=r"lists.txt:\d+: this list has no time stamp"):
        read("2026-11-30T09:00:00Z", form(session(1)), form(session(1)))


def test_a_stamp_that_no_calendar_has_is_refused(read, form, session):
    wrong = r":2: '2026-11-31 09:00:00', when the list was made, is no time"
    with pytest.raises(LogError, match=wrong):
        read("2026-11-31 09:00:00", form(session()))


def test_each_row_may_say_when_its_list_was_made(read, form, session):
    """The newest first, in one table, with a row of each list."""
    at = "2026-11-30 09:00:{}0.5"
    log = read(
        form({"NOW()": at.format(1)} | session(Time=15), {"NOW()": at.format(0)} | session(Time=5))
    )
    assert log.origin == datetime(2026, 11, 30, 8, 59, 55, 500_000, tzinfo=UTC)
    assert log.jobs["run_s"].tolist() == [15]


def test_json_is_read_as_a_list(file, session, notes_of):
    idle = session(2, None, 7, "Sleep")
    log = processlist.read(file("list.json", json.dumps({"rows": [session(1, Time=2.5), idle]})))
    assert log.jobs["run_s"].tolist() == [2.5]
    assert [count for _, count in notes_of(log, "asleep")] == [1]


@pytest.mark.parametrize("text", ["Id,User,Host,Command,Time,Info\n1,app", '[{"Id": 1'])
def test_csv_and_json_that_are_cut_off_are_refused(read, text):
    with pytest.raises(LogError, match=r"line \d.*as the client printed or exported it|no row"):
        read(text)


def test_threads_of_the_performance_schema_are_sessions(read, form):
    names = ("ID", "USER", "HOST", "DB", "COMMAND", "TIME", "STATE", "INFO")
    cells = (7, "app", "web", "shop", "Query", 4, "executing", "SELECT * FROM orders")
    thread = {f"PROCESSLIST_{name}": cell for name, cell in zip(names, cells, strict=True)}
    log = read(form({"THREAD_ID": 48, "NAME": "x", "TYPE": "FOREGROUND"} | thread | {"ROLE": None}))
    assert log.jobs[["run_s", "owner", "kind"]].to_numpy().tolist() == [[4, "app", "select orders"]]


def test_sessions_of_sys_name_the_host_with_the_user_and_shorten_statements(read, form, notes_of):
    view = {"thd_id": 48, "conn_id": 7, "user": "app@web", "db": "shop", "command": "Query"}
    view |= {"state": "executing", "time": 4, "current_statement": "SELECT a ... FROM orders"}
    log = read(form(view | {"statement_latency": "4.01 s", "last_statement": None}))
    assert log.jobs[["run_s", "owner", "kind"]].to_numpy().tolist() == [[4, "app", "select orders"]]
    assert [count for _, count in notes_of(log, "shortens")] == [1]


def test_of_a_few_columns_in_another_order_the_users_may_be_missing(read, form, notes_of):
    chosen = {"id": 7, "time": 4, "state": "init", "command": "Query"}
    log = read(form(chosen | {"info": "SELECT * FROM orders"}))
    assert log.jobs["owner"].isna().all()
    assert log.jobs["kind"].tolist() == ["select orders"]


def test_a_proxy_may_tell_milliseconds_alone(read, form):
    shown = {"ThreadID": 1, "SessionID": 5, "user": "app", "db": "shop", "command": "Query"}
    log = read(form(shown | {"time_ms": 1563, "info": "SELECT * FROM orders"}))
    assert log.jobs["run_s"].tolist() == [1.563]


def test_a_killers_report_is_marked_as_one(read, notes_of):
    log = read("# 2026-11-30T09:00:00Z KILL 8 (Query 42 sec) SELECT * FROM orders")
    assert log.jobs["run_s"].tolist() == [42]
    assert log.jobs["owner"].isna().all()
    assert notes_of(log, "reported by a query killer")[0][1] == 1


def test_statements_cut_by_the_server_are_marked(read, form, session, notes_of):
    cut = ("SELECT " + "a" * 100)[:100]
    assert notes_of(read(form(session(1, cut), session(2))), "cut at 100")[0][1] == 1
    assert notes_of(read(form(session(1, cut), session(2, cut + "b"))), "cut at 100") == []


def test_a_time_that_is_no_number_is_a_fault_with_its_line(read, form, session):
    with pytest.raises(LogError, match=r"lists.txt:\d+: Time is 'soon', not a number") as error:
        read(form(session(), session(2, Time="soon"), session(3, Time="late")))
    assert len(error.value.faults) == 2


def test_a_list_of_sleepers_is_refused(read, form, session):
    with pytest.raises(LogError, match="no statement is at work in it"):
        read(form(session(1, None, 9, "Sleep")))


def test_a_file_without_a_list_is_refused(read):
    with pytest.raises(LogError, match="there is no row of a process list"):
        read("hello")


def test_a_row_that_is_cut_off_is_dropped(read, vertical, session, notes_of):
    text = vertical(session(1), session(2))
    log = read(text[: text.rindex("Command")])
    assert notes_of(log, "cut off") == [("dropped: a row that is no session's, or cut off", 1)]


SESSION = st.fixed_dictionaries(
    {},
    optional={
        "Id": st.integers(0, 3) | st.text(max_size=3),
        "Info": st.none() | st.text(max_size=30),
        "Time": st.integers(-1, 10**10) | st.none() | st.text(max_size=3),
        "Command": st.sampled_from(["Query", "Sleep", "Killed", "", "x|y"]),
        "User": st.text(max_size=5),
    },
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(SESSION, min_size=1, max_size=4), min_size=1, max_size=3), st.data())
def test_any_file_is_a_right_table_or_an_error(form, session, file, drawn, data):
    stamps = data.draw(st.lists(st.sampled_from(["", "1796029200", "x"]), min_size=3, max_size=3))
    pieces = [
        f"{stamp}\n{form(*(session(**each) for each in sessions))}"
        for stamp, sessions in zip(stamps, drawn, strict=False)
    ]
    text = "\n".join(pieces)
    text = data.draw(st.sampled_from([text, text[: len(text) // 2], text[::-1]]))
    with suppress(LogError):
        log = processlist.read(file("lists.txt", text.encode("utf-8", "replace")))
        schema().validate(log.jobs)
        assert 0 < len(log) <= sum(map(len, drawn))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(10, 60)), min_size=1, max_size=8),
    st.integers(2, 9),
)
def test_what_ran_is_found_again_in_lists_of_it(form, session, file, runs, every_s):
    """Each statement, in a session of its own, that runs for longer than the time between lists."""
    texts, longest = [], {}
    for at_s in range(0, 130, every_s):
        running = [(n, at_s - s) for n, (s, run) in enumerate(runs) if s <= at_s < s + run]
        longest |= dict(running)
        if running:
            texts.append(str(1_796_029_200 + at_s))
            texts.append(form(*(session(n, f"SELECT {n}", time_s) for n, time_s in running)))
    log = processlist.read(file("lists.txt", *texts))
    first_s = min(start_s for start_s, _ in runs)
    found = sorted(zip(log.jobs["submit_s"], log.jobs["run_s"], strict=True))
    assert found == sorted((runs[n][0] - first_s, time_s) for n, time_s in longest.items())


@pytest.mark.parametrize(
    "piece", ["1. row", "|", "+--+", "\t1", "# 2026-", "2026-11-30T09:00:00Z\n"]
)
def test_hostile_files_take_bounded_time(form, session, file, piece):
    text = form(session()).replace("SELECT", piece * 20_000)
    with suppress(LogError):
        processlist.read(file("lists.txt", text, *[form(session())] * 200))
