"""What the entries of a slow log mean for jobs."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import slowlog
from jobsim.joblog.schema import schema

NINE = 1796029200  # 2026-11-30 09:00 UTC


def test_a_statement_starts_when_it_is_submitted_and_runs_its_query_time(read):
    log = read({"stamp": NINE + 10, "query": "2.5", "lock": "2"}, {"stamp": NINE + 20, "query": 1})
    assert log.jobs.iloc[1].dropna().to_dict() == {
        "job_id": 1,
        "kind": "select orders",
        "submit_s": 11.5,
        "start_s": 11.5,
        "run_s": 1.0,
        "outcome": "completed",
        "owner": "app",
    }
    assert log.jobs["run_s"].tolist() == [2.5, 1.0]


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ("  Last_errno: 0  Killed: 0", "completed"),
        ("  Last_errno: 1205  Killed: 0", "failed"),
        ("  Last_errno: 0  Killed: 1", "cancelled"),
        ("  Last_errno: 1317  Killed: 0", "cancelled"),
        (" Errno: 1053 Killed: 1053", "cancelled"),
        (" Errno: 3024 Killed: 0", "timeout"),
        (" Errno: 0 Killed: 3024", "timeout"),
        ("  Last_errno: 1969", "timeout"),
    ],
)
def test_the_outcome_is_that_of_the_servers_errors(read, notes_of, fields, outcome):
    log = read({"stamp": NINE, "fields": fields})
    assert log.jobs["outcome"].tolist() == [outcome]
    assert bool(notes_of(log, "lower bound")) == (outcome in ("cancelled", "timeout"))


def test_an_error_number_of_a_statement_that_changed_rows_is_that_of_a_warning(read, notes_of):
    log = read(
        {"stamp": NINE, "fields": "  Rows_affected: 7", "more": ("# Last_errno: 3170  Killed: 0",)},
        {"stamp": NINE, "fields": "  Rows_affected: 7", "more": ("# Last_errno: 1317  Killed: 0",)},
        {"stamp": NINE, "fields": f"  Rows_affected: {2**64 - 1}  Last_errno: 1062"},
    )
    assert sorted(log.jobs["outcome"]) == ["cancelled", "completed", "failed"]
    assert [count for _, count in notes_of(log, "or a warning")] == [1]


def test_the_missing_quick_statements_are_marked_with_the_quickest_seen(read, notes_of):
    log = read({"stamp": NINE, "query": "1.002"}, {"stamp": NINE, "query": "3.5"})
    ((reason, count),) = notes_of(log, "survivorship")
    assert count == 2
    assert reason.endswith("the quickest here took 1.002 s")


def test_a_sampled_log_is_marked(read, notes_of):
    sampled = ("# Log_slow_rate_type: query  Log_slow_rate_limit: 20",)
    log = read({"stamp": NINE, "more": sampled}, {"stamp": NINE})
    ((reason, count),) = notes_of(log, "one of several")
    assert count == 1
    assert "up to 20" in reason


def test_run_times_that_are_mostly_waits_for_locks_are_marked(read, notes_of):
    log = read({"stamp": NINE, "query": "4", "lock": "3.5"}, {"stamp": NINE, "query": "4"})
    assert notes_of(log, "waiting for locks")[0][1] == 1


def test_query_times_in_whole_seconds_are_marked(read, notes_of):
    log = read({"stamp": NINE, "query": 3, "lock": 0}, {"stamp": NINE, "query": 2, "lock": 0})
    assert notes_of(log, "query times are in whole seconds")[0][1] == 2


def test_what_is_no_statement_is_dropped_and_counted(read, notes_of):
    log = read(
        {"stamp": NINE},
        {"sql": "# administrator command: Binlog Dump;", "stamp": NINE, "query": "86400.5"},
        {"sql": "# administrator command: Quit;", "stamp": NINE},
        {"stamp": NINE, "query": "18446744073709.550781"},
        "# User@Host: app[app] @ web []  Id: 9\nSELECT 1;",
    )
    assert log.jobs["kind"].tolist() == ["select orders", "administrator command Quit"]
    assert notes_of(log, "dropped") == [
        ("dropped: an entry without a query time", 1),
        ("dropped: the session of a replica, no statement", 1),
        ("dropped: a query time of years: the server's clock was set back", 1),
    ]


def test_an_entry_written_twice_is_one_statement(read, notes_of):
    twice = {"stamp": NINE, "query": "2.512345"}
    log = read(twice, twice, {"stamp": NINE, "query": "2.512346"})
    assert len(log) == 2
    assert notes_of(log, "twice") == [("dropped: written twice, word for word", 1)]


@pytest.mark.parametrize("alike", [{"query": "2"}, {"session": None, "user": None}])
def test_entries_that_may_be_two_statements_stay(read, alike):
    assert len(read(*[{"stamp": NINE} | alike] * 2)) == 2


def test_lines_may_end_as_on_windows_and_the_file_may_be_packed(file, entry):
    text = "\r\n".join(
        [entry(stamp=NINE, use="shop").replace("\n", "\r\n"), entry("BEGIN", stamp=NINE + 9), ""]
    )
    log = slowlog.read(file("slow.log.gz", text.encode()))
    assert log.name == "slow"
    assert log.jobs["kind"].tolist() == ["select orders", "begin"]
    assert log.jobs["submit_s"].tolist() == [0, 9]


def test_a_log_without_any_time_is_refused_with_what_would_be_right(read):
    with pytest.raises(LogError, match=r"no statement has a time .*'margin 11:48'.*SET timestamp="):
        read({"time": "margin 11:48"}, {})


def test_a_log_without_entries_is_refused(file):
    banner = "mysqld, Version: 8.0.36 (MySQL). started with:"
    with pytest.raises(LogError, match="no statement with a query time"):
        slowlog.read(file("slow.log", banner))


def test_every_query_time_that_is_no_number_is_listed(read):
    with pytest.raises(LogError) as error:
        read({"stamp": NINE}, {"query": "soon"}, {"query": "-1"})
    assert len(error.value.faults) == 2


ENTRY = st.fixed_dictionaries(
    {},
    optional={
        "sql": st.text(max_size=40),
        "time": st.sampled_from(
            ["261130  9:00:00", "2026-11-30T09:00:00.5Z", "999999 99:99:99", "x", "700101  0:00:00"]
        ),
        "user": st.text(max_size=8),
        "stamp": st.integers(0, 10**12),
        "query": st.decimals(0, 10**6, places=6) | st.sampled_from(["", "x", "9" * 20]),
        "fields": st.sampled_from(["", " Killed: 1", " Start: x", " Errno: 99999999999"]),
    },
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ENTRY, min_size=1, max_size=6), st.data())
def test_any_log_is_a_right_table_or_an_error(entry, file, given_entries, data):
    text = "\n".join(entry(**each) for each in given_entries)
    text = data.draw(st.sampled_from([text, text[: len(text) // 2], text[::-1]]))
    with suppress(LogError):
        log = slowlog.read(file("slow.log", text.encode("utf-8", "replace")))
        schema().validate(log.jobs)
        assert 0 < len(log) <= text.count("# Query_time:")


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 9_999_999)), min_size=1))
def test_what_was_written_is_read_back(entry, file, statements):
    """Written as MySQL 5.7 does: in the order of the ends, with those in microseconds."""
    ends = sorted((start_s * 10**6 + run_us, run_us) for start_s, run_us in statements)
    texts = [
        entry(
            time=f"2026-11-30T{end // 3_600_000_000:02}:{end // 60_000_000 % 60:02}"
            f":{end // 10**6 % 60:02}.{end % 10**6:06}Z",
            query=f"{run / 1e6:.6f}",
            session=number,
        )
        for number, (end, run) in enumerate(ends)
    ]
    log = slowlog.read(file("slow.log", *texts))
    starts = sorted((end - run, run) for end, run in ends)
    found = sorted(zip(log.jobs["submit_s"], log.jobs["run_s"], strict=True))
    assert found == [
        (pytest.approx((start - starts[0][0]) / 1e6, abs=2e-6), pytest.approx(run / 1e6))
        for start, run in starts
    ]


@pytest.mark.parametrize(
    "line", ["# Time: x\n", "# User@Host: a[a] @ b []\n", "#\n", "# Query_time: 1\n"]
)
def test_hostile_logs_take_bounded_time(file, entry, line):
    text = line * 20_000 + entry(stamp=NINE)
    assert len(slowlog.read(file("slow.log", text.encode()))) >= 1
