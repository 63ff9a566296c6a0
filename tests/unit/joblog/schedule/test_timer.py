"""What a timer unit says."""

from __future__ import annotations

from jobsim.joblog.schedule.timer import timers
from jobsim.joblog.schedule.unit_file import Setting


def timer_of(*pairs):
    (timer,) = timers(Setting("a.timer", "Timer", key, value, 1) for key, value in pairs)
    return timer


def test_triggers_add_up_and_of_all_else_the_last_word_holds():
    timer = timer_of(
        ("OnCalendar", "daily"), ("OnCalendar", "weekly"), ("Unit", "b"), ("Unit", "c.service")
    )
    assert [setting.value for setting in timer.on("OnCalendar")] == ["daily", "weekly"]
    assert timer.starts == "c.service"


def test_an_empty_trigger_takes_back_all_triggers_before_it():
    timer = timer_of(
        ("OnCalendar", "daily"), ("OnBootSec", "1"), ("OnBootSec", ""), ("OnBootSec", "2")
    )
    assert [setting.value for setting in timer.triggers] == ["2"]


def test_it_starts_the_service_of_its_name_unless_it_says_another():
    assert timer_of(("OnCalendar", "daily")).starts == "a.service"


def test_yes_has_many_words():
    timer = timer_of(("A", "yes"), ("B", "True"), ("C", "0"))
    assert [timer.says(key) for key in "ABCD"] == [True, True, False, False]


def test_only_timer_sections_make_timers():
    assert timers([Setting("a.service", "Service", "User", "bob", 1)]) == []
