"""Faults at a step: what a worker that dies, raises or hangs exactly there leaves behind."""

import time

import pytest
import sqlalchemy as sa

from jobsim.live.database import Database
from jobsim.live.perform import perform
from jobsim.live.record import LiveRecord
from tests.unit.live.made import attempts, events, queue_run

pytestmark = pytest.mark.live

PENDING, CLAIMED, DONE = "pending", "processing", "completed"
FREED_S = 2.0


class Left:
    """What a run left in its table, and whether its row could be locked again at once."""

    def __init__(self) -> None:
        self.status: list[str] = []
        self.attempts: list[int] = []
        self.locked_again_s = float("inf")

    def look(self, connection: sa.Connection) -> None:
        began_s = time.monotonic()
        connection.exec_driver_sql("SET SESSION innodb_lock_wait_timeout = 5")
        connection.exec_driver_sql("BEGIN")
        locking = "SELECT status, attempts FROM jobsim_jobs FOR UPDATE"
        rows = connection.exec_driver_sql(locking).all()
        connection.exec_driver_sql("ROLLBACK")
        self.locked_again_s = time.monotonic() - began_s
        self.status = [status for status, _ in rows]
        self.attempts = [number for _, number in rows]


def one_job_and(database: Database, fault: str) -> tuple[LiveRecord, Left]:
    """One worker, one job, one fault."""
    left = Left()
    run = queue_run(run_s=0.02, faults=[f"worker=0,{fault}"], settings={"reclaim": "never"})
    return perform(run, database, at_end=left.look), left


TABLE = [
    ("begin", "before", PENDING, None),
    ("begin", "during", PENDING, None),
    ("begin", "after", PENDING, None),
    ("select", "before", PENDING, None),
    ("select", "during", PENDING, None),
    ("select", "after", PENDING, None),
    ("mark", "before", PENDING, None),
    ("mark", "during", PENDING, None),
    ("mark", "after", PENDING, None),
    ("commit", "before", PENDING, None),
    ("commit", "during", CLAIMED, None),
    ("commit", "after", CLAIMED, "claimed_s"),
    ("start", "before", CLAIMED, "claimed_s"),
    ("start", "during", CLAIMED, "started_s"),
    ("start", "after", CLAIMED, "started_s"),
    ("work", "before", CLAIMED, "started_s"),
    ("work", "during", CLAIMED, "started_s"),
    ("work", "after", CLAIMED, "ended_s"),
    ("finish", "before", CLAIMED, "ended_s"),
    ("finish", "during", DONE, "ended_s"),
    ("finish", "after", DONE, "finished_s"),
]
"""Where the worker of one job is killed; the row then; the last stage that was recorded."""
STAGES = ["claiming_s", "claimed_s", "started_s", "ended_s", "finished_s"]


@pytest.mark.parametrize(("at", "when", "status", "last"), TABLE)
def test_a_kill_at_a_step_leaves_the_row_and_every_record_up_to_there(
    database: Database, at: str, when: str, status: str, last: str | None
) -> None:
    record, left = one_job_and(database, f"kind=kill,at={at},when={when}")
    assert left.status == [status]
    assert left.attempts == [0 if status == PENDING else 1]
    assert left.locked_again_s < FREED_S
    (died,) = events(record).to_dict("records")
    assert (died["kind"], died["step"], died["worker"]) == ("died", at, 0)
    rows = attempts(record)
    if last is None:
        assert rows.empty
        return
    (row,) = rows.to_dict("records")
    reached = STAGES[: STAGES.index(last) + 1]
    assert row["outcome"] == ("completed" if last == "finished_s" else "died")
    assert list(rows[reached].notna().iloc[0]) == [True] * len(reached)
    assert rows[STAGES[len(reached) :]].isna().all(axis=None)
    assert row[last] <= died["t_s"]
    assert died["job"] == (0 if last in ("claimed_s", "finished_s") else 1)


def test_a_kill_during_the_work_comes_at_half_of_its_time(database: Database) -> None:
    run = queue_run(run_s=0.2, faults=["kind=kill,worker=0,at=work,when=during"])
    record = perform(run, database)
    (died,) = events(record)["t_s"]
    (started,) = attempts(record)["started_s"]
    assert 0.1 <= died - started < 0.2


def test_a_kill_in_the_midst_of_a_batch_leaves_what_was_finished_and_what_was_not(
    database: Database,
) -> None:
    left = Left()
    run = queue_run(
        jobs=10,
        faults=["kind=kill,worker=0,at=work,nth=5,when=during"],
        settings={"batch": 10, "reclaim": "never"},
    )
    record = perform(run, database, at_end=left.look)
    assert left.status == [DONE] * 4 + [CLAIMED] * 6
    assert list(attempts(record)["outcome"]) == ["completed"] * 4 + ["died"] * 6
    assert left.locked_again_s < FREED_S


def test_only_the_nth_time_is_met_and_only_the_worker_that_is_meant(database: Database) -> None:
    run = queue_run(
        jobs=6,
        workers=2,
        run_s=0.01,
        faults=["kind=kill,worker=1,at=finish,nth=2"],
        settings={"reclaim": "never"},
    )
    record = perform(run, database)
    rows = attempts(record)
    assert list(rows.loc[rows["outcome"] == "died", "worker"]) == [1]
    assert (rows.loc[rows["worker"] == 1, "outcome"] == "completed").sum() == 1


def test_a_job_whose_worker_was_killed_is_taken_up_again_after_a_reclaim(
    database: Database,
) -> None:
    run = queue_run(
        workers=2,
        run_s=0.05,
        faults=["kind=kill,worker=0,at=work", "kind=kill,worker=1,at=work"],
        settings={"reclaim": "after", "reclaim_s": 0.3, "sweep_s": 0.05},
        until_s=3.0,
    )
    record = perform(run, database)
    happened = events(record)
    assert list(happened["kind"]) == ["died", "reclaimed", "died"]
    assert list(attempts(record)["number"]) == [1, 2]
    died, reclaimed = happened["t_s"].iloc[:2]
    assert 0.2 < reclaimed - died < 1.5


@pytest.mark.parametrize("when", ["before", "during", "after"])
def test_an_exception_at_a_step_ends_the_worker_and_takes_its_transaction_back(
    database: Database, when: str
) -> None:
    record, left = one_job_and(database, f"kind=raise,at=mark,when={when}")
    assert left.status == [PENDING]
    assert list(events(record)["kind"]) == ["raised"]
    assert left.locked_again_s < FREED_S
    assert not any("crashed" in warning for warning in record.warnings)


def test_an_exception_in_the_work_leaves_the_job_claimed(database: Database) -> None:
    record, left = one_job_and(database, "kind=raise,at=work")
    assert left.status == [CLAIMED]
    (row,) = attempts(record).to_dict("records")
    assert row["outcome"] == "raised"
    assert events(record)["job"].tolist() == [1]


def test_a_paused_worker_goes_on_after_its_time_and_finishes(database: Database) -> None:
    record, left = one_job_and(database, "kind=pause,at=work,for=0.2")
    assert left.status == [DONE]
    happened = events(record)
    assert list(happened["kind"]) == ["hung", "resumed"]
    hung, resumed = happened["t_s"]
    assert 0.2 <= resumed - hung < 1.0
    (row,) = attempts(record).to_dict("records")
    assert row["ended_s"] >= resumed


def test_a_worker_paused_in_its_claim_holds_the_lock_that_the_others_wait_for(
    database: Database,
) -> None:
    run = queue_run(
        "for-update",
        jobs=30,
        workers=2,
        run_s=0.002,
        faults=["kind=pause,worker=0,at=mark,when=before,for=0.3"],
        settings={"claimed_name": "running"},
    )
    record = perform(run, database)
    hung, resumed = events(record)["t_s"]
    claimed = attempts(record).query("worker == 1")["claimed_s"]
    # a claim that was committed before the pause may be noted within it
    assert (claimed.between(hung, resumed)).sum() <= 1
    assert record.recorder.counts["lock_waits"] >= 1
    assert record.recorder.counts["lock_wait_ms"] >= 200


def test_a_pause_while_a_statement_is_under_way(database: Database) -> None:
    record, left = one_job_and(database, "kind=pause,at=commit,when=during,for=0.1")
    assert left.status == [DONE]
    hung, resumed = events(record)["t_s"]
    assert 0.1 <= resumed - hung < 1.0
