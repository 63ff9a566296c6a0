"""What the columns of people's job tables are called, best names first."""

from __future__ import annotations

import re

NAMES: dict[str, tuple[str, ...]] = {
    "id": ("job_id jobid jid", "id uuid guid pk", "run_id request_id task_id execution_id name"),
    "kind": (
        "kind job_class job_type task_type",
        "job_name task_name task class type handler hook workflow workflow_name command function",
        "queue activity operation name predict_type",
        "worker",
    ),
    "submit": (
        "submit submitted submit_at submit_time submitted_at submission_time submit_date q_date",
        "queued queued_at enqueued_at enqueue_time enqueued queue_time queued_dttm time_queued",
        "created created_at create_time creation_time created_on created_time date_created"
        " created_date gmt_create inserted_at time_created requested_at request_time received"
        " received_at arrival arrival_time arrived_at",
        "due due_at scheduled_at available_at run_at scheduled_for",
        "timestamp time datetime date event_time",
    ),
    "start": (
        "start started start_at start_time started_at start_date begin begin_time begun_at"
        " began began_at run_started_at starting_time time_started start_timestamp"
        " job_start_date actual_start_date",
        "claimed claimed_at picked_at attempted_at reserved_at locked_at dequeued_at"
        " processing_started_at first_started_at scheduled_time processed_on",
    ),
    "end": (
        "end ended end_at end_time ended_at end_date finish finished finished_at finish_time"
        " finished_on time_finished completed completed_at complete_time completion_time"
        " completed_on completion_date stop stop_time stopped_at done_at processed_at date_done",
        "deletion_time deleted_at closed_at",
    ),
    "run": (
        "run run_time runtime run_duration exec_time execution_time processing_time service_time"
        " wall_time walltime exec_duration remote_wall_clock_time",
        "duration elapsed elapsed_time took time_taken",
    ),
    "wait": (
        "wait wait_time waiting_time queue_wait queued_duration time_in_queue queue_time",
        "queue_latency queue_delay",
    ),
    "outcome": (
        "outcome conclusion result final_status final_state",
        "status state job_status job_state task_status predict_status pod_phase phase",
        "exit_code exit_status returncode return_code exit success succeeded",
    ),
    "priority": ("priority prio", "priority_weight nice"),
    "owner": (
        "owner submitted_by requested_by user user_name username",
        "user_id uid tenant tenant_id account account_id customer_id created_by actor author"
        " sender",
    ),
    "memory": (
        "peak_memory max_memory memory_peak max_rss maxrss peak_rss memory_max",
        "memory_used rss",
    ),
    "attempts": ("attempts attempt_count tries", "try_number attempt"),
}
"""The names a column of each target goes by: a line of equals after each line of better ones."""

UNIT_ENDINGS = {
    "ns nano nanos nanoseconds": "ns",
    "us micro micros microseconds usec": "us",
    "ms milli millis milliseconds msec": "ms",
    "s sec secs seconds": "s",
    "m min mins minutes": "min",
    "h hours hrs": "h",
    "b bytes": "B",
    "kb kib": "kB",
    "mb mib": "MB",
    "gb gib": "GB",
}
UNIT_OF = {ending: unit for endings, unit in UNIT_ENDINGS.items() for ending in endings.split()}
OTHER_ENDINGS = ("ts", "dt", "utc", "gmt", "unix", "epoch", "timestamp", "datetime", "dttm")


def snake(name: str) -> str:
    """A column's name in lower case with underscores: ``createdAt`` is ``created_at``."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.strip())
    return re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")


def split(name: str) -> tuple[str, str]:
    """A column's name without its unit, and the unit that it ends in, or ``""``."""
    word, unit = snake(name), ""
    while True:
        rest, _, ending = word.rpartition("_")
        if rest and ending in UNIT_OF and not unit:
            word, unit = rest, UNIT_OF[ending]
        elif rest and ending in OTHER_ENDINGS:
            word = rest
        else:
            return word, unit


def rank(target: str, name: str) -> int | None:
    """How well a column's name says that it holds the target, 0 is best; None: it does not."""
    words = {snake(name), split(name)[0]}
    closed = {word.replace("_", "") for word in words}
    for place, line in enumerate(NAMES[target]):
        known = line.split()
        if words & set(known) or closed & {each.replace("_", "") for each in known}:
            return place
    return None
