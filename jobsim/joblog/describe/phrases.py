"""What single figures of a log mean, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jobsim.joblog.describe.arrivals import Dispersion, Peak
from jobsim.joblog.describe.calendar import Calendar
from jobsim.joblog.describe.description import Kind
from jobsim.joblog.describe.gaps import Gap
from jobsim.joblog.describe.shape import A_DECADE, Shape
from jobsim.joblog.describe.tail import EXPONENTIAL_TOP, Tail
from jobsim.joblog.describe.words import bars, duration, number, percent, step
from jobsim.words import counted

HOURS = "0h    6h    12h   18h"


def dates(calendar: Calendar, begins_s: float, span_s: float) -> str:
    """From when to when, where the log has dates."""
    if not calendar.origin:
        return ""
    until = calendar.says(begins_s + span_s)
    zone = until[until.rfind(" ") :]
    return f"{calendar.says(begins_s).removesuffix(zone)} to {until}"


def spread(times: Mapping[str, float]) -> str:
    """Quantiles, mean and maximum."""
    words = {"p50_s": "median", "mean_s": "mean", "p95_s": "p95", "p99_s": "p99", "max_s": "max"}
    return ", ".join(f"{word} {duration(times[key])}" for key, word in words.items())


def over_time(counts: Sequence[int], span_s: float) -> str:
    """Jobs over the span, one bar for each part of it."""
    most = counted(max(counts), "job")
    return f"{bars(counts)}\na bar for {duration(span_s / len(counts))}; {most} at most"


def by_hour(rates: Sequence[float], calendar: Calendar) -> str:
    """Jobs in each hour of the day."""
    most = f"most from {rates.index(max(rates))} h on: {number(max(rates))} jobs an hour"
    return f"{bars(rates)}\n{HOURS}   {calendar.name}\n{most}"


def by_weekday(rates: Sequence[float], calendar: Calendar) -> str:
    """Jobs on each day of the week."""
    drawn = zip(calendar.weekdays, bars(rates), strict=True)
    return "  ".join(f"{name} {bar}" for name, bar in drawn)


def never_ran(count: int) -> str:
    """How many jobs have no run time."""
    return f"{counted(count, 'job')} without one, not to be replayed"


def peak(found: Peak, calendar: Calendar) -> str:
    """The fullest minute or hour."""
    return f"{counted(found.jobs, 'job')} from {calendar.says(found.from_s)}"


def bursts(found: Dispersion) -> str:
    """Whether jobs come in bursts."""
    how = "in bursts" if found.is_bursty else "as independent arrivals do"
    if found.is_regular:
        how = "evenly, as by a clock"
    return (
        f"jobs come {how}: the index of dispersion is {number(found.index)} in windows of"
        f" {step(found.window_s)} (independent arrivals: 1)"
    )


def ties(share: float, most: int) -> str:
    """How many jobs come at the same instant."""
    return f"{percent(share)} of jobs come together with others, {most:,} at most"


def gap(found: Gap, calendar: Calendar) -> str:
    """A gap, and whether it is a quiet time."""
    when = f"{duration(found.length_s)} from {calendar.says(found.from_s)}"
    if not found.is_rare or found.period is None:
        return when
    others = f"the same hours of {found.others:,} other {found.period}"
    usual = f"{counted(found.others_median, 'job')} at the median"
    if found.is_hole:
        return (
            f"{when}: no quiet time, {others} were never quiet ({usual}); an outage, a holiday, or"
            " a hole in the log?"
        )
    return f"{when}; {others}: {usual}, {found.others_quiet or 'none'} quiet"


def expected_gap(length_s: float) -> str:
    """What chance alone would make of the longest gap."""
    return (
        f"(of independent arrivals at this rate, the longest would be about {duration(length_s)})"
    )


def shape(found: Shape) -> str:
    """The distribution of run times, one bar for each quarter of a decade."""
    scale = f"{duration(found.from_s)} to {duration(found.to_s)}, {A_DECADE} bars a power of ten"
    total = sum(found.counts) + found.zeros
    zeros = f"; {percent(found.zeros / total)} are 0 s" if found.zeros else ""
    return f"{bars(found.counts)}\n{scale}{zeros}"


def short(share: float, found: Shape | None) -> str:
    """How many runs are under 10 ms, and whether that is only what a coarse clock shows."""
    zeros = found.zeros / (sum(found.counts) + found.zeros) if found else 1.0
    return percent(share) + (", all of them 0 s as logged" if zeros >= share else "")


def work(top_share: float) -> str:
    """How unequally the work is shared among the jobs."""
    return (
        f"the longest 1 % of runs are {percent(top_share)} of it"
        f" (if run times were exponential: {percent(EXPONENTIAL_TOP)})"
    )


def variation(cv2: float) -> str:
    """How much run times vary."""
    return f"variance / mean² {number(cv2)} (if run times were exponential: 1)"


def tail(found: Tail) -> str:
    """Whether the tail is heavy."""
    heavy = "not heavy (below 2 would be)"
    if found.index < 2:
        heavy = "perhaps heavy (below 2 is), but that may be chance"
    if found.is_heavy:
        heavy = "heavy: the mean and the load of a short part of the log mislead"
    return f"index {found.index:.3g} ± {found.error:.2g} (Hill, the {found.k:,} longest), {heavy}"


def kinds(shown: Sequence[Kind], total: int, count: int) -> str:
    """The most frequent kinds, with their share and median run time."""
    more = count - len(shown)
    texts = [
        f"{kind.kind} {percent(kind.jobs / total)}"
        + ("" if kind.run_p50_s is None else f" ({duration(kind.run_p50_s)})")
        for kind in shown
    ]
    return ", ".join([*texts, f"and {more:,} more"] if more else texts)


def load(offered: float) -> str:
    """The offered load."""
    workers = "worker" if offered == 1 else "workers"
    return f"{number(offered)} {workers} busy on average, if each has one job at a time"


def workers(needed: int, no_wait: int | None) -> str:
    """How many workers that implies."""
    none = "" if no_wait is None else f"; {no_wait:,} or more that no job ever waits"
    return f"{needed:,} or more to keep up{none}"
