"""The words by which systems say how a job ended, as the outcomes of the tidy table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import shown
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import UNFINISHED
from jobsim.joblog.schema import OUTCOMES, category

_WORDS = {
    "completed": (
        "completed complete success succeeded succeed successful ok done finished passed processed"
        " partiallysucceeded neutral executed sent closed resolved fixed no_tests ended_ok"
        " completed_successfully"
    ),
    "failed": (
        "failed failure fail error errored errors dead crashed exception discarded rejected broken"
        " node_fail out_of_memory oom oom_killed boot_fail upstream_failed startup_failure"
        " infrastructure_fail completed_failed ended_not_ok"
    ),
    "cancelled": (
        "cancelled canceled cancelling aborted abort skipped revoked deleted preempted stopped"
        " withdrawn killed removed expired superseded interrupted evicted not_built not_run"
        " completed_killed"
    ),
    "timeout": (
        "timeout timed_out timedout time_out deadline deadline_exceeded completed_walltime_reached"
    ),
    UNFINISHED: (
        "running pending retryable queued waiting ready available scheduled started processing"
        " in_progress inprogress active new created enqueued reserved claimed executing working"
        " todo doing retry up_for_retry restarting suspended submitted paused deferred delayed"
    ),
}

OUTCOME_OF = {word: outcome for outcome, words in _WORDS.items() for word in words.split()}
"""What a word means where the user does not say it; words are compared by `plain`."""

ENDED_AT_ZERO = ("exit", "exit_code", "exitcode", "exit_status", "returncode", "return_code", "rc")
"""Columns of these names hold exit statuses: 0 completed, any other number failed."""

TRUE, FALSE = ("true", "t", "yes", "1"), ("false", "f", "no", "0")
TRUTHS = {"success": ("completed", "failed"), "failed": ("failed", "completed")}
"""Columns of truths, and what true and false say in a column of each sort of name."""


def plain(word: str) -> str:
    """A status as it is compared: lower case, blanks and hyphens as underscores."""
    return word.strip().lower().replace(" ", "_").replace("-", "_")


def outcomes(
    cells: pd.Series[Any], said: Mapping[str, str], notes: Notes, column: str = ""
) -> tuple[pd.Series[Any], pd.Series[bool]]:
    """The outcome of each job, and which jobs had not ended when the log was made.

    Parameters
    ----------
    cells
        The log's own words, missing where it says none; numbers are words too.
    said
        What the user says that words mean (`Reading.outcomes`); holds before all else, and is
        compared as it is written first.
    column
        The name of the log's column: of ``exit_code`` 0 is a success, of ``status`` it is not.

    Returns
    -------
    Outcomes as a category of `OUTCOMES`, and a mask; both have the index of `cells`.
    """
    codes, found = pd.factorize(cells.astype("str").where(cells.notna()))
    words = [str(word).strip().removesuffix(".0") for word in found]
    by_plain = {plain(word): outcome for word, outcome in said.items()}
    known = [
        said.get(word)
        or by_plain.get(plain(word))
        or _by_name(word, column)
        or OUTCOME_OF.get(plain(word))
        for word in words
    ]
    for place, (word, outcome) in enumerate(zip(words, known, strict=True)):
        if outcome is None and word:
            what = f"marked: status {shown(word)} is not known, outcome unknown (--status says it)"
            notes.add(what, int((codes == place).sum()))
    unknown = OUTCOMES.index("unknown")
    code_of = [OUTCOMES.index(each) if each in OUTCOMES else unknown for each in known]
    taken = np.array([*code_of, unknown], dtype="int8")[codes]
    open_ = np.array([*(each == UNFINISHED for each in known), False])[codes]
    return (
        pd.Series(category(taken, OUTCOMES), index=cells.index),
        pd.Series(open_, index=cells.index),
    )


def _by_name(word: str, column: str) -> str | None:
    name = plain(column)
    if name in ENDED_AT_ZERO:
        return _by_exit_status(word)
    for sort, (if_true, if_false) in TRUTHS.items():
        if sort in name.removeprefix("is_").split("_"):
            if word.lower() in TRUE:
                return if_true
            if word.lower() in FALSE:
                return if_false
    return None


def _by_exit_status(word: str) -> str | None:
    # Slurm and others append the signal: 0:15 was killed by signal 15.
    status, _, signal = word.partition(":")
    if not status.lstrip("-").isdigit():
        return None
    return "completed" if int(status) == 0 and signal in ("", "0") else "failed"
