DAY = "2026-03-01 10:"


def task(number, status="SUCCESSFUL", after=None, started="00:03", finished="00:07"):
    return {
        "id": f"u{number}",
        "status": status,
        "enqueued_at": f"{DAY}00:00",
        "started_at": started and f"{DAY}{started}",
        "finished_at": finished and f"{DAY}{finished}",
        "task_path": "app.mail",
        "run_after": after and f"{DAY}{after}",
        "priority": 10,
        "queue_name": "default",
    }


def test_tasks_have_waits_and_run_times(log_of):
    log = log_of(django_tasks_database_dbtaskresult=[task(1), task(2, "FAILED", after="00:02")])
    assert list(log.jobs["start_s"] - log.jobs["submit_s"]) == [3, 1]
    assert list(log.jobs["run_s"]) == [4, 4]
    assert list(log.jobs["outcome"]) == ["completed", "failed"]


def test_a_task_for_later_is_not_submitted_yet(log_of, reasons):
    waits = task(2, "READY", after="59:00", started=None, finished=None)
    log = log_of(django_tasks_database_dbtaskresult=[task(1), waits])
    assert len(log) == 1
