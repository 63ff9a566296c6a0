"""Action Scheduler, the job queue of WooCommerce and many other WordPress plugins.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``action_id``
``kind``        ``hook``
``submit_s``    when it was due: the later of ``scheduled_date_gmt`` and the log's "action created"
                (an asynchronous action has no scheduled date)
``start_s``     the log's first "action started"; without a log ``last_attempt_gmt`` of an action
                that is not complete, as completing one overwrites it, if it was tried once
``run_s``       from the last "action started" to the last "action complete", "action failed",
                "action marked as failed after" (older: "action timed out after"),
                "action canceled" or "unexpected shutdown"
``outcome``     ``status``; a failed action that the log says was given up after a time is a timeout
``owner``       the group's slug
``priority``    ``priority``, where the version has it
``attempts``    the number of "action started"
==============  ===================================================================================

Messages are in the site's language. Where it is not English the first of an action is taken for its
creation, and of an action that was tried once and ended, if there are three, the second for its
start and the third for its end.

All times are whole seconds of UTC. Completed and cancelled actions are deleted with their logs
after 30 days, unless a site says otherwise; failed ones stay. Sources: Action Scheduler's
``ActionScheduler_Logger``, ``ActionScheduler_DBStore`` and ``ActionScheduler_QueueCleaner``.
"""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, later, numbers, seconds
from jobsim.joblog.queues.jobs import only_start
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.queues.transitions import END, START, SUBMIT, by_job
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes

TIMED_OUT = "action (?:marked as failed|timed out) after"
MESSAGES = {
    "action created": SUBMIT,
    "action started": START,
    f"action (?:complete|failed|cancell?ed)|unexpected shutdown|{TIMED_OUT}": END,
    "There was a failure fetching this action": END,
}
ENGLISH = "action |unexpected shutdown|There was"
OF_ONE_TRY = (SUBMIT, START, END)
"""What the messages of an action that was tried once and ended say, in every language."""
GUESSED = "guessed: its log is not in English: its three lines are creation, start and end"
STATUSES = {"canceled": "cancelled", "in-progress": "unfinished"}


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs of a site's actions, with the log of each where there is one."""
    actions = frames["actions"]
    log = _log(frames.get("logs"), actions, reading, notes).reindex(actions["action_id"])
    log.index = actions.index
    logged = log["attempts"] > 0
    taken = numbers(actions, "attempts")
    last_s = seconds(actions, "last_attempt_gmt", reading, notes)
    outcome, open_ = outcomes(actions["status"], {**STATUSES, **reading.outcomes}, notes)
    unlogged_s = last_s.mask(logged | (outcome == "completed"))
    given_up = (outcome == "failed") & log["given_up"].eq(True)
    _note(actions, taken, logged, given_up, notes)
    return pd.DataFrame(
        {
            "job_id": actions["action_id"],
            "kind": actions["hook"],
            "submit_s": later(
                log["submit_s"], seconds(actions, "scheduled_date_gmt", reading, notes)
            ),
            "created_s": log["submit_s"],
            "start_s": log["start_s"].fillna(only_start(unlogged_s, taken, notes)),
            "last_start_s": log["last_start_s"],
            "end_s": log["end_s"],
            "outcome": outcome.mask(given_up, "timeout"),
            "open": open_,
            "owner": _groups(actions, frames.get("groups")),
            "priority": numbers(actions, "priority"),
            "attempts": log["attempts"].where(logged, taken),
        }
    )


def _log(
    logs: pd.DataFrame | None, actions: pd.DataFrame, reading: Reading, notes: Notes
) -> pd.DataFrame:
    """What the log says of each action, and whether it says that it was given up."""
    if logs is None:
        logs = pd.DataFrame(columns=["log_id", "action_id", "message", "log_date_gmt"], dtype="str")
    logs = logs.assign(order=numbers(logs, "log_id")).sort_values("order", ignore_index=True)
    at_s = seconds(logs, "log_date_gmt", reading, notes)
    found = by_job(logs["action_id"], at_s, _sorts(logs, actions, notes), logs["order"])
    words = logs["message"].reindex(found["end_place"]).set_axis(found.index)
    return found.assign(given_up=words.str.match(TIMED_OUT, flags=re.IGNORECASE, na=False))


def _sorts(logs: pd.DataFrame, actions: pd.DataFrame, notes: Notes) -> pd.Series[str]:
    """What each message of a log in its order tells of."""
    sort = pd.Series("", index=logs.index, dtype="str")
    for pattern, meaning in MESSAGES.items():
        sort = sort.mask(logs["message"].str.match(pattern, flags=re.IGNORECASE, na=False), meaning)
    foreign = ~logs["message"].str.match(ENGLISH, flags=re.IGNORECASE, na=True)
    ended = actions["status"].isin(["complete", "failed"]) & (numbers(actions, "attempts") == 1)
    of_one = logs.groupby("action_id")
    place = of_one.cumcount()
    clear = (of_one["order"].transform("size") == len(OF_ONE_TRY)) & logs["action_id"].isin(
        actions.loc[ended, "action_id"]
    )
    for turn, meaning in enumerate(OF_ONE_TRY):
        taken = foreign & (place == turn) & (clear | (turn == 0))
        sort = sort.mask(taken, meaning)
    notes.add(GUESSED, (foreign & clear & (place == 0)))
    return sort


def _note(
    actions: pd.DataFrame,
    taken: pd.Series[float],
    logged: pd.Series[bool],
    given_up: pd.Series[bool],
    notes: Notes,
) -> None:
    notes.add("marked: times are whole seconds", len(actions))
    notes.add(
        "marked: completed actions are deleted after 30 days by default, failed ones stay",
        len(actions),
    )
    notes.add("marked: its log tells of no start, end and run time unknown", (taken > 0) & ~logged)
    notes.add("marked: given up after a time, the run time is that until it was noticed", given_up)


def _groups(actions: pd.DataFrame, groups: pd.DataFrame | None) -> pd.Series[Any]:
    if groups is None:
        return pd.Series(None, index=actions.index, dtype="str")
    slugs = groups.drop_duplicates("group_id").set_index("group_id")["slug"]
    return column(actions, "group_id").map(slugs)


SYSTEM = System(
    "action-scheduler",
    "Action Scheduler (WordPress, WooCommerce): actions, with starts and ends from their log",
    {
        "actions": Part.of(
            "actionscheduler_actions",
            "action_id hook status scheduled_date_gmt",
            "group_id attempts last_attempt_gmt priority",
        ),
        "logs": Part.of("actionscheduler_logs", "log_id action_id message log_date_gmt"),
        "groups": Part.of("actionscheduler_groups", "group_id slug"),
    },
    read,
)
