"""Unit files: one, or as systemctl cat prints several."""

from __future__ import annotations

import pytest

from jobsim.errors import LogError
from jobsim.joblog.faultlist import FaultList
from jobsim.joblog.schedule.unit_file import Setting, settings

CAT = """\
# /lib/systemd/system/a.timer
[Timer]
OnCalendar=daily

# /etc/systemd/system/b.timer
[Unit]
Description=A timer \\
  # not in the way
  for b
[Timer]
OnBootSec = 5min
# /etc/systemd/system/a.timer.d/more.conf
[Timer]
OnCalendar=
"""


def read(text, unit="x.timer"):
    faults = FaultList("x.timer")
    found = list(settings(text, unit, faults))
    faults.raise_if_any()
    return found


def test_settings_are_of_the_unit_that_the_heading_names_and_drop_ins_of_the_one_they_change():
    assert read(CAT) == [
        Setting("a.timer", "Timer", "OnCalendar", "daily", 3),
        Setting("b.timer", "Unit", "Description", "A timer  for b", 7),
        Setting("b.timer", "Timer", "OnBootSec", "5min", 11),
        Setting("a.timer", "Timer", "OnCalendar", "", 14),
    ]


def test_without_a_heading_they_are_of_the_file_itself():
    assert read("; a comment\n[Timer]\nOnCalendar=daily\n")[0].unit == "x.timer"


def test_an_ordinary_comment_is_no_heading():
    assert read("# see a.timer for more\n[Timer]\nA=b\n")[0].unit == "x.timer"


def test_two_timers_one_after_the_other_without_their_names_are_a_fault():
    one = "[Unit]\nDescription=x\n[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n"
    service = "[Unit]\nDescription=y\n[Service]\nExecStart=/bin/x\n"
    assert len(read(one + service)) == 5
    assert len(read(one + "[Timer]\nOnCalendar=weekly\n")) == 4
    with pytest.raises(LogError, match=r"x\.timer:13: a second timer .* systemctl cat"):
        read(one + service + one)
    assert {each.unit for each in read(f"# a.timer\n{one}# b.timer\n{one}")} == {
        "a.timer",
        "b.timer",
    }


def test_a_line_that_is_none_is_a_fault():
    with pytest.raises(LogError) as refused:
        read("A=b\n[Timer]\nwhat is this\n")
    assert [fault.line for fault in refused.value.faults] == [1, 3]


def test_a_backslash_at_the_end_of_the_file_joins_nothing():
    assert read("[Timer]\nA=b\\") == [Setting("x.timer", "Timer", "A", "b", 2)]
