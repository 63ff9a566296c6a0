"""systemd timers as plans."""

from __future__ import annotations

from time import monotonic

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog.schedule import systemd
from jobsim.joblog.schema import schema

DAILY = """\
[Unit]
Description=x

[Timer]
OnCalendar=*-*-* 06:00

[Install]
WantedBy=timers.target
"""
CAT = """\
# /lib/systemd/system/tidy.timer
[Timer]
OnBootSec=15min
OnUnitActiveSec=6h

# /etc/systemd/system/report.timer
[Timer]
OnCalendar=Mon..Fri 02:30
Unit=make-report.service

# /etc/systemd/system/make-report.service
[Service]
User=bob
ExecStart=/bin/x
"""


def timer(*lines):
    return "\n".join(["[Timer]", *lines, ""])


def test_a_timer_starts_the_service_of_its_name(play, shown):
    log = play(systemd.read, DAILY, name="backup.timer", days=2)
    assert set(log.jobs["kind"]) == {"backup.service"}
    assert log.jobs["owner"].isna().all()
    assert shown(log) == ["05 06:00", "06 06:00"]


def test_several_units_are_several_kinds_and_a_service_names_its_user(play, shown):
    log = play(systemd.read, CAT)
    assert dict(zip(shown(log), log.jobs["kind"], strict=True)) == {
        "05 00:15": "tidy.service",
        "05 02:30": "make-report.service",
        "05 06:15": "tidy.service",
        "05 12:15": "tidy.service",
        "05 18:15": "tidy.service",
    }
    owners = log.jobs.loc[log.jobs["owner"].notna(), ["kind", "owner"]].drop_duplicates()
    assert owners.to_numpy().tolist() == [["make-report.service", "bob"]]


def test_the_begin_stands_for_boot_and_that_is_marked(play, counts):
    assert counts(play(systemd.read, CAT), "counted from boot") == [4]


def test_an_hour_left_out_has_no_firing(play, shown, counts):
    text = timer("OnCalendar=02:30", "OnCalendar=*:00")
    log = play(systemd.read, text, begin="2026-03-29", days=0.2, zone="Europe/Berlin")
    assert shown(log, "Europe/Berlin", "%H:%M") == ["00:00", "01:00", "03:00", "04:00", "05:00"]
    assert counts(log, "never happens") == [2]


def test_an_hour_shown_twice_has_firings_only_the_first_time(play, shown, counts):
    text = timer("OnCalendar=*:0/30")
    log = play(systemd.read, text, begin="2026-10-25T01:30", days=0.1, zone="Europe/Berlin")
    assert shown(log, "Europe/Berlin", "%H:%M%z") == ["01:30+0200", "02:00+0200", "02:30+0200"]
    assert counts(log, "the first time only") == [2]


def test_the_zone_and_its_rule_are_stated_whoever_names_it(play, counts):
    log = play(systemd.read, timer("OnCalendar=9:00 Asia/Tokyo", "OnCalendar=9:00"))
    assert log.jobs["submit_s"].tolist() == [0, 32_400]
    assert counts(log, "the clock of Asia/Tokyo, which the timer names; when it is set") == [2]
    assert counts(log, "fired by the clock of UTC") == [2]


def test_calendar_events_at_one_instant_fire_once(play):
    log = play(systemd.read, timer("OnCalendar=hourly", "OnCalendar=daily"))
    assert log.jobs["submit_s"].tolist() == list(np.arange(24) * 3600.0)


def test_what_counts_from_the_last_start_counts_anew_from_each_calendar_event(play, shown):
    log = play(systemd.read, timer("OnCalendar=0/10:00", "OnUnitActiveSec=4h"))
    assert shown(log, form="%H") == ["00", "04", "08", "10", "14", "18", "20"]


def test_fractions_of_a_second_are_kept(play):
    log = play(systemd.read, timer("OnActiveSec=1.5s"))
    assert log.jobs["submit_s"].tolist() == [1.5]


def test_what_no_schedule_knows_is_dropped_with_the_reason(play, counts):
    text = timer("OnCalendar=daily", "OnUnitInactiveSec=1h", "OnClockChange=yes")
    log = play(systemd.read, text)
    assert counts(log, "OnUnitInactiveSec counts from the end of a run") == [1]
    assert counts(log, "changes of the clock") == [1]
    with pytest.raises(LogError, match="nothing makes the first"):
        play(systemd.read, timer("OnUnitActiveSec=1h"))


def test_what_counts_from_the_end_of_a_run_is_played_where_its_run_time_is_stated(
    play, shown, counts
):
    text = timer("OnBootSec=1h", "OnUnitInactiveSec=5h 50min")
    assert shown(play(systemd.read, text)) == ["05 01:00"]
    log = play(systemd.read, text, assume_run_s=600.0)
    assert shown(log) == ["05 01:00", "05 07:00", "05 13:00", "05 19:00"]
    assert counts(log, "takes as long as --assume-run") == [4]
    assert counts(log, "dropped") == []


def test_the_sooner_of_two_counts_goes_first(play):
    text = timer("OnBootSec=0", "OnUnitInactiveSec=1h", "OnUnitActiveSec=2h")
    assert len(play(systemd.read, text, assume_run_s=1800.0)) == 16
    assert len(play(systemd.read, text, assume_run_s=7200.0)) == 12


def test_a_comment_behind_a_value_is_a_fault_that_says_so(play):
    with pytest.raises(LogError, match=r"schedule:2: OnCalendar.*a comment on a line of its own"):
        play(systemd.read, timer("OnCalendar=Mon 15:00 # at three"))


def test_delays_that_systemd_draws_and_catching_up_are_noted(play, counts):
    text = timer("OnCalendar=daily", "RandomizedDelaySec=12h", "Persistent=true", "AccuracySec=1s")
    log = play(systemd.read, text)
    for reason in ("RandomizedDelaySec=12h", "Persistent=true", "AccuracySec=1s"):
        assert counts(log, reason) == [1]
    plain = play(systemd.read, timer("OnCalendar=daily", "RandomizedDelaySec=0"))
    assert counts(plain, "RandomizedDelaySec") == counts(plain, "Persistent") == []
    assert counts(plain, "AccuracySec=1min") == [1]


def test_every_wrong_line_is_listed(play):
    text = timer("OnCalendar=25:00", "OnBootSec=soon", "nonsense")
    with pytest.raises(LogError) as refused:
        play(systemd.read, text)
    assert [fault.line for fault in refused.value.faults] == [2, 3, 4]
    assert "systemd-analyze calendar shows" in str(refused.value.faults[0])


def test_too_many_firings_are_refused_in_no_time(play):
    with pytest.raises(LogError, match="more than 5,000,000 firings"):
        play(systemd.read, timer("OnCalendar=*:*:*"), days=3660)
    with pytest.raises(LogError, match="more than 5,000,000 firings"):
        play(systemd.read, timer("OnBootSec=0", "OnUnitActiveSec=1us"))


@pytest.mark.parametrize("text", [DAILY, CAT, timer("OnActiveSec = 5")])
def test_it_looks_like_one(text):
    assert systemd.looks_like(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[Service]\nExecStart=/bin/x\n",
        "[Timer]\nUnit=x\n",
        "prose\n[Timer]\nOnCalendar=daily\n",
        "OnCalendar=daily\n",
        "*/5 * * * * x\n",
        "[Timer]\nOnCalendar=daily\n\0",
    ],
)
def test_it_does_not_look_like_one(text):
    assert not systemd.looks_like(text.encode())


LINE = st.sampled_from(CAT.splitlines() + DAILY.splitlines()) | st.text(max_size=30)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINE, max_size=8).map("\n".join).map(str.encode) | st.binary(max_size=80))
def test_any_file_is_read_or_refused(play, content):
    systemd.looks_like(content)
    try:
        log = play(systemd.read, content, days=0.5)
    except LogError:
        return
    schema().validate(log.jobs)


@pytest.mark.parametrize("filler", ["\n", " ", "\n#", "[a]\n"])
def test_a_hostile_head_takes_no_longer(filler):
    begin = monotonic()
    systemd.looks_like(b"[Timer]\n" + filler.encode() * (64_000 // len(filler)))
    assert monotonic() - begin < 1
