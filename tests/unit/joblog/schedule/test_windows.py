"""Tasks of the Windows Task Scheduler as plans."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog.schedule import windows
from jobsim.joblog.schema import schema

NAMESPACE = "http://schemas.microsoft.com/windows/2004/02/mit/task"
EVERY = "<Repetition><Interval>{}</Interval>{}</Repetition>"
DAILY = "<ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>"


def trigger(start, inside=DAILY, name="CalendarTrigger"):
    return f"<{name}><StartBoundary>{start}</StartBoundary>{inside}</{name}>"


def task(*triggers, path="\\Jobs\\nightly", user="HOST\\bob", settings="", declared=True):
    declaration = '<?xml version="1.0" encoding="UTF-16"?>' if declared else ""
    lines = "\n".join(triggers)
    return (
        f"{declaration}\n"
        f'<Task version="1.2" xmlns="{NAMESPACE}">\n'
        f"<RegistrationInfo><URI>{path}</URI></RegistrationInfo>\n"
        f"<Triggers>\n{lines}\n</Triggers>\n"
        f"<Principals><Principal><UserId>{user}</UserId></Principal></Principals>\n"
        f"<Settings>{settings}</Settings>\n"
        "<Actions><Exec><Command>C:\\php\\php.exe</Command></Exec></Actions>\n</Task>\n"
    )


MINUTELY = trigger("2019-01-01T00:00:30", EVERY.format("PT1M", ""), "TimeTrigger")
NIGHTLY = trigger("2019-01-01T02:30:00")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
def test_a_daily_task_is_a_kind_with_an_owner(play, shown, encoding):
    log = play(windows.read, task(NIGHTLY).encode(encoding), days=2)
    assert shown(log) == ["05 02:30", "06 02:30"]
    assert set(log.jobs["kind"]) == {"nightly"}
    assert set(log.jobs["owner"]) == {"HOST\\bob"}


def test_a_task_that_began_long_ago_still_repeats(play):
    log = play(windows.read, task(MINUTELY))
    assert len(log) == 1440
    assert log.jobs["submit_s"].iloc[:2].tolist() == [30, 90]


def test_a_repetition_includes_the_end_of_its_duration(play, shown):
    inside = EVERY.format("PT1M", "<Duration>PT4M</Duration>") + DAILY
    log = play(windows.read, task(trigger("2020-01-01T08:00:00", inside)))
    assert shown(log, form="%H:%M") == ["08:00", "08:01", "08:02", "08:03", "08:04"]


def test_a_repetition_that_began_before_the_period_goes_on_into_it(play, shown):
    inside = EVERY.format("PT6H", "<Duration>P1D</Duration>") + "<ScheduleByWeek>" \
        "<DaysOfWeek><Sunday/></DaysOfWeek></ScheduleByWeek>"  # fmt: skip
    log = play(windows.read, task(trigger("2020-01-01T20:00:00", inside)))
    assert shown(log, form="%a %H:%M") == ["Mon 02:00", "Mon 08:00", "Mon 14:00", "Mon 20:00"]


def test_an_hour_left_out_fires_right_after_and_one_shown_twice_once(play, shown, counts):
    forward = play(windows.read, task(NIGHTLY), begin="2026-03-28", days=2, zone="Europe/Berlin")
    assert shown(forward, "Europe/Berlin") == ["28 02:30", "29 03:00"]
    assert counts(forward, "fired right after it") == [1]
    back = play(windows.read, task(NIGHTLY), begin="2026-10-25", days=1, zone="Europe/Berlin")
    assert shown(back, "Europe/Berlin", "%H:%M%z") == ["02:30+0200"]
    assert counts(back, "the clock of Europe/Berlin; when it is set, Windows fires") == [1]


def test_a_start_in_utc_is_the_same_all_year(play, shown, counts):
    text = task(trigger("2019-01-01T02:30:00Z"))
    log = play(windows.read, text, begin="2026-03-28", days=2, zone="Europe/Berlin")
    assert shown(log, "Europe/Berlin") == ["28 03:30", "29 04:30"]
    assert counts(log, "the offset that the trigger names") == [2]


def test_nothing_fires_before_the_start_or_from_the_end_on(play, shown):
    text = task(
        trigger("2026-01-06T02:30:00", f"<EndBoundary>2026-01-08T02:30:00</EndBoundary>{DAILY}")
    )
    assert shown(play(windows.read, text, days=9)) == ["06 02:30", "07 02:30"]


def test_what_has_no_time_or_is_disabled_is_dropped_with_the_reason(play, counts):
    off = trigger("2019-01-01T04:00:00", f"<Enabled>false</Enabled>{DAILY}")
    log = play(windows.read, task(NIGHTLY, off, "<LogonTrigger/>", "<BootTrigger/>"))
    assert len(log) == 1
    for reason in ("trigger that is disabled", "a LogonTrigger", "a BootTrigger"):
        assert counts(log, reason) == [1]


def test_a_disabled_task_is_dropped_with_the_reason(play):
    with pytest.raises(LogError, match="dropped: a task that is disabled"):
        play(windows.read, task(NIGHTLY, settings="<Enabled>false</Enabled>"))


def test_a_task_without_a_trigger_is_dropped_with_the_reason(play, counts):
    idle = task(path="\\Jobs\\defrag", declared=False)
    log = play(windows.read, f"<Tasks>{idle}{task(NIGHTLY, declared=False)}</Tasks>")
    assert set(log.jobs["kind"]) == {"nightly"}
    assert counts(log, "a task without a trigger") == [1]


@pytest.mark.parametrize("policy", ["Parallel", "Queue", "StopExisting", "IgnoreNew"])
def test_the_lease_rule_of_the_scheduler_is_noted(play, counts, policy):
    said = f"<MultipleInstancesPolicy>{policy}</MultipleInstancesPolicy>"
    assert counts(play(windows.read, task(NIGHTLY, settings=said)), f"Policy={policy}: ") == [1]


def test_its_defaults_are_those_of_windows(play, counts):
    log = play(windows.read, task(NIGHTLY))
    assert counts(log, "MultipleInstancesPolicy=IgnoreNew") == [1]
    assert counts(log, "ExecutionTimeLimit=PT72H") == [1]


def test_a_limit_of_zero_is_none_and_that_of_the_trigger_goes_first(play, counts):
    unlimited = "<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>"
    assert counts(play(windows.read, task(NIGHTLY, settings=unlimited)), "TimeLimit") == []
    limited = trigger(
        "2019-01-01T00:00:00", f"<ExecutionTimeLimit>PT1H</ExecutionTimeLimit>{DAILY}"
    )
    assert counts(play(windows.read, task(limited, settings=unlimited)), "=PT1H") == [1]


def test_random_delays_and_conditions_are_noted(play, counts):
    text = task(
        trigger("2019-01-01T00:00:00", f"{DAILY}<RandomDelay>PT9M</RandomDelay>"),
        settings="<RunOnlyIfIdle>true</RunOnlyIfIdle>",
    )
    log = play(windows.read, text)
    assert counts(log, "RandomDelay=PT9M") == counts(log, "RunOnlyIfIdle") == [1]


def test_tasks_of_one_name_keep_their_whole_path(play):
    both = [
        task(NIGHTLY, path=path, declared=False) for path in ("\\a\\run", "\\b\\run", "\\c\\go")
    ]
    log = play(windows.read, f"<Tasks>{''.join(both)}</Tasks>")
    assert sorted(log.jobs["kind"]) == ["\\a\\run", "\\b\\run", "go"]


def test_a_task_without_a_path_is_named_by_schtasks_or_by_its_command(play):
    bare = task(NIGHTLY, path="", declared=False)
    assert set(play(windows.read, f"<Tasks><!-- \\x\\y -->{bare}</Tasks>").jobs["kind"]) == {"y"}
    assert set(play(windows.read, bare).jobs["kind"]) == {"php.exe"}


def test_well_known_accounts_have_their_names(play):
    assert set(play(windows.read, task(NIGHTLY, user="S-1-5-18")).jobs["owner"]) == {"SYSTEM"}


def test_every_wrong_trigger_is_listed_with_its_line(play):
    wrong = [trigger("yesterday"), trigger("2019-01-01T00:00:00", ""), NIGHTLY]
    with pytest.raises(LogError) as refused:
        play(windows.read, task(*wrong, settings=""))
    assert [fault.line for fault in refused.value.faults] == [5, 6]


def test_a_policy_that_does_not_exist_is_a_fault(play):
    said = "<MultipleInstancesPolicy>Maybe</MultipleInstancesPolicy>"
    with pytest.raises(LogError, match="'Maybe' is none of IgnoreNew"):
        play(windows.read, task(NIGHTLY, settings=said))


def test_too_many_firings_are_refused_in_no_time(play):
    with pytest.raises(LogError, match="more than 5,000,000 firings"):
        play(windows.read, task(MINUTELY, MINUTELY), days=3660)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8", "utf-8-sig"])
def test_it_looks_like_one(encoding):
    assert windows.looks_like(task(NIGHTLY).strip().encode(encoding))


@pytest.mark.parametrize(
    "content", [b"", b"<log><trace/></log>", NAMESPACE.encode(), b"\xff\xfe\0\0", b"*/5 * * * * x"]
)
def test_it_does_not_look_like_one(content):
    assert not windows.looks_like(content)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 1000), st.integers(0, 1000), st.binary(max_size=6), st.booleans())
def test_any_damaged_file_is_read_or_refused(play, start, length, inserted, wide):
    whole = task(NIGHTLY, MINUTELY).encode("utf-16" if wide else "utf-8")
    content = whole[:start] + inserted + whole[start + length :]
    windows.looks_like(content)
    try:
        log = play(windows.read, content, days=0.2)
    except LogError:
        return
    schema().validate(log.jobs)
