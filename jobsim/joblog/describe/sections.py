"""A description in words: sections of labelled lines, without what the log does not say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from jobsim.joblog.describe import phrases
from jobsim.joblog.describe.answers import Answer
from jobsim.joblog.describe.arrivals import Peak
from jobsim.joblog.describe.description import Description
from jobsim.joblog.describe.words import duration, percent, step
from jobsim.joblog.notes import KINDS, Note

T = TypeVar("T")

MINUTE_S, HOUR_S = 60.0, 3600.0

Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Section:
    """A title and its lines, each a label and what it says."""

    title: str
    lines: tuple[Line, ...]


def sections(d: Description) -> tuple[Section, ...]:
    """Everything that a description says."""
    written = {
        "the log": _log(d),
        "arrivals": _arrivals(d),
        "run times": _runs(d),
        "waits and load": _load(d),
        "the jobs": _jobs(d),
        "rows": _rows(d),
        "take care": [(sign.name.replace("-", " "), sign.words) for sign in d.signs],
        "can it answer": _answers(d.answers),
    }
    told = {title: tuple(line for line in lines if line[1]) for title, lines in written.items()}
    return tuple(Section(title, lines) for title, lines in told.items() if lines)


def _said(value: T | None, text: Callable[[T], str]) -> str:
    return text(value) if value else ""


def _log(d: Description) -> list[Line]:
    return [
        ("source", d.source),
        ("submitted", phrases.dates(d.calendar, d.begins_s, d.span_s)),
        ("span", duration(d.span_s)),
    ]


def _arrivals(d: Description) -> list[Line]:
    found, at = d.arrivals, d.calendar
    return [
        ("one every", _said(d.interarrival_s, lambda s: f"{duration(s)} on average")),
        ("over the span", phrases.over_time(found.over_time, d.span_s) if d.span_s else ""),
        ("by hour", _said(found.by_hour, lambda rates: phrases.by_hour(rates, at))),
        ("by weekday", _said(found.by_weekday, lambda rates: phrases.by_weekday(rates, at))),
        ("fullest minute", _peak(d.peak_minute, MINUTE_S, d)),
        ("fullest hour", _peak(d.peak_hour, HOUR_S, d)),
        ("bursts", _said(found.dispersion, phrases.bursts)),
        ("at one instant", _said(found.tied_share, lambda s: phrases.ties(s, found.most_at_once))),
        ("clock", _said(found.resolution_s, lambda s: f"counts in steps of {step(s)}")),
        *(
            ("" if rank else "longest gaps", phrases.gap(gap, at))
            for rank, gap in enumerate(found.gaps)
        ),
        ("", _said(found.gap_expected_s, phrases.expected_gap)),
    ]


def _peak(found: Peak, width_s: float, d: Description) -> str:
    """Nothing where it says nothing: where it is one job, or the whole log."""
    tells = found.jobs > 1 and d.span_s > width_s
    return phrases.peak(found, d.calendar) if tells else ""


def _runs(d: Description) -> list[Line]:
    return [
        ("run time", _said(d.run, phrases.spread)),
        ("distribution", _said(d.run_shape, phrases.shape)),
        ("work", _said(d.run_top_share, phrases.work)),
        ("variation", _said(d.run_cv2, phrases.variation)),
        ("tail", _said(d.run_tail, phrases.tail)),
        ("under 10 ms", _said(d.short_share, lambda share: phrases.short(share, d.run_shape))),
        ("not known", _said(d.never_ran, phrases.never_ran)),
    ]


def _load(d: Description) -> list[Line]:
    return [
        *_waits(d),
        ("offered load", _said(d.offered_load, phrases.load)),
        ("workers", _said(d.workers_needed, lambda n: phrases.workers(n, d.workers_no_wait))),
        ("made for", _said(d.workers, "{:,} workers".format)),
        ("running at once", _said(d.peak_running, "{:,} at most, as logged".format)),
    ]


def _waits(d: Description) -> list[Line]:
    if d.wait_none_share == 1:
        return [("wait as logged", "none: every job starts the instant it is submitted")]
    return [
        ("wait as logged", _said(d.wait, phrases.spread)),
        ("started at once", _said(d.wait_none_share, percent)),
    ]


def _jobs(d: Description) -> list[Line]:
    shares = ", ".join(f"{name} {percent(share)}" for name, share in d.outcomes.items())
    return [
        ("outcomes", "not logged" if set(d.outcomes) == {"unknown"} else shares),
        ("attempts", _said(d.retried_share, lambda share: f"more than one: {percent(share)}")),
        ("kinds", phrases.kinds(d.kinds, d.jobs, d.kind_count)),
        ("owners", _said(d.owner_count, "{:,}".format)),
        ("memory", _said(d.memory_max_mb, lambda mb: f"{mb:,.0f} MB at most")),
    ]


def _rows(d: Description) -> list[Line]:
    """The notes by kind, in the order of `KINDS`; those of no kind as they are."""
    ranks = {kind: rank for rank, kind in enumerate(KINDS)}
    split = [(*_kind_of(note), note.count) for note in d.notes]
    split.sort(key=lambda each: ranks.get(each[0], len(ranks)))
    return [(kind, f"{count:,}: {reason}") for kind, reason, count in split]


def _kind_of(note: Note) -> tuple[str, str]:
    kind, colon, reason = note.reason.partition(": ")
    return (kind, reason) if colon and kind in KINDS else ("", note.reason)


def _answers(given: Sequence[Answer]) -> list[Line]:
    """What it answers, then what not."""
    ordered = sorted(given, key=lambda answer: not answer.answered)
    return [("yes" if a.answered else "no", f"{a.question}: {a.how}") for a in ordered]
