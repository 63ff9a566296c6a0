"""What the times of a slow log mean."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from jobsim.joblog.reading import Reading
from jobsim.joblog.slowlog.instants import lone

NINE = 1796029200  # 2026-11-30 09:00 UTC
MARIADB = "mariadbd, Version: 10.11.19-MariaDB (Debian 12). started with:"


def instants(log):
    """The submissions in seconds after nine o'clock."""
    return (log.jobs["submit_s"] + log.origin.timestamp() - NINE).round(6).tolist()


def test_an_iso_time_is_the_end(read):
    log = read({"time": "2026-11-30T09:00:10.250000Z", "stamp": NINE + 10, "query": "2.5"})
    assert instants(log) == [7.75]
    assert log.origin == datetime(2026, 11, 30, 9, 0, 7, 750_000, UTC)


def test_an_iso_time_may_have_an_offset(read):
    assert instants(read({"time": "2026-11-30T10:00:10.250000+01:00"})) == [7.75]


def test_mysql_8_stamps_the_start_and_prints_the_end(read):
    banner = "mysqld, Version: 8.0.36 (MySQL). started with:"
    log = read(banner, {"time": "2026-11-30T09:00:10.000000Z", "stamp": NINE + 7, "query": "2.5"})
    assert instants(log) == [7.5]


@pytest.mark.parametrize(
    ("version", "start"),
    [
        ("5.7.40", 7.5),
        ("8.0.13", 7.5),
        ("8.0.14", 10),
        ("8.0.36", 10),
        ("8.4.0", 10),
        ("9.1.0", 10),
    ],
)
def test_a_stamp_alone_is_the_end_before_mysql_8_0_14_and_the_start_from_then_on(
    read, version, start
):
    banner = f"mysqld, Version: {version} (MySQL). started with:"
    assert instants(read(banner, {"stamp": NINE + 10, "query": "2.5"})) == [start]


def test_a_field_that_gives_the_start_is_taken_at_its_word(read):
    fields = " Start: 2026-11-30T09:00:03.125000Z End: 2026-11-30T09:00:05.625000Z"
    log = read({"time": "2026-11-30T09:00:05.625000Z", "fields": fields, "query": "2.5"})
    assert instants(log) == [3.125]


def test_an_old_time_is_local_and_its_hour_may_have_one_digit(read, notes_of):
    log = read({"time": "261130  9:00:10", "query": "2.5"})
    assert instants(log) == [7.5]
    assert notes_of(log, "taken as UTC") == [
        ("marked: times name no zone, taken as UTC (--zone says another)", 1)
    ]
    there = read({"time": "261130 10:00:10", "query": "2.5"}, reading=Reading(zone="Europe/Berlin"))
    assert instants(there) == [7.5]


def test_an_old_time_may_have_a_fraction_that_its_stamp_lacks(read, notes_of):
    log = read(
        {"time": "261130 12:00:10.250000", "stamp": NINE + 10, "query": "2.5"},
        {"time": "261130 12:00:11.250000", "stamp": NINE + 12, "query": "2.5"},
    )
    assert instants(log) == [7.75, 9.5]
    assert notes_of(log, "whole seconds")[0][1] == 1
    assert instants(read({"time": "261130  9:00:10.250000", "query": "2.5"})) == [7.75]


def test_a_stamp_is_preferred_to_a_local_time(read, notes_of):
    log = read({"time": "261130 11:00:10", "stamp": NINE + 10, "query": "2.5"})
    assert instants(log) == [7.5]
    assert notes_of(log, "zone") == []


def test_a_local_time_without_a_stamp_takes_the_offset_that_others_show(read, notes_of):
    log = read(
        {"time": "261130 10:00:10", "stamp": NINE + 10, "query": "1"},
        {"time": "261130 10:00:20", "query": "1"},
    )
    assert instants(log) == [9, 19]
    assert notes_of(log, "offset")[0][1] == 1


def test_an_entry_without_a_time_is_of_the_second_printed_last(read):
    log = read({"time": "261130  9:00:10", "query": "1"}, {"query": "4"}, {"query": "2"})
    assert instants(log) == [6, 8, 9]


def test_a_time_that_cannot_be_read_is_not_carried_on(read, notes_of):
    log = read({"time": "261130  9:00:10"}, {"time": "margin 9:00:11"}, {}, {"stamp": NINE + 20})
    assert len(log) == 2
    assert notes_of(log, "dropped") == [("dropped: no time that can be read", 2)]


def test_times_in_whole_seconds_are_marked(read, notes_of):
    log = read({"stamp": NINE}, {"time": "2026-11-30T09:00:10.250000Z"})
    assert notes_of(log, "whole seconds")[0][1] == 1


@pytest.mark.parametrize(
    ("version", "start"),
    [
        ("10.3.13", 7.5),
        ("10.6.16", 7.5),
        ("10.6.17", 10),
        ("10.8.3", 7.5),
        ("10.11.6", 7.5),
        ("11.3.2", 10),
        ("11.4.0", 10),
        ("12.0.1", 10),
    ],
)
def test_mariadb_prints_ends_up_to_the_releases_of_early_2024(read, version, start):
    banner = f"mariadbd, Version: {version}-MariaDB-log (mariadb.org). started with:"
    assert instants(read(banner, {"stamp": NINE + 10, "query": "2.5"})) == [start]


def test_the_last_banner_of_mariadb_counts(read):
    older = MARIADB.replace("10.11.19", "10.3.13")
    assert instants(read(older, MARIADB, {"stamp": NINE + 10, "query": "2.5"})) == [10]


def test_a_log_of_mariadb_without_its_version_is_judged_by_its_age(read):
    old = read({"stamp": 1_500_000_010, "query": "2.5", "more": ("# QC_hit: No",)})
    assert old.origin.timestamp() == 1_500_000_007.5
    assert instants(read({"stamp": NINE + 10, "more": ("# QC_hit: No",)})) == [10]


def test_mariadb_logs_starts(read, notes_of):
    log = read(MARIADB, {"time": "261130  9:00:10", "stamp": NINE + 10, "query": "2.5"})
    assert instants(log) == [10]
    assert notes_of(log, "guessed") == [
        ("guessed: times taken as those of starts, not of ends, as its server logs them", 1)
    ]


def test_the_order_of_the_ends_shows_that_times_are_ends(read, notes_of):
    """An older MariaDB: taken as starts, the second would have ended before the first."""
    log = read(MARIADB, *({"stamp": NINE + 10 + n, "query": 20 - 9 * n} for n in range(3)))
    assert instants(log) == [-10, 0, 10]
    assert notes_of(log, "starts") == []


def test_the_order_of_the_ends_shows_that_times_are_starts(read, notes_of):
    """The longest began first and ended last, and no banner says which server this is."""
    log = read(
        {"stamp": NINE + 10, "query": 1, "session": 5},
        {"stamp": NINE, "query": 60},
        {"stamp": NINE + 70, "query": 1},
    )
    assert instants(log) == [0, 10, 70]
    assert "as the order of the log shows" in notes_of(log, "guessed")[0][0]


def test_a_session_has_one_statement_at_a_time(read):
    """As ends, the second would have begun while the first ran."""
    log = read({"stamp": NINE, "query": "9.9"}, {"stamp": NINE + 10, "query": "9.9"})
    assert instants(log) == [-9.9, 0.1]
    log = read({"stamp": NINE, "query": "9"}, {"stamp": NINE + 10, "query": "20"})
    assert instants(log) == [0, 10]


def test_a_log_may_be_the_newest_first(read):
    log = read(*({"stamp": NINE + 30 - 10 * n, "query": 8 + n} for n in range(3)))
    assert instants(log) == [0, 11, 22]


def test_a_session_that_set_another_time_is_dropped(read, notes_of):
    log = read(
        MARIADB, *({"stamp": NINE + n} for n in range(2)), {"stamp": 86_400}, {"stamp": NINE + 3}
    )
    assert len(log) == 3
    assert [count for _, count in notes_of(log, "another time")] == [1]


def test_a_time_is_lone_only_between_neighbours_that_are_near():
    year_s = 366 * 86400
    assert lone(np.array([0.0, 5 * year_s, 1.0])).tolist() == [False, True, False]
    assert not lone(np.array([0.0, 5 * year_s, 10 * year_s])).any()
    assert not lone(np.array([0.0, 5 * year_s])).any()
    assert not lone(np.array([0.0, np.nan, 1.0])).any()
