"""Airflow's metadata: task instances, and DAG runs as another view of the same work.

==============  ====================================  =============================================
column          of a task instance                    of a DAG run
==============  ====================================  =============================================
``job_id``      DAG, run, task and map index          ``dag_id`` and ``run_id``
``kind``        ``dag_id.task_id``                    ``dag_id``
``submit_s``    ``scheduled_dttm`` (its dependencies  ``queued_at``
                were met), or ``queued_dttm`` where
                the version has not the former
``start_s``     ``start_date``                        ``start_date``
``run_s``       to ``end_date``, or ``duration``      to ``end_date``: of all its tasks together
``outcome``     ``state``                             ``state``
``owner``       ``unixname``
``priority``    ``priority_weight``
``attempts``    ``try_number``
==============  ====================================  =============================================

A task instance keeps the times of its last try only; those before are in ``task_instance_history``
from Airflow 2.10 on. Where its first try is there, submission and start are of that one; else all
are of the last try, which is marked. An instance that was neither queued nor has a host was never
given to a worker (skipped, its upstream failed, its state set by hand, or an empty operator, which
the scheduler ends by itself): it is no job and dropped. One that has a host, but no instant of
queueing, is submitted at its start. Times are UTC. Source: Airflow's models ``TaskInstance``,
``TaskInstanceHistory`` and ``DagRun``.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, numbers, seconds
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes

STATES = {"shutdown": "failed", "removed": "cancelled", "up_for_reschedule": "unfinished"}


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs of task instances."""
    tasks = _given_out(frames["tasks"], notes)
    ids, tries = _ids(tasks), numbers(tasks, "try_number")
    queued_s = _queued_s(tasks, reading, notes)
    last_start_s = seconds(tasks, "start_date", reading, notes)
    first = _first_tries(frames.get("history"), reading, notes).reindex(ids)
    first = first.set_axis(tasks.index, axis="index")
    known = first["start_s"].notna() & (tries > 1)
    notes.add("mended: its first try is that of task_instance_history", known)
    again = (tries > 1) & ~known
    notes.add("marked: tried again, submission and start are those of the last try", again)
    start_s = last_start_s.mask(known, first["start_s"])
    queued_s = queued_s.mask(known, first["queued_s"])
    resumed = queued_s.isna() & start_s.notna()
    notes.add("marked: when it was queued is not kept, its start stands for it", resumed)
    outcome, open_ = outcomes(tasks["state"], {**STATES, **reading.outcomes}, notes)
    return pd.DataFrame(
        {
            "job_id": ids,
            "kind": tasks["dag_id"] + "." + tasks["task_id"],
            "submit_s": queued_s.fillna(start_s),
            "start_s": start_s.mask(resumed),
            "last_start_s": last_start_s,
            "end_s": seconds(tasks, "end_date", reading, notes),
            "outcome": outcome,
            "open": open_ | tasks["state"].isna(),
            "owner": column(tasks, "unixname"),
            "priority": numbers(tasks, "priority_weight"),
            "attempts": tries,
        }
    )


def _queued_s(tries: pd.DataFrame, reading: Reading, notes: Notes) -> pd.Series[float]:
    scheduled_s = seconds(tries, "scheduled_dttm", reading, notes)
    return scheduled_s.fillna(seconds(tries, "queued_dttm", reading, notes))


def _first_tries(history: pd.DataFrame | None, reading: Reading, notes: Notes) -> pd.DataFrame:
    """When the first try was queued and started, by the task instance's id."""
    if history is None:
        return pd.DataFrame({"queued_s": [], "start_s": []}, dtype="float64")
    first = history[numbers(history, "try_number") == 1].reset_index(drop=True)
    first = first[~_ids(first).duplicated()].reset_index(drop=True)
    return pd.DataFrame(
        {
            "queued_s": _queued_s(first, reading, notes),
            "start_s": seconds(first, "start_date", reading, notes),
        }
    ).set_axis(_ids(first), axis="index")


def _given_out(tasks: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """Without those that no worker ever got: they have neither been queued nor have a host."""
    host = column(tasks, "hostname").replace("", None)
    queued = column(tasks, "queued_dttm").notna() | column(tasks, "scheduled_dttm").notna()
    never = ~queued & host.isna()
    notes.add("dropped: no worker got it (skipped, upstream failed, set by hand, or empty)", never)
    return tasks[~never].reset_index(drop=True)


def _ids(tasks: pd.DataFrame) -> pd.Series[str]:
    run = column(tasks, "run_id").fillna(column(tasks, "execution_date")).fillna("")
    place = column(tasks, "map_index").fillna("-1")
    ids = tasks["dag_id"] + " " + run + " " + tasks["task_id"]
    return ids.where(place == "-1", ids + " " + place)


def read_runs(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs of DAG runs."""
    runs = frames["runs"]
    outcome, open_ = outcomes(runs["state"], {**STATES, **reading.outcomes}, notes)
    notes.add("marked: a job is a whole run of a DAG, its tasks may run side by side", len(runs))
    return pd.DataFrame(
        {
            "job_id": runs["dag_id"] + " " + runs["run_id"],
            "kind": runs["dag_id"],
            "submit_s": seconds(runs, "queued_at", reading, notes),
            "start_s": seconds(runs, "start_date", reading, notes),
            "end_s": seconds(runs, "end_date", reading, notes),
            "outcome": outcome,
            "open": open_ | runs["state"].isna(),
        }
    )


TASKS = System(
    "airflow",
    "Airflow: task instances, with their first and last try",
    {
        "tasks": Part.of(
            "task_instance",
            "task_id dag_id start_date end_date state try_number",
            "run_id execution_date map_index queued_dttm scheduled_dttm hostname unixname"
            " priority_weight",
        ),
        "history": Part.of(
            "task_instance_history",
            "task_id dag_id start_date try_number",
            "run_id map_index queued_dttm scheduled_dttm",
        ),
    },
    read,
)
RUNS = System(
    "airflow-runs",
    "Airflow: DAG runs, each from queued to the end of its last task",
    {"runs": Part.of("dag_run", "dag_id run_id state queued_at start_date end_date")},
    read_runs,
    view_of=TASKS.name,
)
