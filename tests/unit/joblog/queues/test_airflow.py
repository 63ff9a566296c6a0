import pytest

DAY = "2026-03-01 10:"


def task(
    name, queued="00:00", start="00:02", end="00:05", state="success", tries=1, host="h", **more
):
    return {
        "task_id": name,
        "dag_id": "etl",
        "run_id": "scheduled__2026-03-01",
        "map_index": -1,
        "start_date": start and f"{DAY}{start}.25",
        "end_date": end and f"{DAY}{end}.25",
        "state": state,
        "try_number": tries,
        "hostname": host,
        "unixname": "airflow",
        "priority_weight": 2,
        "queued_dttm": queued and f"{DAY}{queued}.25",
    } | more


def test_queued_start_and_end_give_wait_and_run(log_of):
    (one,) = log_of(task_instance=[task("load")]).jobs.itertuples()
    assert (one.kind, one.start_s, one.run_s, one.attempts) == ("etl.load", 2, 3, 1)
    assert (one.owner, one.priority, one.outcome) == ("airflow", 2, "completed")


def test_an_instance_is_submitted_when_its_dependencies_are_met(log_of):
    ready = task("load", queued="00:10", start="00:12", end="00:13")
    log = log_of(task_instance=[ready | {"scheduled_dttm": f"{DAY}00:00"}])
    assert log.jobs["start_s"][0] == 12.25


def test_mapped_instances_are_jobs_of_their_own(log_of):
    log = log_of(task_instance=[task("load", map_index=0), task("load", map_index=1)])
    assert len(log) == 2


@pytest.mark.parametrize(
    ("state", "tries"),
    [("upstream_failed", 0), ("skipped", 0), ("success", 1), (None, 0)],
)
def test_what_no_worker_got_is_no_job(log_of, reasons, state, tries):
    empty = task("empty", queued=None, state=state, tries=tries, host="")
    log = log_of(task_instance=[task("load"), empty])
    assert len(log) == 1
    assert any("no worker got it" in reason for reason in reasons(log))


def test_an_instance_without_an_instant_of_queueing_is_submitted_at_its_start(log_of):
    (one,) = log_of(task_instance=[task("wait", queued=None)]).jobs.itertuples()
    assert one.start_s != one.start_s
    assert one.run_s == 3


def test_what_is_tried_again_is_marked(log_of, reasons):
    log = log_of(task_instance=[task("load", tries=3)])
    assert log.jobs["attempts"][0] == 3
    assert any("last try" in reason for reason in reasons(log))


def test_the_first_try_is_taken_from_the_history_where_it_is_kept(log_of, reasons):
    tries = [
        task("load", queued="00:20", start="00:22", end="00:30", state="failed", tries=2),
        task("load", queued="00:01", start="00:03", end="00:10", state="failed", tries=1),
        task("other", queued="00:00", start="00:01", end="00:04", state="failed", tries=2),
    ]
    now = [
        task("load", queued="00:40", start="00:45", end="00:55", tries=3),
        task("other", queued="01:00", start="01:01", end="01:04", tries=3),
        task("quick"),
    ]
    log = log_of(task_instance=now, task_instance_history=tries)
    jobs = log.jobs.set_index("kind")
    assert jobs.loc["etl.load", ["start_s", "run_s", "attempts"]].tolist() == [3, 10, 3]
    assert jobs.loc["etl.load", "submit_s"] == 1
    assert jobs.loc["etl.other", "start_s"] == 61
    found = reasons(log)
    assert found["mended: its first try is that of task_instance_history"] == 1
    assert found["marked: tried again, submission and start are those of the last try"] == 1


@pytest.mark.parametrize("state", ["running", "up_for_retry", "queued", "deferred"])
def test_what_has_not_ended_has_no_run_time(log_of, state):
    log = log_of(task_instance=[task("load", state=state)])
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["outcome"][0] == "unknown"


def run(number, state="success", end="01:00"):
    return {
        "dag_id": "etl",
        "run_id": f"manual__{number}",
        "state": state,
        "queued_at": f"{DAY}00:00",
        "start_date": f"{DAY}00:01",
        "end_date": end and f"{DAY}{end}",
    }


def test_a_run_of_a_dag_is_a_job(log_of):
    log = log_of(dag_run=[run(1), run(2, "running", None), run(3, "failed")])
    assert list(log.jobs["outcome"]) == ["completed", "unknown", "failed"]
    assert list(log.jobs["run_s"].fillna(-1)) == [59, -1, 59]


def test_with_both_tables_the_task_instances_are_the_jobs(log_of):
    assert log_of(task_instance=[task("load")], dag_run=[run(1)]).jobs["kind"][0] == "etl.load"
