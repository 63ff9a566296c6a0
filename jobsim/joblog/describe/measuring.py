"""Signs that run times are not what the jobs need: limits, clocks, and the load they ran under."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from jobsim.joblog.describe.columns import Columns
from jobsim.joblog.describe.sign import Sign
from jobsim.joblog.describe.times import Flags, Floats, different, resolution_s
from jobsim.joblog.describe.words import duration, percent

CAP_RUNS, CAP_SHARE, CAP_VALUES = 5, 0.001, 20
"""Runs that end at exactly the longest time are called cut off if they are at least this many and
this share of all, in a log that has at least so many different run times."""

FEWEST = 100

PILE_TOP, PILE_WIDTH, PILE_SHARE, PILE_LATER = 0.01, 1.02, 0.15, 0.1
PILE_RUNS, PILE_ABOVE = 20, 3
"""Of the longest 1 % of runs, so large a share within 2 % of each other, with so few longer ones,
are a pile at a limit, if they are at least so many and at so many times the median. Of exponential
run times, two in a hundred of the longest 1 % are that near each other and that near the end."""

FLOORS_S = tuple(digit * 10.0**power for power in range(-3, 5) for digit in (1, 2, 5))
FLOOR_WIDTH, FLOOR_OF_MEDIAN = 1.1, 0.2
"""A shortest run just above a round number, and not far below the median, hints at a threshold."""

SAMPLE, STRETCH = 20_000, 1000
"""Of large logs, about so many jobs are compared, in stretches of so many that follow."""

GROWTH, ERRORS = 0.1, 4
"""A rank correlation that is to be taken seriously: at least this, and so many standard errors."""


def cap(run_s: Floats) -> tuple[float | None, float | None]:
    """The longest of run times, ascending, and the share at it, where that cannot be chance."""
    if not len(run_s):
        return None, None
    cap_s = float(run_s[-1])
    count = len(run_s) - int(np.searchsorted(run_s, cap_s))
    share = count / len(run_s)
    if count < CAP_RUNS or share < CAP_SHARE or different(run_s) < CAP_VALUES:
        return None, None
    return cap_s, share


def cut_off(columns: Columns) -> Sign | None:
    """Many runs end at exactly, or at nearly, the longest time."""
    cap_s, share = cap(columns.runs_s)
    if cap_s is None or share is None:
        return _piled_up(columns.runs_s)
    return Sign(
        "cut-off",
        f"{percent(share)} of runs end at exactly {cap_s:,.15g} s: there was a limit, it seems,"
        " and how long these jobs need is not known",
        {"at_s": cap_s, "share": share},
    )


def _piled_up(run_s: Floats) -> Sign | None:
    longest_s = run_s[len(run_s) - int(PILE_TOP * len(run_s)) :]
    if len(longest_s) < PILE_RUNS:
        return None
    until = np.searchsorted(longest_s, PILE_WIDTH * longest_s, side="right")
    near = until - np.arange(len(longest_s))
    near[len(longest_s) - until > PILE_LATER * len(longest_s)] = 0
    fullest = near.argmax()
    count, at_s = int(near[fullest]), float(longest_s[until[fullest] - 1])
    is_pile = count >= max(PILE_RUNS, PILE_SHARE * len(longest_s))
    if not is_pile or at_s <= PILE_ABOVE * np.median(run_s):
        return None
    return Sign(
        "cut-off",
        f"{count:,} of the {len(longest_s):,} longest runs are within 2 % below {duration(at_s)},"
        " and hardly any is longer: there was a limit, it seems, and how long these jobs need is"
        " not known",
        {"at_s": at_s, "share": count / len(run_s)},
    )


def only_longer(columns: Columns) -> Sign | None:
    """The shortest run is just over a round number: what is shorter was not logged."""
    run_s = columns.runs_s
    if len(run_s) < 30 or different(run_s) < CAP_VALUES:
        return None
    least_s, median_s = float(run_s[0]), float(np.median(run_s))
    floor_s = max((floor for floor in FLOORS_S if floor <= least_s), default=0.0)
    if not floor_s or least_s > FLOOR_WIDTH * floor_s or least_s < FLOOR_OF_MEDIAN * median_s:
        return None
    return Sign(
        "only-longer",
        f"no run is shorter than {duration(floor_s)}, and many are little longer: shorter ones"
        " were not logged, perhaps",
        {"from_s": floor_s},
    )


def coarse_clock(columns: Columns) -> Sign | None:
    """The clock of run times is too slow for them."""
    run_s = columns.runs_s
    if len(run_s) < 30 or (run_s[0] == run_s[-1] and run_s[-1]):
        return None
    whole = 1.0 if (run_s % 1 == 0).all() else None
    step_s, median_s = resolution_s(run_s) or whole, float(np.median(run_s))
    if step_s is None or median_s > 2 * step_s:
        return None
    return Sign(
        "coarse-clock",
        f"run times are whole multiples of {duration(step_s)}, and half of them are at most"
        f" {duration(median_s)}: the clock was too coarse for them",
        {"step_s": step_s, "median_s": median_s},
    )


def grown_under_load(columns: Columns) -> Sign | None:
    """A job runs longer than the one before it where more other jobs are at work.

    The evidence is Spearman's rank correlation between two differences, from each job to the next
    of its kind and owner: of run time, and of jobs at work at the start. Differences, because over
    days and weeks both change for other reasons. The first of the two does not count as at work at
    the start of the second: it is if it is long, which would lower the correlation.
    """
    runs = _begun(columns)
    group = runs.groupby(["block", "kind", "owner"], dropna=False, observed=True).ngroup()
    runs = runs.iloc[np.argsort(group.to_numpy(), kind="stable")]
    longer, more = _differences(runs, np.diff(np.sort(group.to_numpy())) == 0)
    correlation = _rank_correlation(longer, more)
    if not len(more) or correlation < max(GROWTH, ERRORS / math.sqrt(len(more))):
        return None
    return Sign(
        "grown-under-load",
        "the more jobs are at work at its start, the longer a job runs, compared with the one"
        f" before it of its kind (rank correlation {correlation:.2f}){_factor(runs)}: run times"
        " were recorded under load, it seems, and would be shorter with fewer workers",
        {"rank_correlation": correlation},
    )


def _begun(columns: Columns) -> pd.DataFrame:
    """The jobs with known starts and run times by start, or even stretches of them."""
    known = np.flatnonzero(~np.isnan(columns.start_s) & ~np.isnan(columns.run_s))
    known = known[np.argsort(columns.start_s[known], kind="stable")]
    block = np.arange(len(known)) // STRETCH
    taken = block % max(len(known) // SAMPLE, 1) == 0
    jobs: pd.DataFrame = columns.log.jobs.iloc[known[taken]]
    running = columns.running.at(jobs["start_s"].to_numpy())
    others = np.maximum(running - 1, 0)
    kept = jobs[["kind", "owner", "start_s", "run_s"]]
    return kept.assign(block=block[taken], others=others)


def _differences(runs: pd.DataFrame, follows: Flags) -> tuple[Floats, Floats]:
    """From a job to the one that follows it: of the logarithm of run time, and of jobs at work."""
    start_s, run_s, others = (
        runs[name].to_numpy(dtype="float64") for name in ("start_s", "run_s", "others")
    )
    longer = np.diff(np.log(run_s + 1e-6))[follows]
    still = (start_s + run_s)[:-1] > start_s[1:]
    more = (np.diff(others) - still)[follows]
    return longer[more != 0], more[more != 0]


def _rank_correlation(one: Floats, other: Floats) -> float:
    if len(one) < 2 or one.min() == one.max() or other.min() == other.max():
        return 0.0
    ranks = pd.DataFrame({"one": one, "other": other}).rank().to_numpy(dtype="float64")
    return float(np.corrcoef(ranks, rowvar=False)[0, 1])


def _factor(runs: pd.DataFrame) -> str:
    """How much longer jobs run where many are at work than where few are, by their kind."""
    few, many = (int(runs["others"].quantile(q)) for q in (0.1, 0.9))
    medians_s = runs.groupby("kind", dropna=False, observed=True)["run_s"].transform("median")
    relative = runs["run_s"][medians_s > 0] / medians_s[medians_s > 0]
    low, high = (
        float(relative[where].median()) for where in (runs["others"] <= few, runs["others"] >= many)
    )
    if few == many or not low > 0:
        return ""
    return f", {high / low:.1f} times as long with {many:,} others as with {few:,}"


SIGNS = (cut_off, only_longer, coarse_clock, grown_under_load)
