"""Signs that jobs are missing from a log: survivors only, or chosen by when they ended."""

from __future__ import annotations

import numpy as np

from jobsim.joblog.describe.answers import are_dates
from jobsim.joblog.describe.columns import Columns
from jobsim.joblog.describe.sign import Sign
from jobsim.joblog.describe.words import duration, percent

FEWEST, FEWEST_WAITS = 100, 30

THIN_JOBS, THIN_SPAN = 0.02, 1 / 3
"""So few jobs at one end of a log shall not be so much of its span."""

FEW_EXPECTED = 20
FEW_SEEN = 1 / 3
"""Jobs that should be there and are not: at least so many expected, at most this share seen."""

RARE = 1e-4


def only_successes(columns: Columns) -> Sign | None:
    """Every job completed.

    Of n jobs that fail with a chance of 3 / n each, none fails with a chance of 5 % (the rule of
    three).
    """
    outcomes, count = columns.log.jobs["outcome"], len(columns.log)
    if count < FEWEST or not (outcomes == "completed").all():
        return None
    most = 3 / count
    return Sign(
        "only-successes",
        f"each of {count:,} jobs completed: either fewer than {percent(most)} fail,"
        " or failures were left out",
        {"failing_at_most": most},
    )


def chosen_by_end(columns: Columns) -> Sign | None:
    """Jobs submitted before the first end are few, and all of them long.

    A log of the jobs that *ended* in some time has, of those submitted before it, only the long
    ones. Then the first end comes late: the chance that no job begun before it is done yet is the
    product of P(run time > first end - begin), with the log's own run times.
    """
    submit_s = columns.submit_s
    if len(columns.runs_s) < FEWEST:
        return None
    first_end_s = float(np.nanmin(columns.begin_s + columns.run_s))
    until_s, rest_s = first_end_s - float(submit_s[0]), float(submit_s[-1]) - first_end_s
    early = int(np.searchsorted(submit_s, first_end_s))
    if not early or rest_s <= 0:
        return None
    expected = (len(submit_s) - early) * until_s / rest_s
    since_s = first_end_s - columns.begin_s[:early]
    not_done = columns.longer_share(since_s[since_s > 0])
    is_late = float(np.log(np.maximum(not_done, 1e-300)).sum()) < np.log(RARE)
    if expected < FEW_EXPECTED or early > FEW_SEEN * expected or not is_late:
        return None
    return Sign(
        "chosen-by-end",
        f"nothing ends in the first {duration(until_s)}, and only {early:,} jobs were submitted in"
        f" it (at the later rate: {expected:,.0f}), all long: the log was chosen by END time, it"
        f" seems, and short jobs are missing there; --window {first_end_s - 0.5:.0f}s.. leaves"
        " that part out",
        {"until_s": until_s, "jobs": early, "expected": expected},
    )


def unfinished_left_out(columns: Columns) -> Sign | None:
    """Fewer jobs are at work at the last submission than the run times make likely.

    A job is still at work then with the chance P(run time > time since it began); added up over
    all jobs that had begun, that many should end later, or never in the log.
    """
    last_s, begin_s = float(columns.submit_s[-1]), columns.begin_s
    if len(columns.runs_s) < FEWEST:
        return None
    begun = begin_s <= last_s
    unknown = np.isnan(columns.run_s) & (columns.log.jobs["outcome"] == "unknown").to_numpy()
    seen = int((begun & ((begin_s + columns.run_s > last_s) | unknown)).sum())
    since_s = last_s - begin_s[begun]
    possible = since_s < columns.runs_s[-1]
    expected = float(columns.longer_share(since_s[possible]).sum())
    if expected < FEW_EXPECTED or seen > FEW_SEEN * expected:
        return None
    return Sign(
        "unfinished-left-out",
        f"{seen or 'no'} jobs were at work at the last submission, and by the run times it should"
        f" be some {expected:,.0f}: those not finished when the log was taken were left out, it"
        " seems, and they are mostly long",
        {"seen": seen, "expected": expected},
    )


def thin_ends(columns: Columns) -> Sign | None:
    """A few jobs at one end of the log are much of its span."""
    submit_s = columns.submit_s
    few, span_s = int(THIN_JOBS * len(submit_s)), float(submit_s[-1] - submit_s[0])
    if len(submit_s) < FEWEST or not span_s:
        return None
    from_s, to_s = float(submit_s[few]), float(submit_s[-1 - few])
    before, after = (from_s - submit_s[0]) / span_s, (submit_s[-1] - to_s) / span_s
    which, share = ("first", before) if before >= after else ("last", after)
    if share < THIN_SPAN:
        return None
    window = f"{from_s:.0f}s.." if which == "first" else f"..{to_s:.0f}s"
    return Sign(
        "thin-ends",
        f"the {which} {100 * THIN_JOBS:g} % of the jobs fill {percent(float(share))} of the span:"
        f" rates and load are those of the rest only with --window {window}",
        {"span_share": float(share), "from_s": from_s, "to_s": to_s},
    )


def starts_as_submissions(columns: Columns) -> Sign | None:
    """No job ever waited."""
    waits_s = columns.waits_s
    if len(waits_s) < FEWEST_WAITS or waits_s.any():
        return None
    return Sign(
        "no-waits",
        "every job starts the instant it is submitted: its start was logged as its submission,"
        " it seems, and waits are not known",
    )


def only_dates(columns: Columns) -> Sign | None:
    """Submissions are days, not instants."""
    if not are_dates(columns):
        return None
    return Sign(
        "only-dates",
        "all jobs are submitted at the same time of day: a nightly batch, or dates without a time;"
        " if they are dates, waits and backlog mean nothing",
    )


SIGNS = (
    only_successes,
    chosen_by_end,
    unfinished_left_out,
    thin_ends,
    starts_as_submissions,
    only_dates,
)
