"""A whole run on a live database."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import psutil
import pymysql
import pytest
import sqlalchemy as sa

from jobsim.errors import DatabaseError
from jobsim.horizon import ALL_FINAL, NOTHING_CAN_CHANGE
from jobsim.live.database import Database, on_throw_away
from jobsim.live.perform import perform
from jobsim.live.record import LiveRecord, Progress
from jobsim.live.server import ThrowAwayServer
from jobsim.live.supervisor import LAST_INSTANT
from jobsim.live.work import Command
from tests.unit.live.made import (
    attempts,
    events,
    killer_run,
    lease_run,
    queue_run,
    wait_until,
)

pytestmark = pytest.mark.live


def tables(database: Database) -> list[str]:
    with database.connect() as connection:
        return [name for (name,) in connection.exec_driver_sql("SHOW TABLES")]


def waits_s(record: LiveRecord) -> np.ndarray:
    """From the row's being in to the start of its first attempt, by job."""
    first = attempts(record).groupby("job")["started_s"].min()
    return first.to_numpy() - np.array(record.recorder.submitted)


@pytest.mark.parametrize("queue", ["guarded-flag", "for-update", "skip-locked"])
def test_every_job_is_run_once_and_ends_as_logged(database: Database, queue: str) -> None:
    run = queue_run(queue, jobs=12, workers=3, run_s=0.01, every_s=0.005, fails=[5])
    record = perform(run, database)
    rows = attempts(record).sort_values("job")
    assert record.ended == ALL_FINAL
    assert rows["job"].tolist() == list(range(1, 13))
    assert rows.loc[rows["outcome"] == "failed", "job"].tolist() == [5]
    assert set(rows["worker"]) <= {0, 1, 2}
    stages = rows[["claiming_s", "claimed_s", "started_s", "ended_s", "finished_s"]].to_numpy()
    assert (np.diff(stages, axis=1) >= 0).all()
    assert (rows["ended_s"] - rows["started_s"] >= 0.01).all()


def test_a_row_is_submitted_when_its_job_falls_due_and_not_before(database: Database) -> None:
    record = perform(queue_run(jobs=4, every_s=0.1), database)
    late_s = np.array(record.recorder.submitted) - np.arange(4) * 0.1
    assert (late_s >= 0).all()
    assert (waits_s(record) > -1e-3).all()


def test_a_flag_that_is_put_up_later_lets_a_job_run_twice(database: Database) -> None:
    record = perform(queue_run("taken-flag", jobs=60, workers=4), database)
    assert len(attempts(record)) > 60


def test_workers_that_stop_when_there_is_nothing_end_the_run(database: Database) -> None:
    run = queue_run(jobs=1, every_s=5.0, workers=2, settings={"on_empty": "stop"})
    record = perform(run, database)
    assert record.ended in (ALL_FINAL, NOTHING_CAN_CHANGE)
    assert record.wall_s < 4


def test_a_run_that_cannot_end_is_ended_at_its_last_instant(database: Database) -> None:
    record = perform(queue_run(run_s=60.0, until_s=0.3), database)
    assert record.ended == LAST_INSTANT
    assert 0.3 <= record.wall_s < 2.0
    assert list(attempts(record)["outcome"]) == ["unfinished"]


def test_a_job_nobody_gives_back_ends_the_run(database: Database) -> None:
    run = queue_run(
        workers=2, faults=["kind=kill,worker=0,at=work", "kind=kill,worker=1,at=work"],
        settings={"reclaim": "never"},
    )  # fmt: skip
    record = perform(run, database)
    assert record.ended == NOTHING_CAN_CHANGE
    assert record.wall_s < 5


def test_a_row_that_a_dying_transaction_still_holds_does_not_end_the_run(
    database: Database,
) -> None:
    run = queue_run(
        workers=2, poll_s=0.005, faults=["kind=kill,worker=0,at=mark,when=after"],
        settings={"reclaim": "never"},
    )  # fmt: skip
    record = perform(run, database)
    assert record.ended == ALL_FINAL


def test_notify_wakes_a_worker_long_before_its_next_poll(database: Database) -> None:
    run = queue_run(jobs=5, workers=2, every_s=0.05, poll_s=30.0, notify=True)
    record = perform(run, database)
    assert record.ended == ALL_FINAL
    assert record.wall_s < 5
    assert np.median(waits_s(record)) < 0.5


def test_a_reclaim_wakes_a_worker_too(database: Database) -> None:
    run = queue_run(
        workers=2, run_s=0.02, poll_s=30.0, notify=True,
        faults=["kind=kill,worker=0,at=work", "kind=raise,worker=1,at=nowhere"],
        settings={"reclaim": "after", "reclaim_s": 0.2, "sweep_s": 0.05}, jobs=2, until_s=8.0,
    )  # fmt: skip
    record = perform(run, database)
    assert record.ended == ALL_FINAL
    assert record.wall_s < 5


def test_without_notify_a_worker_finds_a_row_at_its_next_tick(database: Database) -> None:
    run = queue_run(jobs=2, every_s=0.25, poll_s=0.2)
    record = perform(run, database)
    assert record.recorder.frames()[2].shape[0] >= 1
    assert waits_s(record).max() < 1.5


def test_progress_is_told_and_never_goes_back(database: Database) -> None:
    told: list[Progress] = []
    perform(queue_run(jobs=5, every_s=0.05), database, progress=told.append)
    assert told[-1].submitted == told[-1].final == told[-1].jobs == 5
    assert [one.final for one in told] == sorted(one.final for one in told)


def test_a_trace_has_the_steps_of_every_part_in_order_of_time(database: Database) -> None:
    record = perform(queue_run(), database, trace=True)
    mine = [step.label for step in record.steps if step.worker == 0]
    claimed = mine.index("mark")
    assert mine[claimed - 2 : claimed + 7] == [
        "begin", "select", "mark", "commit", "note", "start", "work", "finish", "note"
    ]  # fmt: skip
    assert [step.t_s for step in record.steps] == sorted(step.t_s for step in record.steps)
    assert "submit" in [step.label for step in record.steps if step.worker == -1]


def test_commands_are_measured(database: Database) -> None:
    command = Command(lambda job: ["sh", "-c", f"exit {job - 1}"])
    record = perform(queue_run(jobs=2), database, work=command)
    assert sorted(attempts(record)["outcome"]) == ["completed", "failed"]
    ran = {one.job: one for one in record.ran}
    assert (ran[1].outcome, ran[2].outcome, ran[2].status) == ("completed", "failed", 1)
    assert all(0 < one.memory_mb < 30 and one.run_s > 0 for one in record.ran)


def test_the_plans_of_the_statements_are_recorded(database: Database) -> None:
    record = perform(queue_run(jobs=60, run_s=0.001), database)
    plans = {plan.label: plan for plan in record.plans}
    assert plans["mark"].index == "PRIMARY"
    assert plans["select"].expected == "by_status_created_at"
    assert "FOR UPDATE SKIP LOCKED" in plans["select"].sql


def test_nothing_of_a_run_is_left_in_the_database(database: Database) -> None:
    stood: list[list[str]] = []
    perform(queue_run(), database, at_end=lambda connection: stood.append(names(connection)))
    assert stood == [["jobsim_jobs"]]
    assert tables(database) == []


def names(connection: sa.Connection) -> list[str]:
    return [name for (name,) in connection.exec_driver_sql("SHOW TABLES")]


def test_two_runs_at_once_in_one_database_are_refused(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobsim.live.perform.LEAVING_S", 0.1)
    began = threading.Event()
    first = threading.Thread(
        target=perform,
        args=(queue_run(run_s=60.0, until_s=1.5), database),
        kwargs={"progress": lambda _: began.set()},
    )
    first.start()
    try:
        assert began.wait(10)
        with pytest.raises(DatabaseError, match="another run of jobsim is at work there"):
            perform(queue_run(), database)
    finally:
        first.join(20)


def test_a_foreign_table_of_that_name_is_left_alone(database: Database) -> None:
    with database.connect() as connection:
        connection.exec_driver_sql("CREATE TABLE jobsim_jobs (id INT)")
        with pytest.raises(DatabaseError, match="jobsim did not make it"):
            perform(queue_run(), database)
        connection.exec_driver_sql("DROP TABLE jobsim_jobs")


def test_a_script_that_breaks_off_ends_the_run_and_its_traceback_is_kept(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("of our own")

    monkeypatch.setattr("jobsim.live.session.Session.commit", breaks)
    run = queue_run(until_s=60.0, settings={"reclaim": "never"})
    with pytest.raises(DatabaseError) as broken:
        perform(run, database)
    assert str(broken.value) == "worker-0 broke off: ZeroDivisionError: of our own"
    assert "Traceback" in broken.value.__notes__[0]


def test_a_submitter_that_the_server_refuses_ends_the_run(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise pymysql.OperationalError(1114, "The table 'jobsim_jobs' is full")

    monkeypatch.setattr("jobsim.live.session.pymysql.cursors.Cursor.executemany", refuses)
    with pytest.raises(DatabaseError, match=r"submitter broke off: .*table 'jobsim_jobs' is full"):
        perform(queue_run(jobs=5, until_s=60.0), database)


def test_a_server_without_room_for_the_workers_is_a_database_error() -> None:
    with ThrowAwayServer(options=("--max-connections=10",)) as server:
        database = on_throw_away(server)
        with pytest.raises(
            DatabaseError, match=r"worker-\d+ could not begin: .*Too many connections"
        ):
            perform(queue_run(workers=20), database)


def test_a_server_that_dies_in_the_midst_is_a_database_error() -> None:
    with ThrowAwayServer() as server:
        database = on_throw_away(server)

        def kill(progress: Progress) -> None:
            if progress.t_s > 0.2:
                server.kill()

        with pytest.raises(DatabaseError, match="was lost during the run") as lost:
            perform(queue_run(jobs=5, every_s=0.1), database, progress=kill)
        assert "\n" not in str(lost.value)


def test_a_lease_lets_one_run_at_a_time_where_it_is_enforced(database: Database) -> None:
    run = lease_run("process-watcher", [0.0, 0.15, 2.0], 0.5, enforced=True)
    rows = attempts(perform(run, database)).sort_values("job")
    assert rows["outcome"].tolist() == ["completed", "skipped", "completed"]
    assert rows["started_s"].notna().tolist() == [True, False, True]


def test_progress_counts_the_processes_of_scheduled_runs_too(database: Database) -> None:
    told: list[Progress] = []
    perform(lease_run("process-watcher", [0.0, 0.1], 0.05), database, progress=told.append)
    assert told[-1][1:] == (2, 2, 2)


def test_a_fault_counts_the_steps_of_all_scheduled_runs_together(database: Database) -> None:
    run = lease_run("process-watcher", [0.0, 0.1, 0.2], 0.05, faults=["kind=kill,at=work,nth=2"])
    record = perform(run, database)
    assert attempts(record).query("outcome == 'died'").shape[0] == 1
    assert events(record)["kind"].value_counts()["died"] == 1


def test_a_killer_kills_the_statement_that_runs_too_long_and_spares_the_ignored(
    database: Database,
) -> None:
    run = killer_run(
        [3.0, 0.9, 0.1], owners=["web", "batch", "web"], busy_s=0.3, interval_s=0.2,
        ignore_users=["batch"],
    )  # fmt: skip
    record = perform(run, database)
    rows = attempts(record).set_index("job")["outcome"]
    assert rows.to_dict() == {1: "killed", 2: "completed", 3: "completed"}
    kills = events(record).query("kind == 'kill'")
    assert kills["job"].tolist() == [1]
    assert (kills["value"] > 0.3).all()


def test_a_statement_that_waits_for_another_s_row_starts_when_it_has_it(
    database: Database,
) -> None:
    run = killer_run([0.4, 0.1], touches=[1, 1], every_s=0.15, busy_s=60.0)
    record = perform(run, database)
    rows = attempts(record).sort_values("job")
    assert rows["outcome"].tolist() == ["completed", "completed"]
    assert rows["started_s"].iloc[1] >= rows["started_s"].iloc[0] + 0.4
    assert record.recorder.counts["lock_waits"] >= 1


PROGRAM = """
import faulthandler
faulthandler.dump_traceback_later(15)
from jobsim.live.perform import perform
from jobsim.live.server import ThrowAwayServer
from jobsim.live.database import on_throw_away
from tests.unit.live.made import queue_run
with ThrowAwayServer() as server:
    database = on_throw_away(server)
    tell = lambda progress: print(server.pid, server.folder, flush=True)
    try:
        perform(queue_run(run_s=60.0, workers=3, until_s=60.0), database, progress=tell)
    finally:
        with database.connect() as connection:
            left = connection.exec_driver_sql("SHOW TABLES").all()
        print("left", left, flush=True)
"""


@pytest.fixture
def program():  # type: ignore[no-untyped-def]
    """A process in the midst of a run, its descendants, and the folder of its server."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3],
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    folder = process.stdout.readline().strip()
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) >= 6  # three workers, submitter, reaper, server, its watchdog
    yield process, children, Path(folder)
    process.kill()
    process.communicate()


def test_a_ctrl_c_leaves_nothing_behind(program) -> None:  # type: ignore[no-untyped-def]
    process, children, folder = program
    began_s = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to each process of the group
    try:
        out, err = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"it does not end: {process.communicate()[1]}")
    assert time.monotonic() - began_s < 10
    assert process.returncode == -signal.SIGINT
    assert out.splitlines()[-1] == "left []"
    assert err.strip().splitlines()[-1] == "KeyboardInterrupt"
    assert err.count("Traceback") == 1
    wait_until(lambda: not any(child.is_running() for child in children) and not folder.exists())


def test_when_the_supervisor_is_killed_all_its_processes_end(program) -> None:  # type: ignore[no-untyped-def]
    process, children, folder = program
    process.kill()
    process.wait(10)
    wait_until(lambda: not any(alive(child) for child in children) and not folder.exists())


def alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
