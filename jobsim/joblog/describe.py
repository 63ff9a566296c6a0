"""What a person wants to know of a job log before trusting it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd

from jobsim.joblog.notes import Note
from jobsim.joblog.table import JobLog, instant_after

if TYPE_CHECKING:
    from rich.table import Table

T = TypeVar("T")

SHORT_S = 0.01
"""Runs shorter than this are lost in the clocks and round trips of a live run."""

QUANTILES = {"p50_s": 0.5, "p95_s": 0.95, "p99_s": 0.99}

KINDS_SHOWN = 10

CAP_RUNS, CAP_SHARE, CAP_VALUES = 5, 0.001, 20
"""Runs that end at exactly the longest time are called cut off if they are at least this many and
this share of all, in a log that has at least so many different run times."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of job: how many there are, and how long half of them run at most."""

    kind: str
    jobs: int
    run_p50_s: float | None


@dataclass(frozen=True, slots=True)
class Peak:
    """The fullest minute or hour: how many jobs were submitted in it, and when it began."""

    jobs: int
    from_s: float


@dataclass(frozen=True)
class Description:
    """What a job log holds; None is what the log does not say.

    Attributes
    ----------
    span_s
        From the first submission to the last.
    interarrival_s
        Mean time between submissions.
    run, wait
        Mean, quantiles and maximum; the wait is from submission to the logged start.
    never_ran
        Jobs without a run time, which cannot be replayed.
    outcomes
        The share of each outcome.
    kinds
        The most frequent ones; `kind_count` and `owner_count` count them all.
    offered_load
        Sum of run times over span: the mean number of workers that the jobs keep busy.
    workers_needed
        The least number of workers that can keep up with that for ever.
    peak_running
        The most jobs that ran at once, by the logged starts.
    short_share
        The share of runs under 10 ms.
    cap_s, cap_share
        Where many runs end at exactly the longest time: that time, and their share. The log was
        probably recorded under a limit, and how long those jobs need is not known.
    notes
        What the reader dropped or mended.
    """

    name: str
    source: str
    origin: datetime | None
    until: datetime | None
    jobs: int
    workers: int | None
    span_s: float
    interarrival_s: float | None
    peak_minute: Peak
    peak_hour: Peak
    run: Mapping[str, float] | None
    wait: Mapping[str, float] | None
    memory_max_mb: float | None
    never_ran: int
    outcomes: Mapping[str, float]
    kind_count: int
    kinds: tuple[Kind, ...]
    owner_count: int
    offered_load: float | None
    workers_needed: int | None
    peak_running: int | None
    short_share: float | None
    cap_s: float | None
    cap_share: float | None
    notes: tuple[Note, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON has it: instants as ISO 8601 text, missing as None."""
        origin, until = (
            None if instant is None else instant.isoformat()
            for instant in (self.origin, self.until)
        )
        return asdict(self) | {
            "origin": origin,
            "until": until,
            "kinds": [asdict(kind) for kind in self.kinds],
            "notes": [asdict(note) for note in self.notes],
        }


def describe(log: JobLog) -> Description:
    """Describe a log that has at least one job."""
    jobs = log.jobs
    submit_s, run_s = jobs["submit_s"], jobs["run_s"].dropna()
    wait_s = (jobs["start_s"] - submit_s).dropna()
    span_s = float(submit_s.iloc[-1] - submit_s.iloc[0])
    load = float(run_s.sum()) / span_s if span_s else None
    cap_s, cap_share = _cap(run_s)
    return Description(
        name=log.name,
        source=log.source,
        origin=log.origin,
        until=instant_after(log.origin, float(submit_s.iloc[-1])),
        jobs=len(log),
        workers=log.workers,
        span_s=span_s,
        interarrival_s=span_s / (len(log) - 1) if len(log) > 1 else None,
        peak_minute=_peak(submit_s, 60),
        peak_hour=_peak(submit_s, 3600),
        run=_spread(run_s),
        wait=_spread(wait_s),
        memory_max_mb=_known(jobs["memory_mb"].max()),
        never_ran=len(log) - len(run_s),
        outcomes=_shares(jobs["outcome"]),
        kind_count=jobs["kind"].nunique(),
        kinds=_kinds(jobs),
        owner_count=jobs["owner"].nunique(),
        offered_load=load,
        workers_needed=None if load is None else math.floor(load) + 1,
        peak_running=_peak_running(jobs["start_s"], jobs["run_s"]),
        short_share=_known((run_s < SHORT_S).mean()),
        cap_s=cap_s,
        cap_share=cap_share,
        notes=log.notes,
    )


def describe_table(description: Description) -> Table:
    """The description as a rich table of two columns."""
    from rich.table import Table
    from rich.text import Text

    # As Text, since brackets in a name are no markup.
    title = Text(f"{description.name}: {description.jobs:,} jobs")
    table = Table("", "", title=title, show_header=False)
    for label, text in _lines(description):
        table.add_row(label, Text(text))
    return table


def _lines(d: Description) -> list[tuple[str, str]]:
    """What the table says, without what the log does not say."""
    lines = [
        ("source", d.source),
        ("submitted", _dates_text(d.origin, d.until)),
        ("span", duration(d.span_s)),
        ("time between arrivals", _said(d.interarrival_s, duration)),
        ("fullest minute", _peak_text(d.peak_minute)),
        ("fullest hour", _peak_text(d.peak_hour)),
        ("run time", _said(d.run, _spread_text)),
        ("wait as logged", _said(d.wait, _spread_text)),
        ("memory", _said(d.memory_max_mb, lambda mb: f"{mb:,.0f} MB at most")),
        ("outcomes", ", ".join(f"{name} {percent(share)}" for name, share in d.outcomes.items())),
        ("kinds", _kinds_text(d)),
        ("owners", _said(d.owner_count, "{:,}".format)),
        ("offered load", _said(d.offered_load, lambda load: _load_text(load, d.workers_needed))),
        ("running at once", _said(d.peak_running, "{:,} at most, as logged".format)),
        ("runs under 10 ms", _said(d.short_share, percent)),
        ("cut off", _said(d.cap_s, lambda cap_s: _cap_text(cap_s, d.cap_share))),
        ("without a run time", _said(d.never_ran, "{:,} jobs, cannot be replayed".format)),
        *((f"{note.count:,} jobs", note.reason) for note in d.notes),
    ]
    return [(label, text) for label, text in lines if text]


def _said(value: T | None, text: Callable[[T], str]) -> str:
    return text(value) if value else ""


def _dates_text(origin: datetime | None, until: datetime | None) -> str:
    return f"{origin:%Y-%m-%d %H:%M} to {until:%Y-%m-%d %H:%M} UTC" if origin and until else ""


def _peak_text(peak: Peak) -> str:
    return f"{peak.jobs:,} jobs, {duration(peak.from_s)} after the log's origin"


def _spread_text(spread: Mapping[str, float]) -> str:
    words = {"p50_s": "median", "mean_s": "mean", "p95_s": "p95", "p99_s": "p99", "max_s": "max"}
    return ", ".join(f"{word} {duration(spread[key])}" for key, word in words.items())


def _kinds_text(d: Description) -> str:
    more = d.kind_count - len(d.kinds)
    shown = ", ".join(f"{kind.kind} {percent(kind.jobs / d.jobs)}" for kind in d.kinds)
    return f"{shown}, and {more:,} more" if more else shown


def _load_text(load: float, needed: int | None) -> str:
    return f"{load:,.2f} workers busy on average, so {needed:,} or more to keep up"


def _cap_text(cap_s: float, share: float | None) -> str:
    return (
        f"{percent(share or 0)} of runs end at exactly {cap_s:,.15g} s: there was a limit, it seems"
    )


def duration(seconds: float) -> str:
    """Seconds as a person says them: three digits, and the unit that fits."""
    for unit, size_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size_s:
            return f"{seconds / size_s:,.{2 if seconds < 10 * size_s else 1}f} {unit}"
    return f"{seconds:.3g} s" if seconds >= 1 or seconds == 0 else f"{1000 * seconds:.3g} ms"


def percent(share: float) -> str:
    """A share as a person says it; what is there is never said to be nothing."""
    return "under 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"


def _spread(times_s: pd.Series[float]) -> dict[str, float] | None:
    if times_s.empty:
        return None
    quantiles = np.quantile(times_s, list(QUANTILES.values()))
    return {
        "min_s": float(times_s.min()),
        "mean_s": float(times_s.mean()),
        **dict(zip(QUANTILES, map(float, quantiles), strict=True)),
        "max_s": float(times_s.max()),
    }


def _peak(submit_s: pd.Series[float], width_s: float) -> Peak:
    """The fullest of the intervals of this width that follow one another from second 0."""
    intervals, counts = np.unique(submit_s // width_s, return_counts=True)
    fullest = counts.argmax()
    return Peak(int(counts[fullest]), float(intervals[fullest] * width_s))


def _peak_running(start_s: pd.Series[float], run_s: pd.Series[float]) -> int | None:
    """The most jobs at work at once; one that ends when another starts makes room for it."""
    known = start_s.notna() & run_s.notna()
    if not known.any():
        return None
    starts_s = np.sort(start_s[known])
    ends_s = np.sort(start_s[known] + run_s[known])
    started = np.arange(1, len(starts_s) + 1)
    return int((started - np.searchsorted(ends_s, starts_s, side="right")).max())


def _cap(run_s: pd.Series[float]) -> tuple[float | None, float | None]:
    """The longest run time and the share of it, where that many cannot be chance."""
    at_cap = run_s == run_s.max()
    if at_cap.sum() < CAP_RUNS or at_cap.mean() < CAP_SHARE or run_s.nunique() < CAP_VALUES:
        return None, None
    return float(run_s.max()), float(at_cap.mean())


def _shares(outcomes: pd.Series[Any]) -> dict[str, float]:
    shares = outcomes.value_counts(normalize=True)
    return {str(outcome): float(share) for outcome, share in shares.items() if share}


def _kinds(jobs: pd.DataFrame) -> tuple[Kind, ...]:
    counts = jobs["kind"].value_counts().head(KINDS_SHOWN)
    medians = jobs.groupby("kind", observed=True)["run_s"].median().to_dict()
    return tuple(
        Kind(str(kind), int(count), _known(medians[kind]))
        for kind, count in counts.items()
        if count
    )


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)
