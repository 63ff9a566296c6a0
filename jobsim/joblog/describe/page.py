"""A description as HTML for notebooks: small pictures above, and what the terminal shows below."""

from __future__ import annotations

import html
from math import log10

from jobsim.joblog.describe import svg
from jobsim.joblog.describe.description import Description
from jobsim.joblog.describe.sections import Section, sections
from jobsim.joblog.describe.shape import A_DECADE, Shape
from jobsim.joblog.describe.words import duration, number, percent, printable
from jobsim.words import counted

HOUR_TICKS = [(hour / 24, f"{hour} h") for hour in (0, 6, 12, 18)]

ROUND_S = {"1 ms": 1e-3, "1 s": 1, "1 min": 60, "1 h": 3600, "1 d": 86400, "30 d": 30 * 86400}
FEWEST_TICKS = 3

SEEN = 0.001

DRAWN = {"over the span", "distribution", "by hour", "by weekday"}
"""Lines that are only bars: here they are pictures, where there is a picture."""

OPEN = {"arrivals", "run times", "waits and load", "rows", "take care", "can it answer"}
"""Sections that are unfolded at first."""

CELL = "text-align:left;vertical-align:top;padding:1px 12px 1px 0;border:none"
LABEL = f"{CELL};white-space:nowrap;min-width:130px;opacity:0.7"
TABLE = "margin:0 0 4px 12px;border:none;color:inherit;font-size:inherit"


def page(d: Description) -> str:
    """A self-contained piece of HTML without script; it takes the colours of its page."""
    since = f" from {d.calendar.says(d.begins_s)}" if d.origin else ""
    size = f"{counted(d.jobs, 'job')} in {duration(d.span_s)}{since}"
    head = f"<b>{escape(d.name)}</b>: {escape(size)}"
    pictures = "".join((_arrivals(d), _runs(d), _week(d)))
    told = "".join(_section(section) for section in sections(d))
    return (
        f'<div style="max-width:980px;line-height:1.35"><p style="margin:4px 0 8px">{head}</p>'
        f'<div style="display:flex;flex-wrap:wrap">{pictures}</div>{told}</div>'
    )


def _section(section: Section) -> str:
    rows = "".join(
        f'<tr style="background:none"><td style="{LABEL}">{escape(label)}</td>'
        f'<td style="{CELL}">{escape(text)}</td></tr>'
        for label, text in section.lines
        if label not in DRAWN
    )
    state = ' open=""' if section.title in OPEN else ""
    return (
        f'<details{state} style="margin:2px 0"><summary style="cursor:pointer"><b>'
        f'{escape(section.title)}</b></summary><table style="{TABLE}">{rows}</table></details>'
    )


def _arrivals(d: Description) -> str:
    """Jobs over the span."""
    counts, at = d.arrivals.over_time, d.calendar
    if not d.span_s:
        return ""
    part_s = d.span_s / len(counts)
    said = [
        f"{counted(count, 'job')} in {duration(part_s)} from {at.says(d.begins_s + k * part_s)}"
        for k, count in enumerate(counts)
    ]
    ends = ("0", duration(d.span_s))
    if d.origin:
        ends = (at.says(d.begins_s), at.says(d.begins_s + d.span_s))
    title = f"Jobs submitted in {duration(part_s)}, {max(counts):,} at most"
    return svg.columns(title, counts, [(0, ends[0]), (1, ends[1])], said)


def _runs(d: Description) -> str:
    """How long they ran, on a logarithmic axis."""
    found = d.run_shape
    if found is None:
        return ""
    edges_s = [found.from_s * 10 ** (k / A_DECADE) for k in range(len(found.counts) + 1)]
    said = [
        f"{counted(count, 'run')} of {duration(low)} to {duration(high)}"
        for count, low, high in zip(found.counts, edges_s, edges_s[1:], strict=False)
    ]
    zeros = found.zeros / (sum(found.counts) + found.zeros)
    title = f"Run times{f' (and {percent(zeros)} of 0 s)' if zeros >= SEEN else ''}, logarithmic"
    return svg.columns(title, found.counts, _ticks(found), said)


def _ticks(found: Shape) -> list[svg.Tick]:
    """Round times along the axis of run times; powers of ten where the axis is short."""
    decades = len(found.counts) // A_DECADE
    tens = {duration(found.from_s * 10**k): found.from_s * 10**k for k in range(decades + 1)}
    for times_s in (ROUND_S, tens):
        ticks = [(log10(t_s / found.from_s) / decades, text) for text, t_s in times_s.items()]
        within = [(at, text) for at, text in ticks if 0 <= at <= 1]
        if len(within) >= FEWEST_TICKS:
            break
    return within


def _week(d: Description) -> str:
    """The rhythm of the week, or else of the day."""
    a, zone = d.arrivals, d.calendar.name
    if a.by_week_hour:
        values = [a.by_week_hour[24 * k : 24 * (k + 1)] for k in range(7)]
        title = f"Jobs an hour, {number(max(a.by_week_hour))} at most; {zone}"
        return svg.cells(title, values, d.calendar.weekdays, HOUR_TICKS)
    if a.by_hour:
        said = [f"{number(rate)} jobs an hour from {hour} h" for hour, rate in enumerate(a.by_hour)]
        return svg.columns(f"Jobs an hour by hour of day, {zone}", a.by_hour, HOUR_TICKS, said)
    return ""


def escape(text: str) -> str:
    """The text as HTML."""
    return html.escape(printable(text))
