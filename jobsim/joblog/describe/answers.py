"""What can be asked of a log, and what not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jobsim.errors import Fault, LogError
from jobsim.joblog.describe.calendar import DAY_S
from jobsim.joblog.describe.columns import Columns
from jobsim.joblog.table import JobLog

RECORD = (
    "record one: jobsim record run --append jobs.csv -- COMMAND, or watch the table of the jobs:"
    " jobsim record table --database URL --table T --every 2s"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A question to a log.

    Attributes
    ----------
    question
        What one would know.
    answered
        Whether the log can tell.
    how
        If so, by which option or command; if not, what is missing.
    """

    question: str
    answered: bool
    how: str


def answers(columns: Columns) -> tuple[Answer, ...]:
    """Which questions this log answers, and which not."""
    return (*_replayed(columns), _waits(columns), _time_outs(columns), _retries(columns))


def check_answers(log: JobLog) -> None:
    """Refuse a log that answers nothing: no run times, and no times of arrival either.

    Raises
    ------
    LogError
        The reason, and the command that would get a usable log.
    """
    columns = Columns(log)
    if len(columns.runs_s) or not hides_arrivals(columns):
        return
    reason = "the log has no job"
    if len(log):
        reason = f"no run times, and {_hidden(columns)}, so that nothing can be computed"
    raise LogError([Fault(log.source, None, None, reason, RECORD)])


def are_dates(columns: Columns) -> bool:
    """Whether all jobs are submitted at the same time of day, as dates without a time are."""
    shown_s = columns.calendar.since_monday_s(columns.submit_s)
    days = (shown_s - shown_s[:1]) / DAY_S
    return bool(len(days) and days[-1] >= 1 and (days == np.rint(days)).all())


def hides_arrivals(columns: Columns) -> bool:
    """Whether nobody can tell when jobs came: all at once, it says, or on these days."""
    submit_s = columns.submit_s
    return not len(submit_s) or bool(submit_s[0] == submit_s[-1]) or are_dates(columns)


def _replayed(columns: Columns) -> list[Answer]:
    waits = "waits, backlog, lock contention and stuck time under any policy"
    how = "jobsim compare LOG --queue A --queue B"
    if not len(columns.runs_s):
        stated = Answer("waits and backlog for one run time of all", True, "--assume-run 30s")
        unknown = Answer(waits, False, f"run times are not logged; {RECORD}")
        return [unknown] if hides_arrivals(columns) else [stated, unknown]
    if not hides_arrivals(columns):
        return [Answer(waits, True, how)]
    together = Answer("how long all jobs take together under any policy", True, how)
    return [together, Answer("waits and backlog", False, _hidden(columns))]


def _hidden(columns: Columns) -> str:
    when = "dates without a time" if are_dates(columns) else "one single time"
    return f"{when} for all submissions"


def _waits(columns: Columns) -> Answer:
    question = "whether a replay comes near to what happened"
    if columns.waits_s.any():
        return Answer(question, True, "the log's own waits stand beside it")
    return Answer(question, False, "waits are not logged")


def _time_outs(columns: Columns) -> Answer:
    question = "which time-out suits which kind of job"
    kinds = columns.log.jobs["kind"].nunique()
    if kinds > 1 and len(columns.runs_s):
        return Answer(question, True, "run times by kind")
    missing = "run times are not logged" if kinds > 1 else "all jobs are of one kind"
    return Answer(question, False, missing if kinds else "kinds are not logged")


def _retries(columns: Columns) -> Answer:
    question = "how many jobs fail and need retries"
    outcomes = set(columns.log.jobs["outcome"].unique()) - {"unknown"}
    if outcomes - {"completed"}:
        return Answer(question, True, "outcomes")
    missing = "no failure is logged" if outcomes else "outcomes are not logged"
    return Answer(question, False, missing)
