import pytest

from jobsim.errors import LogError

DAY = "2026-03-01 10:"


def result(number, status="SUCCESS", created="00:00", started=None, done="00:09"):
    return {
        "id": number,
        "task_id": f"t-{number}",
        "task_name": "app.mail",
        "worker": "w1",
        "status": status,
        "date_created": f"{DAY}{created}",
        "date_started": started and f"{DAY}{started}",
        "date_done": f"{DAY}{done}",
    }


def read(log_of, *rows):
    return log_of(django_celery_results_taskresult=list(rows))


def test_rows_made_when_a_task_is_published_give_waits(log_of):
    log = read(log_of, result(1, started="00:04"), result(2, created="00:01", started="00:01"))
    assert list(log.jobs["start_s"]) == [4, 1]
    assert list(log.jobs["run_s"]) == [5, 8]
    assert list(log.jobs["kind"].unique()) == ["app.mail"]


def test_rows_made_by_the_start_give_no_waits(log_of, reasons):
    log = read(log_of, result(1, created="00:04.001", started="00:04.003"))
    assert log.jobs["start_s"].isna().all()
    assert log.jobs["run_s"][0] == pytest.approx(4.997)
    assert any("starts stand for them" in reason for reason in reasons(log))


def test_without_tracked_starts_there_is_no_run_time(log_of):
    assert read(log_of, result(1)).jobs["run_s"].isna().all()


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("FAILURE", "failed"), ("REVOKED", "cancelled"), ("STARTED", "unknown"), ("RETRY", "unknown")],
)
def test_states_become_outcomes(log_of, status, outcome):
    log = read(log_of, result(1, status, started="00:02"))
    assert log.jobs["outcome"][0] == outcome
    assert log.jobs["run_s"].notna().all() == (outcome != "unknown")


def test_celerys_own_table_is_refused_with_the_command_that_gets_a_log(log_of):
    row = {"id": 1, "task_id": "t", "status": "SUCCESS", "date_done": f"{DAY}00:09"}
    with pytest.raises(LogError, match=r"date_done.*jobsim record table.*celery_taskmeta"):
        log_of(celery_taskmeta=[row])
