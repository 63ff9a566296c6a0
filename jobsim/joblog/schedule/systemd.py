"""Reading systemd timers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from jobsim.joblog.files import looks_binary
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schedule.calendar_event import CalendarEvent
from jobsim.joblog.schedule.names import printable
from jobsim.joblog.schedule.period import MOST_US, Micros
from jobsim.joblog.schedule.plan import Entry, Plan
from jobsim.joblog.schedule.time_span import span_us
from jobsim.joblog.schedule.timer import (
    CALENDAR,
    FROM_BEGIN,
    FROM_END,
    FROM_START,
    TRIGGERS,
    Timer,
    timers,
)
from jobsim.joblog.schedule.unit_file import Setting, settings
from jobsim.joblog.schedule.walltime import ClockRule, WallTimes
from jobsim.joblog.table import JobLog

CLOCK_RULE = ClockRule(left_out="never", twice="once")
"""As ``systemd-analyze calendar`` of systemd 252 shows it."""

RULE = (
    "when it is set, systemd fires nothing in the hour left out, and in the hour shown twice only"
    " the first time"
)
CALENDAR_RIGHT = "as Mon..Fri *-*-* 10:00:00 (systemd-analyze calendar shows how it is read)"
SPAN_RIGHT = "as 15min or 1h 30min (systemd-analyze timespan shows how it is read)"

TIMER_SECTION = re.compile(rb"^[ \t]*\[Timer\][ \t\r]*$", re.MULTILINE)
TRIGGER = re.compile(rf"^[ \t]*(?:{'|'.join(TRIGGERS)})[ \t]*=".encode(), re.MULTILINE)

ACCURACY = (
    "marked: AccuracySec={}: systemd may fire each up to that much later, to wake the machine less"
)
RANDOM = "marked: RandomizedDelaySec={}: systemd fires each up to that much later; not drawn here"
PERSISTENT = (
    "marked: Persistent=true: after a boot systemd makes up for a firing missed meanwhile; here"
    " the machine is always on"
)
BEGIN = (
    "marked: counted from boot or from the timer's own start, for which the begin of the plan"
    " stands"
)
NO_FIRST = "dropped: a timer that counts from the last run, and nothing makes the first"
NO_END = (
    "dropped: OnUnitInactiveSec counts from the end of a run, which no schedule knows"
    " (--assume-run 30s states how long one takes)"
)
END = "assumed: OnUnitInactiveSec counts from the end of a run, which takes as long as --assume-run"
COMMENT_RIGHT = "a comment on a line of its own, systemd knows none behind a value"
NO_CHANGE = "dropped: a timer for changes of the clock or its zone, which have no time of their own"


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds timer units."""
    if looks_binary(head) or not TIMER_SECTION.search(head) or not TRIGGER.search(head):
        return False
    lines = (line.strip() for line in head.splitlines())
    first = next((line for line in lines if line and not line.startswith((b"#", b";"))), b"")
    return first.startswith(b"[") and first.endswith(b"]")


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """The firing plan of a timer unit, or of all that ``systemctl cat '*.timer'`` prints.

    ============  ==============================================================================
    column        made of
    ============  ==============================================================================
    ``submit_s``  the instant at which the timer elapses, from `reading`'s begin on; what counts
                  from boot, or from the timer's own start, counts from that begin
    ``kind``      the unit that it starts
    ``owner``     ``User=`` of that unit, where the file has it too
    ============  ==============================================================================

    Raises
    ------
    LogError
        Lines are wrong, or the user has not said for which period.
    """
    plan = Plan(path, reading)
    text, unit = plan.text(), path.name.removesuffix(".gz")
    found = list(settings(text, unit, plan.faults))
    user_of = {each.unit: each.value for each in found if _is_user(each)}
    for timer in timers(found):
        plan.add(replace(_played(plan, timer), owner=user_of.get(timer.starts)))
    return plan.log()


def _is_user(setting: Setting) -> bool:
    named = (setting.section, setting.key) == ("Service", "User")
    return named and setting.value != "" and setting.value.isprintable()


def _played(plan: Plan, timer: Timer) -> Entry:
    """A timer's firings, and what must be known of them."""
    events = list(_events(plan, timer))
    by_calendar = [
        plan.by_clock(times, event.zone or plan.zone, CLOCK_RULE, line)
        for event, times, line in events
    ]
    delays_us = [_span_us(plan, setting) for setting in timer.on(*FROM_BEGIN)]
    from_begin = np.array(delays_us, dtype=np.int64) + plan.period.begin_us
    starts_us = np.unique(np.concatenate([from_begin, *by_calendar]))
    fires_us = _again_us(plan, timer, starts_us[plan.period.holds(starts_us)])
    remarks = tuple(_remarks(plan, timer, [event for event, _, _ in events]))
    plan.notes.add(NO_END, int(bool(timer.on(FROM_END)) and not plan.reading.assume_run_s))
    plan.notes.add(NO_CHANGE, int(any(map(timer.says, ("OnClockChange", "OnTimezoneChange")))))
    return Entry(printable(timer.starts), None, fires_us, remarks)


def _events(plan: Plan, timer: Timer) -> Iterator[tuple[CalendarEvent, WallTimes, int]]:
    """Its calendar events, when they are and in which line they stand."""
    for setting in timer.on(CALENDAR):
        try:
            event = CalendarEvent.of(setting.value)
            yield event, event.on(plan.period.days), setting.line
        except ValueError as error:
            plan.faults.add(f"{CALENDAR}: {error}", _right(setting, CALENDAR_RIGHT), setting.line)


def _again_us(plan: Plan, timer: Timer, starts_us: Micros) -> Micros:
    """With what counts from the last start, or from its end where the user says when that is."""
    run_us = round((plan.reading.assume_run_s or 0) * 1e6)
    again = timer.on(FROM_START, *([FROM_END] if run_us else []))
    spans = [(_span_us(plan, setting), setting.key == FROM_END) for setting in again]
    every_us = [span + from_end * run_us for span, from_end in spans if span]
    if not every_us:
        return starts_us
    if not len(starts_us):
        plan.notes.add(NO_FIRST, 1)
        return starts_us
    return plan.repeated(starts_us, min(every_us), None, again[0].line)


def _span_us(plan: Plan, setting: Setting) -> int:
    """A time span, cut to what is longer than any plan; 0 where it is none."""
    try:
        return min(span_us(setting.value), 2 * MOST_US)
    except ValueError as error:
        plan.faults.add(f"{setting.key}: {error}", _right(setting, SPAN_RIGHT), setting.line)
        return 0


def _right(setting: Setting, plain: str) -> str:
    return COMMENT_RIGHT if " #" in setting.value else plain


def _remarks(plan: Plan, timer: Timer, events: list[CalendarEvent]) -> Iterator[str]:
    for zone in dict.fromkeys(event.zone for event in events):
        named = f"marked: fired by the clock of {zone}, which the timer names; {RULE}"
        yield named if zone else plan.fired_by(RULE)
    if events and timer.says("Persistent"):
        yield PERSISTENT
    if timer.on(*FROM_BEGIN):
        yield BEGIN
    if timer.on(FROM_END) and plan.reading.assume_run_s:
        yield END
    if (delay := timer.said.get("RandomizedDelaySec", "0")).strip(" 0") not in ("", "s", "min"):
        yield RANDOM.format(printable(delay))
    yield ACCURACY.format(printable(timer.said.get("AccuracySec") or "1min"))
