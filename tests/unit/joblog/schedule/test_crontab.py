"""Crontabs as plans: what fires when, by whose clock, and what is not taken for a crontab."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog.schedule import crontab
from jobsim.joblog.schema import schema

SYSTEM = """\
SHELL=/bin/sh
# m h dom mon dow user  command
17 *  * * *   root      cd / && run-parts --report /etc/cron.hourly
25 6  * * *   root      test -x /usr/sbin/anacron || run-parts --report /etc/cron.daily
*/30 * * * *  www-data  php /srv/app/artisan schedule:run >> /dev/null 2>&1
"""
USER = "MAILTO=bob\n0 3 * * mon-fri  /home/bob/backup.sh --all\n@hourly  sync-mail\n"


def test_a_system_crontab_gives_kinds_and_owners(play):
    log = play(crontab.read, SYSTEM)
    assert log.jobs["kind"].value_counts().to_dict() == {
        "php artisan schedule:run": 48,
        "run-parts --report cron.hourly": 24,
        "run-parts --report cron.daily": 1,
    }
    assert log.jobs["owner"].value_counts().to_dict() == {"www-data": 48, "root": 25}


def test_a_users_crontab_has_no_owner_but_by_its_place(play):
    assert play(crontab.read, USER).jobs["owner"].isna().all()
    log = play(crontab.read, USER, name="spool/cron/crontabs/bob")
    assert set(log.jobs["owner"]) == {"bob"}


def test_how_the_column_of_users_was_told_is_a_note_unless_it_was_said(play, counts):
    assert counts(play(crontab.read, SYSTEM), "guessed: the sixth word is the user") == [73]
    assert counts(play(crontab.read, USER), "guessed: a user's crontab") == [25]
    for read in (crontab.read_user, crontab.read_system):
        assert counts(play(read, SYSTEM), "guessed") == []


def test_a_weekday_entry_fires_on_weekdays_only(play, shown):
    log = play(crontab.read, "0 3 * * mon-fri x\n", begin="2026-01-02", days=5)
    assert shown(log, form="%a %H:%M") == ["Fri 03:00", "Mon 03:00", "Tue 03:00"]


def test_a_firing_at_the_begin_is_in_the_plan_and_one_at_its_end_is_not(play, shown):
    log = play(crontab.read, "0 0,12 * * * x\n")
    assert shown(log) == ["05 00:00", "05 12:00"]
    assert log.jobs["submit_s"].tolist() == [0, 43_200]


BERLIN_FORWARD = {"begin": "2026-03-29T00:00", "days": 0.25, "zone": "Europe/Berlin"}
BERLIN_BACK = {"begin": "2026-10-25T00:00", "days": 0.25, "zone": "Europe/Berlin"}


def test_fixed_times_in_the_hour_left_out_fire_right_after_it(play, shown, counts):
    log = play(crontab.read, "0,30 2 * * * x\n30 1,3 * * * y\n", **BERLIN_FORWARD)
    assert shown(log, "Europe/Berlin", "%H:%M%z") == [
        "01:30+0100", "03:00+0200", "03:00+0200", "03:30+0200",
    ]  # fmt: skip
    assert counts(log, "fired right after it") == [2]


def test_fixed_times_in_the_hour_shown_twice_fire_once(play, shown, counts):
    log = play(crontab.read, "30 1-3 * * * x\n", **BERLIN_BACK)
    assert shown(log, "Europe/Berlin", "%H:%M%z") == ["01:30+0200", "02:30+0200", "03:30+0100"]
    assert counts(log, "the first time only") == [1]


def test_starred_entries_go_by_real_time(play, counts):
    forward = play(crontab.read, "*/20 * * * * x\n", **BERLIN_FORWARD)
    assert (forward.jobs["submit_s"].diff().dropna() == 1200).all()
    assert counts(forward, "never happens") == [3]
    back = play(crontab.read, "0 * * * * x\n", **BERLIN_BACK)
    assert (back.jobs["submit_s"].diff().dropna() == 3600).all()
    assert counts(back, "fired both times") == [1]


def test_the_zone_and_its_rule_are_stated(play, counts):
    log = play(crontab.read, USER, zone="Europe/Berlin")
    assert counts(log, "fired by the clock of Europe/Berlin; when it is set, cron fires") == [25]


def test_cron_tz_sets_the_clock_of_what_comes_after_it(play, shown, counts):
    log = play(crontab.read, "0 9 * * * a\nCRON_TZ=Asia/Tokyo\n0 9 * * * b\n")
    assert dict(zip(log.jobs["kind"], shown(log), strict=True)) == {
        "a": "05 09:00",
        "b": "05 00:00",
    }
    assert counts(log, "CRON_TZ=Asia/Tokyo, as cronie does") == [1]


def test_under_cron_tz_no_allowance_is_made_for_a_clock_that_is_set(play, shown):
    text = "CRON_TZ=Europe/Berlin\n30 2 * * * x\n0 5 * * * y\n"
    forward = play(crontab.read, text, begin="2026-03-29", days=0.5)
    assert forward.jobs["kind"].tolist() == ["y"]
    back = play(crontab.read, text, begin="2026-10-25", days=0.1)
    assert shown(back) == ["25 00:30", "25 01:30"]


def test_tz_and_random_delay_are_noted_and_change_nothing(play, counts):
    log = play(crontab.read, "TZ=Asia/Tokyo\nRANDOM_DELAY=45\n0 9 * * * a\n")
    assert log.jobs["submit_s"].tolist() == [32_400]
    assert counts(log, "TZ= goes to the commands only") == [1]
    assert counts(log, "RANDOM_DELAY=45") == [1]


def test_what_has_no_instant_is_dropped_with_the_reason(play, counts):
    text = "@reboot a\n0~59 3 * * * b\n0 0 31 2 * c\n0 1 * * * d\n"
    log = play(crontab.read, text)
    assert log.jobs["kind"].tolist() == ["d"]
    for reason in ("@reboot", "draws at random", "no year has"):
        assert counts(log, reason) == [1]


def test_a_crontab_that_only_runs_at_boot_is_refused_with_the_reason(play):
    with pytest.raises(LogError, match="nothing fires in the period; dropped: an entry @reboot"):
        play(crontab.read, "@reboot a\n")


def test_what_cron_would_refuse_is_marked(play, counts):
    assert counts(play(crontab.read, "0 0 * * 1#1 x\n"), "Debian's cron and cronie refuse") == [1]
    log = play(crontab.read, "5/20 0 * * * x\n")
    assert counts(log, "a step behind a single value") == [3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("apiVersion: batch/v1\nkind: CronJob\nspec:\n  schedule: '* * * * *'\n", "Kubernetes"),
        ("on:\n  schedule:\n    - cron: '30 5 * * 1'\njobs:\n", "a GitHub workflow"),
        ("pipeline {\n  triggers {\n    cron('H 4 * * *')\n  }\n}\n", "a Jenkins pipeline"),
        ("RANDOM_DELAY=45\n1\t5\tcron.daily\tnice run-parts /etc/cron.daily\n", "an anacrontab"),
    ],
)
def test_the_schedule_of_another_system_is_refused_by_its_name(tmp_path, text, message):
    assert crontab.looks_like(text.encode())
    (tmp_path / "x").write_text(text)
    with pytest.raises(
        LogError, match=f"this is {'a ' * (message[0] == 'K')}{message}.*; it is no"
    ):
        crontab.read(tmp_path / "x")


def test_seconds_in_front_of_the_five_fields_are_a_fault(play):
    with pytest.raises(LogError, match=r"schedule:1: .* more than five time fields"):
        play(crontab.read, "0 */5 * * * * /bin/x\n")


def test_letters_in_latin_1_are_read(play, counts):
    log = play(crontab.read, b"# t\xe4glich\n0 3 * * * x\n")
    assert counts(log, "taken as Latin-1") == [1]


def test_every_wrong_line_is_listed(play):
    text = "61 * * * * x\n* * * * * ok\n* * * * *\nCRON_TZ=Mars\n* * * * * y\n"
    with pytest.raises(LogError) as refused:
        play(crontab.read, text)
    faults = refused.value.faults
    assert [fault.line for fault in faults] == [1, 3, 5]
    assert "minute '61' is none" in str(faults[0])
    assert "CRON_TZ='Mars' is no time zone" in str(faults[2])


def test_without_a_period_it_says_how_to_say_it(tmp_path):
    (tmp_path / "crontab").write_text(USER)
    with pytest.raises(LogError, match="say from when and how long"):
        crontab.read(tmp_path / "crontab")


def test_a_crontab_with_too_many_firings_is_refused_in_no_time(play):
    with pytest.raises(LogError, match="more than 5,000,000 firings"):
        play(crontab.read, "* * * * * x\n" * 20_000, days=3660)


@pytest.mark.parametrize(
    "text", [SYSTEM, USER, "@reboot x\n", "0~9 * * * * ./x\n", '* * * * * "a b"\n']
)
def test_it_looks_like_one(text):
    assert crontab.looks_like(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# a comment\n",
        "SHELL=/bin/sh\n",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n",
        "1 0 5 10 1 -1 -1 1 20 -1 1 3 1 1 1 -1 -1 -1\n",
        "1 2 3 4 5 name\n",
        "* * * * * 12\n",
        "* * * * * x\nand prose\n",
        "Jan  5 00:00:01 host CRON[1]: (root) CMD (x)\n",
        "submit_s,run_s\n1,2\n",
        "a=1\nb=2\n",
        "[Timer]\nOnCalendar=daily\n",
        "* * * * * x\0",
    ],
)
def test_it_does_not_look_like_one(text):
    assert not crontab.looks_like(text.encode())


def test_a_long_file_is_known_by_its_head_though_the_last_line_is_cut():
    head = ("*/5 * * * * /bin/x\n" * 5000).encode()[: 64 * 1024]
    assert not head.endswith(b"\n")
    assert crontab.looks_like(head)


LINE = st.sampled_from([*SYSTEM.splitlines(), *USER.splitlines()]) | st.text(max_size=30)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(LINE, max_size=6).map("\n".join).map(str.encode) | st.binary(max_size=80),
    st.sampled_from([crontab.read, crontab.read_system]),
)
def test_any_file_is_read_or_refused(play, content, read):
    crontab.looks_like(content)
    try:
        log = play(read, content, days=0.1)
    except LogError:
        return
    schema().validate(log.jobs)
