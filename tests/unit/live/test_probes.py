"""What the server and the machine counted."""

import os
import sys
import time
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from jobsim.live.database import Database
from jobsim.live.perform import perform
from jobsim.live.probes import Processor, ProcessorReading, ServerCounters
from tests.unit.live.made import events, lease_run, queue_run

LATE = 2
"""The server counts the end of a connection when it notices it: on a busy machine some of another
test's fall into a run's count, or some of its own out of it."""


@pytest.mark.live
def test_only_what_others_do_is_counted(database: Database, connection: sa.Connection) -> None:
    with database.connect() as other:
        other.exec_driver_sql("CREATE TABLE jobsim_rows (id INT PRIMARY KEY)")
        other.exec_driver_sql("INSERT INTO jobsim_rows VALUES (1), (2), (3)")
        counters = ServerCounters(connection, lambda: lambda: None)
        counters.begin()
        for _ in range(5):
            other.exec_driver_sql("SELECT * FROM jobsim_rows").all()
        assert counters.ask("SELECT id FROM jobsim_rows LIMIT 1")
        assert not counters.ask("SELECT id FROM jobsim_rows WHERE id = 9")
        counts = counters.counted()
        other.exec_driver_sql("DROP TABLE jobsim_rows")
    assert abs(counts["statements"] - 5) <= LATE
    assert counts["rows_examined"] >= 5 * 3
    assert counts["lock_waits"] == counts["deadlocks"] == counts["lock_timeouts"] == 0


@pytest.mark.live
def test_what_it_takes_to_connect_is_not_counted_either(
    database: Database, connection: sa.Connection
) -> None:
    def connect() -> Callable[[], None]:
        other = database.connect()
        other.exec_driver_sql("SET SESSION time_zone = '+00:00'")
        return other.connection.invalidate

    counters = ServerCounters(connection, connect)
    counters.begin()
    opened = [connect() for _ in range(3)]
    assert abs(counters.counted(opened=3)["statements"]) <= LATE
    for close in opened:
        close()


@pytest.mark.live
def test_a_run_counts_the_statements_of_its_scripts_alone(database: Database) -> None:
    run = queue_run(jobs=20, poll_s=5.0, settings={"reclaim": "never"})
    record = perform(run, database, trace=True)
    sent = ("submit", "begin", "select", "mark", "commit", "rollback", "finish")
    steps = sum(step.label in sent for step in record.steps)
    assert steps >= 1 + 20 * 5
    assert abs(record.recorder.counts["statements"] - steps) <= LATE
    assert record.recorder.counts["rows_examined"] >= 20


@pytest.mark.live
def test_a_spawned_script_counts_for_its_statements_and_not_for_its_connection(
    database: Database,
) -> None:
    record = perform(lease_run("process-watcher", [0.0, 0.1], 0.02), database, trace=True)
    sent = ("look", "look for stale", "insert start", "delete stale", "stamp end")
    steps = sum(step.label in sent for step in record.steps)
    assert steps >= 6
    assert abs(record.recorder.counts["statements"] - steps) <= LATE


@pytest.mark.live
@pytest.mark.parametrize("claimed", ["claimed", "running"])
def test_the_server_counts_the_waits_and_as_many_deadlocks_as_the_scripts_met(
    database: Database, claimed: str
) -> None:
    run = queue_run("for-update", jobs=300, workers=8, settings={"claimed_name": claimed})
    record = perform(run, database)
    counts = record.recorder.counts
    assert counts["lock_waits"] > 0
    assert counts["deadlocks"] == (events(record)["kind"] == "deadlock").sum()
    assert counts["lock_timeouts"] == 0
    if claimed == "running":  # it sorts behind the pending rows: no claim enters a locked gap
        assert counts["deadlocks"] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps these accounts")
def test_the_time_of_clients_on_the_processor_is_known() -> None:
    before = ProcessorReading.take([os.getpid()], None, 10.0)
    began_s = time.thread_time()
    while time.thread_time() - began_s < 0.05:
        pass
    used = before.until(ProcessorReading.take([os.getpid()], None, 10.5))
    assert used is not None
    assert 0.04 <= used.client_s < 1.0
    assert (used.server_s, used.wall_s) == (None, 0.5)


@pytest.mark.live
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps these accounts")
def test_the_time_of_the_server_is_known_where_it_is_ours(database: Database) -> None:
    record = perform(queue_run(jobs=50), database)
    assert record.processor is not None
    assert record.processor.server_s is not None
    assert 0 < record.processor.server_s < record.processor.wall_s * record.processor.processors


def test_a_process_that_is_gone_is_left_out() -> None:
    assert ProcessorReading.take([2**22 + 1], None, 0.0).clients == {}


@pytest.mark.parametrize(
    ("used_s", "queued_s", "bound"),
    [(0.2, 0.1, False), (1.7, 0.1, True), (0.2, 0.9, True)],
)
def test_a_run_is_cpu_bound_when_it_fills_the_machine_or_queues_for_it(
    used_s: float, queued_s: float, bound: bool
) -> None:
    assert Processor(used_s, queued_s, 0.0, 0.0, 1.0, 2).cpu_bound is bound
