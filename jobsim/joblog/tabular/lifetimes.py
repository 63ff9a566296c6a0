"""When each job of a foreign table was submitted and started, and how long it ran."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jobsim.joblog.localtime import Seconds
from jobsim.joblog.reading import INSTANTS
from jobsim.joblog.tabular.clock import Instants
from jobsim.joblog.tabular.source import Mask, Table
from jobsim.joblog.tabular.spans import duration

ROUNDING_S = 1.0
"""Whole seconds of an end and a run time can be so far from a start."""


def lifetimes(
    table: Table, times: Mapping[str, Instants], unfinished: Mask
) -> tuple[Seconds, Seconds, Seconds]:
    """The submission, start and run time of each job, as far as the table has or implies them."""
    nothing = np.full(len(table.frame), np.nan)
    submit_s, start_s, end_s = (
        times[target].seconds if target in times else nothing for target in INSTANTS
    )
    run_s, wait_s = duration(table, "run", times), duration(table, "wait", times)
    has_starts = "start" in times or wait_s is not None
    if "start" not in times and wait_s is not None:
        start_s = submit_s + wait_s
    if run_s is None:
        run_s = end_s - start_s
        what = "marked: an end is logged, but neither a start nor a run time: how long is not known"
        table.notes.add(what, ~np.isnan(end_s) & (not has_starts))
    run_s = _of_ended(table, run_s, unfinished, ~np.isnan(end_s))
    if not has_starts:
        start_s = _started(table, submit_s, end_s - run_s)
    if "submit" not in times:
        submit_s, start_s = _submitted_by_start(table, start_s, wait_s)
    return submit_s, start_s, run_s


def _of_ended(table: Table, run_s: Seconds, unfinished: Mask, has_end: Mask) -> Seconds:
    """Run times without those of jobs that had not ended, which say only how far they were."""
    known = ~np.isnan(run_s)
    cut = "marked: an end is logged, yet the status says not ended: the run time may be cut off"
    table.notes.add(cut, unfinished & known & has_end)
    open_ = unfinished & known & ~has_end
    table.notes.add("mended: not ended when the log was made, run time left missing", open_)
    return np.where(open_, np.nan, run_s)


def _started(table: Table, submit_s: Seconds, start_s: Seconds) -> Seconds:
    """Starts that are ends less run times; none where every one of them is the submission, too."""
    late_s = start_s - submit_s
    known = ~np.isnan(late_s)
    if known.any() and (np.abs(late_s[known]) <= ROUNDING_S).all():
        what = "marked: the run time is from submission to end: a wait, if there was one, is in it"
        table.notes.add(what, known)
        return np.full(len(start_s), np.nan)
    early = (late_s < 0) & (late_s > -ROUNDING_S)
    table.notes.add("mended: start (end less run time) rounds to before submission, moved", early)
    return np.where(early, submit_s, start_s)


def _submitted_by_start(
    table: Table, start_s: Seconds, wait_s: Seconds | None
) -> tuple[Seconds, Seconds]:
    if wait_s is not None:
        return start_s - wait_s, start_s
    known = ~np.isnan(start_s)
    table.notes.add("marked: submissions are not logged, starts stand for them", known)
    return start_s, np.full(len(start_s), np.nan)
