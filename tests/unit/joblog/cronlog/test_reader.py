"""What cron's lines in a syslog say of jobs."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import cronlog
from jobsim.joblog.cronlog.reader import NO_END, ONLY_STARTS, TOO_SHORT
from jobsim.joblog.cronlog.years import OF_OTHERS
from jobsim.joblog.reading import Reading
from jobsim.joblog.schema import schema

BEGIN = Reading(begin=datetime(2024, 1, 1), zone="UTC")


@pytest.fixture
def read(file):
    """Reads lines of a syslog of 2024; a clock time first is put on 9 November, on one host."""

    def read_lines(*lines, name="syslog", reading=BEGIN):
        texts = [f"Nov  9 {line[:8]} web1 {line[9:]}" if line[2] == ":" else line for line in lines]
        return cronlog.read(file(name, *texts), reading)

    return read_lines


def reasons(log):
    return {note.reason: note.count for note in log.notes if not note.reason.startswith("moved")}


def test_a_command_is_a_firing_without_a_wait_and_without_a_run_time(read):
    log = read("12:01:01 CRON[101]: (root) CMD (   cd / && run-parts --report /etc/cron.hourly)")
    assert log.jobs.iloc[0].dropna().to_dict() == {
        "job_id": 0,
        "kind": "run-parts --report cron.hourly",
        "submit_s": 0.0,
        "outcome": "unknown",
        "owner": "root",
    }
    assert log.origin == datetime(2024, 11, 9, 12, 1, 1, tzinfo=UTC)
    assert reasons(log)["marked: submission times are not logged, starts stand for them"] == 1
    assert reasons(log)[ONLY_STARTS] == 1
    assert "jobsim record run" in ONLY_STARTS


def test_lines_of_other_programs_and_of_crontab_are_left(read):
    log = read(
        "12:00:00 sshd[7]: pam_unix(sshd:session): session opened for user root by (uid=0)",
        "12:00:01 systemd[1]: Started cron.service",
        "12:00:02 crontab[8]: (root) BEGIN EDIT (root)",
        "12:00:03 cron[9]: (root) RELOAD (crontabs/root)",
        "12:01:01 CRON[101]: (root) CMD (x)",
        "12:01:01 CROND[101]: (root) CMDOUT (hello)",
        "-- Boot 6b3f with cron --",
    )
    assert log.jobs["kind"].tolist() == ["x"]


def test_cronie_logs_the_end_of_a_command(read):
    log = read(
        "12:01:01 CROND[101]: (root) CMD (run-parts /etc/cron.hourly)",
        "12:01:09 CROND[100]: (root) CMDEND (run-parts /etc/cron.hourly)",
        "12:02:01 CROND[103]: (root) CMD (y)",
    )
    assert log.jobs["run_s"].fillna(-9).tolist() == [8, -9]
    assert reasons(log)[NO_END] == 1


def test_debian_logs_sessions_and_failures(read):
    log = read(
        "12:05:01 CRON[100]: pam_unix(cron:session): session opened for user www(uid=33) by x",
        "12:05:01 CRON[109]: (www) CMD (php /srv/x.php)",
        "12:05:07 CRON[100]: (CRON) error (grandchild #109 failed with exit status 1)",
        "12:05:08 CRON[100]: pam_unix(cron:session): session closed for user www",
    )
    (job,) = log.jobs.itertuples()
    assert (job.run_s, job.outcome, job.owner) == (6, "failed", "www")


def test_debian_with_pids_and_ends_asked_for(read):
    log = read(
        "12:05:01 CRON[9]: (root) CMD ([10] frob >/dev/null 2>&1)",
        "12:05:03 CRON[9]: (CRON) error (grandchild #10 failed with exit status 127)",
        "12:05:04 CRON[9]: (root) END ([10] frob >/dev/null 2>&1)",
    )
    (job,) = log.jobs.itertuples()
    assert (job.kind, job.run_s, job.outcome) == ("frob", 3, "failed")


def test_sessions_of_an_old_crond_are_found_by_the_pid_before(read):
    log = read(
        "- 1131566461 2005.11.09 dn1 Nov 9 12:01:01 dn1/dn1 crond(pam_unix)[15]: session opened"
        " for user root by (uid=0)",
        "- 1131566461 2005.11.09 dn1 Nov 9 12:01:01 dn1/dn1 crond[16]: (root) CMD (/opt/temps a)",
        "- 1131566554 2005.11.09 dn1 Nov 9 12:02:34 dn1/dn1 crond(pam_unix)[15]: session closed"
        " for user root",
        reading=Reading(),
    )
    assert log.jobs["run_s"].tolist() == [93]
    assert log.origin == datetime(2005, 11, 9, 20, 1, 1, tzinfo=UTC)


def test_an_end_in_the_second_of_the_start_is_no_run_time_of_zero(read):
    log = read(
        "12:01:01 crond[100]: pam_unix(crond:session): session closed for user root",
        "12:01:01 crond[100]: pam_unix(crond:session): session opened for user root by (uid=0)",
        "12:01:01 crond[101]: (root) CMD (x)",
    )
    assert log.jobs["run_s"].isna().all()
    assert reasons(log)[TOO_SHORT] == 1


def test_stamps_with_fractions_know_short_run_times(read):
    log = read(
        "2024-03-01T12:00:01.25+01:00 web1 CROND[11]: (root) CMD (x)",
        "2024-03-01T12:00:01.5+01:00 web1 CROND[10]: (root) CMDEND (x)",
        reading=Reading(),
    )
    assert log.jobs["run_s"].tolist() == [0.25]
    assert log.origin == datetime(2024, 3, 1, 11, 0, 1, 250_000, tzinfo=UTC)


def test_busybox_names_the_user_and_the_pid_of_the_command(read):
    log = read(
        "Sat Nov  9 12:01:00 2024 cron.info crond[7]: USER root pid 22868 cmd /root/x.sh",
        "Sat Nov  9 12:01:00 2024 cron.info crond[7]: USER root pid 22869 cmd /root/x.sh",
    )
    assert log.jobs[["kind", "owner"]].values.tolist() == [["x.sh", "root"]] * 2


def test_dcron_names_the_file_too(read):
    log = read("12:01:00 crond[7]: FILE /var/spool/cron/root USER root PID  288 /usr/bin/sync-all")
    assert log.jobs[["kind", "owner"]].values.tolist() == [["sync-all", "root"]]


def test_anacron_logs_when_its_jobs_end_and_whether_they_failed(read):
    log = read(
        "07:00:01 anacron[50]: Anacron started on 2024-11-09",
        "07:00:01 anacron[50]: Job `cron.gone' terminated",
        "07:00:01 anacron[50]: Will run job `cron.daily' in 5 min.",
        "07:05:01 anacron[50]: Job `cron.daily' started",
        "07:05:01 anacron[60]: Updated timestamp for job `cron.daily' to 2024-11-09",
        "07:07:31 anacron[50]: Job `cron.daily' terminated (exit status: 1) (mailing output)",
        "07:10:01 anacron[50]: Job `cron.weekly' started",
        "07:10:03 anacron[50]: Job `cron.weekly' terminated (mailing output)",
        "07:15:01 anacron[50]: Job `cron.monthly' started",
        "07:15:01 anacron[50]: Normal exit (2 jobs run)",
    )
    assert log.jobs[["kind", "outcome"]].values.tolist() == [
        ["cron.daily", "failed"],
        ["cron.weekly", "completed"],
        ["cron.monthly", "unknown"],
    ]
    assert log.jobs["run_s"].fillna(-9).tolist() == [150, 2, -9]
    assert log.jobs["owner"].isna().all()


@pytest.mark.parametrize(
    "dated", ["Anacron 2.3 started on 2009-11-09", "Updated timestamp for job `x' to 2009-11-09"]
)
def test_the_year_is_the_one_that_anacron_says(read, dated):
    log = read(
        "11:01:01 CRON[101]: (root) CMD (x)",
        f"12:00:01 anacron[50]: {dated}",
        "12:01:01 CRON[103]: (root) CMD (x)",
        reading=Reading(zone="UTC"),
    )
    assert log.origin == datetime(2009, 11, 9, 11, 1, 1, tzinfo=UTC)
    assert len(log) == 2
    assert reasons(log)[OF_OTHERS] == 2


def entry(t_us, pid, message, **fields):
    known = {
        "__REALTIME_TIMESTAMP": str(t_us),
        "_HOSTNAME": "web1",
        "SYSLOG_IDENTIFIER": "CRON",
        "_PID": str(pid),
        "MESSAGE": message,
    }
    return json.dumps({**known, **fields})


def test_the_journal_as_json_is_read_to_the_microsecond(read):
    session = "pam_unix(cron:session): session {} for user root(uid=0)"
    log = read(
        entry(1_709_290_801_000_100, 100, session.format("opened")),
        entry(1_709_290_801_000_200, 101, list(b"(root) CMD (x)")),
        entry(1_709_290_801_250_200, 100, session.format("closed")),
        entry(1_709_290_802_000_000, 7, "cron is not its name", SYSLOG_IDENTIFIER="kernel"),
        '["cron"]',
    )
    assert log.jobs[["kind", "run_s"]].values.tolist() == [["x", 0.25]]
    assert log.origin == datetime(2024, 3, 1, 11, 0, 1, 200, tzinfo=UTC)


def test_a_line_of_the_journal_that_is_cut_off_is_a_fault(read):
    whole = entry(1_709_290_801_000_200, 101, "(root) CMD (x)")
    with pytest.raises(LogError, match="syslog:2: "):
        read(whole, whole[:-9])


def test_times_since_the_boot_are_refused_with_the_option_that_gives_dates(read):
    line = "[   12.345678] web1 CRON[101]: (root) CMD (x)"
    assert cronlog.looks_like(line.encode())
    with pytest.raises(LogError, match=r"count from the boot, not from a date; .*-o short-iso"):
        read("[   11.345678] web1 kernel: x", line)


def test_notes_count_firings_and_not_lines(read):
    log = read(
        "12:01:01 CRON[100]: pam_unix(cron:session): session opened for user root by (uid=0)",
        "12:01:01 CRON[101]: (root) CMD (x)",
        "12:01:09 CRON[100]: pam_unix(cron:session): session closed for user root",
        reading=Reading(),
    )
    assert set(reasons(log).values()) == {1}
    assert len(reasons(log)) == 3


def test_the_owner_has_the_host_where_the_log_has_several(read):
    log = read(
        "Nov  9 12:01:01 web1 CRON[1]: (root) CMD (x)",
        "Nov  9 12:01:01 web2 CRON[1]: (root) CMD (x)",
    )
    assert sorted(log.jobs["owner"]) == ["root@web1", "root@web2"]
    assert log.jobs["kind"].tolist() == ["x", "x"]
    assert reasons(log)["marked: from 2 hosts, the same command on each is one kind"] == 2


def test_long_commands_get_short_names_that_stay_apart(read):
    long = "php /srv/app/artisan " + "schedule:run " * 20
    log = read(
        f"12:01:01 CRON[1]: (root) CMD ({long} a)",
        f"12:01:01 CRON[2]: (root) CMD ({long} b)",
        f"12:02:01 CRON[3]: (root) CMD ({long} a)",
    )
    kinds = log.jobs["kind"].tolist()
    assert (kinds[0] == kinds[2], kinds[0] == kinds[1]) == (True, False)
    assert max(map(len, kinds)) < 70


def test_a_line_cut_off_by_syslog_is_still_a_command(read):
    assert read("12:01:01 CRON[1]: (root) CMD (find / -name x").jobs["kind"].tolist() == [
        "find / -name x"
    ]


def test_the_same_line_again_is_dropped_and_counted(read):
    line = "12:01:01 CRON[1]: (root) CMD (x)"
    log = read(line, line, "12:01:01 cron: (root) CMD (x)", "12:01:01 cron: (root) CMD (x)")
    assert len(log) == 3
    assert reasons(log)["dropped: the same line again"] == 1


def test_a_log_newest_first_reads_the_same(read):
    lines = [
        "Dec 31 23:59:01 a CROND[101]: (root) CMD (x)",
        "Dec 31 23:59:09 a CROND[100]: (root) CMDEND (x)",
        "Jan  1 00:00:01 a CROND[201]: (root) CMD (y)",
    ]
    there, back = read(*lines, name="a"), read(*reversed(lines), name="b")
    pd.testing.assert_frame_equal(there.jobs, back.jobs)
    assert there.jobs["submit_s"].tolist() == [0, 60]


def test_local_times_follow_the_clocks_of_the_zone(file):
    path = file(
        "syslog",
        "Oct 27 02:30:01 a CRON[1]: (root) CMD (x)",
        "Oct 27 02:30:01 a CRON[2]: (root) CMD (x)",
        "Oct 27 03:30:01 a CRON[3]: (root) CMD (x)",
    )
    log = cronlog.read(path, Reading(zone="Europe/Berlin", begin=datetime(2024, 1, 1)))
    assert log.jobs["submit_s"].tolist()[-1] == 2 * 3600
    assert any("showed twice" in reason for reason in reasons(log))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Nov 31 12:01:01 a CRON[1]: (root) CMD (x)", r"syslog:2: 'Nov 31 .*day"),
        (":01 a CRON[1]: (root) CMD (x)", r"syslog:2: a command of cron without a time"),
        ("garbage CROND[1]: (root) CMD (x)", r"syslog:2: a command of cron without a time"),
    ],
)
def test_a_line_of_cron_whose_time_cannot_be_read_is_a_fault(read, line, message):
    with pytest.raises(LogError, match=message):
        read("12:01:01 CRON[1]: (root) CMD (x)", line)


@pytest.mark.parametrize(
    "lines",
    [
        ["12:01:01 crond[1]: pam_unix(crond:session): session opened for user root by (uid=0)"],
        ["12:01:01 kernel: x"],
        ["no syslog at all"],
    ],
)
def test_a_log_without_commands_is_refused_with_the_way_to_a_better_one(read, lines):
    with pytest.raises(LogError, match=r"no line of it is a command.*jobsim record run"):
        read(*lines)


def test_a_29_february_that_was_not_is_refused(read):
    with pytest.raises(LogError, match="there is no 29 February in 2023; say with --from"):
        read(
            "Feb 29 12:01:01 a CRON[1]: (root) CMD (x)",
            reading=Reading(begin=datetime(2023, 1, 1)),
        )


@pytest.mark.parametrize(
    ("head", "is_cron"),
    [
        (b"Nov  9 12:01:01 a CRON[1]: (root) CMD (x)\n", True),
        (b"Nov  9 12:01:00 a kernel: x\nNov  9 12:01:01 a CROND[1]: (root) CMD (x)\n", True),
        (b"<78>1 2024-03-01T12:01:01Z a crond 1 - - (root) CMD (x)\n", True),
        (b"Fri Mar  1 12:01:01 2024 cron.info crond[9]: USER root pid 1 cmd x\n", True),
        (b"Nov  9 12:01:01 a CROND[1]: (root) CMDEND (x)\n", True),
        (b"Nov  9 12:01:01 a CRON[1]: pam_unix(cron:session): session opened for user x\n", True),
        (b"Nov  9 12:01:01 a cron[1]: (CRON) INFO (pidfile fd = 3)\n", False),
        (b"Nov  9 12:01:01 a sshd[1]: (root) CMD (x)\n", False),
        (b"# crontab: 1 * * * * root CMD (x)\n", False),
        (b"1 * * * * root /usr/sbin/cron\n", False),
        (b"Nov 99 12:01:01 a CRON[1]: (root) CMD (x)\n", False),
        (b"\xff\x00cron", False),
    ],
)
def test_cron_is_known_by_a_whole_line(head, is_cron):
    assert cronlog.looks_like(head) is is_cron


def test_a_long_syslog_reads_in_bounded_time(file):
    lines = [
        f"Nov  9 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02} a CRON[{n}]: {what}"
        for n in range(0, 86_400, 20)
        for what in (
            "pam_unix(cron:session): session opened for user root by (uid=0)",
            f"(root) CMD (job-{n % 7})",
            "pam_unix(cron:session): session closed for user root",
        )
    ]
    begin = monotonic()
    assert len(cronlog.read(file("syslog.gz", *lines), BEGIN)) == 4_320
    assert monotonic() - begin < 8


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_lines_give_a_right_table_or_a_clear_error(data, tmp_path_factory):
    stamps = ["Nov  9 12:01:01", "Dec 31 23:59:59", "Jan  1 00:00:00", "Feb 29 01:00:00"]
    stamps += ["2024-03-31T02:30:00", "2024-03-31T02:30:00Z", "0001-01-01T00:00:00"]
    messages = ["(root) CMD (x)", "(root) CMDEND (x)", "(a\u00a0b) CMD (\x07)", "() CMD ()"]
    messages += ["session opened for user root by x", "session closed for user root"]
    messages += ["USER u pid 3 cmd y", "(CRON) error (grandchild #2 failed with exit status 1)"]
    stamp = st.sampled_from([*stamps, "Nov 31 00:00:00"]) | st.text(max_size=9)
    message = st.sampled_from(messages) | st.text(max_size=20)
    line = st.builds(
        "{} {} {}[{}]: {}".format,
        stamp,
        st.sampled_from(["web1", "\u2028", "web2"]),
        st.sampled_from(["CRON", "crond"]),
        st.integers(0, 3),
        message,
    )
    path = tmp_path_factory.mktemp("cron") / "syslog"
    path.write_text("\n".join(data.draw(st.lists(line))), encoding="utf-8", errors="replace")
    reading = data.draw(st.sampled_from([Reading(), Reading(zone="Europe/Berlin"), BEGIN]))
    with suppress(LogError):
        log = cronlog.read(path, reading)
        schema().validate(log.jobs, lazy=True)
        assert log.jobs["submit_s"].iloc[0] == 0
        assert (log.jobs["run_s"].dropna() > 0).all()


@settings(max_examples=40, deadline=None)
@given(junk=st.binary(max_size=200), at=st.integers(0, 150))
def test_a_damaged_file_is_a_clear_error_or_a_right_table(junk, at, tmp_path_factory):
    whole = (
        b"Nov  9 12:01:01 a CROND[2]: (root) CMD (x)\nNov  9 12:01:05 a CROND[1]: (root) CMDEND (x)"
    )
    path = tmp_path_factory.mktemp("cron") / "syslog"
    path.write_bytes(whole[:at] + junk + whole[at:])
    with suppress(LogError):
        schema().validate(cronlog.read(path).jobs, lazy=True)
