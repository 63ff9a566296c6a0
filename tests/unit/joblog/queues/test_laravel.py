import json

import pytest

from jobsim.errors import LogError

T = 1_772_359_200


def job(number, attempts=0, reserved=None, available=T, payload=None):
    return {
        "id": number,
        "queue": "default",
        "payload": json.dumps(payload or {"displayName": "App\\Jobs\\Mail"}),
        "attempts": attempts,
        "reserved_at": reserved,
        "available_at": available,
        "created_at": T,
    }


def failed(number, **payload):
    return {
        "id": number,
        "uuid": f"u-{number}",
        "queue": "default",
        "payload": json.dumps({"displayName": "App\\Jobs\\Mail"} | payload),
        "failed_at": "2026-03-01 10:30:00",
    }


def test_a_waiting_job_is_submitted_when_it_is_available(log_of):
    log = log_of(jobs=[job(1), job(2, available=T + 60, reserved=T + 65, attempts=1)])
    assert list(log.jobs["submit_s"]) == [0, 60]
    assert list(log.jobs["start_s"].fillna(-1)) == [-1, 65]
    assert set(log.jobs["kind"]) == {"App\\Jobs\\Mail"}
    assert log.jobs["run_s"].isna().all()


def test_a_released_job_is_submitted_when_its_payload_was_made(log_of, reasons):
    made = {"displayName": "A", "createdAt": T - 600}
    log = log_of(jobs=[job(1, attempts=2, available=T + 90, payload=made), job(2)])
    assert list(log.jobs["submit_s"]) == [0, 600]
    assert any("released" in reason for reason in reasons(log))


def test_a_failed_job_is_placed_by_its_payload_or_dropped(log_of, reasons):
    log = log_of(jobs=[job(1)], failed_jobs=[failed(7, createdAt=T + 5), failed(8)])
    assert list(log.jobs["outcome"]) == ["unknown", "failed"]
    assert list(log.jobs["job_id"]) == ["1", "u-7"]
    assert reasons(log)["dropped: when it was submitted is not known"] == 1


def test_failed_jobs_of_another_driver_are_read_alone(log_of):
    """An application on Redis has no table of jobs."""
    log = log_of(failed_jobs=[failed(7, pushedAt=str(T + 0.5)), failed(8)])
    assert list(log.jobs["job_id"]) == ["u-7"]
    with pytest.raises(LogError, match="no job is left of failed_jobs: 1 when it was submitted"):
        log_of(failed_jobs=[failed(8)])


def test_it_is_said_that_successes_are_missing(log_of, reasons):
    assert any("successes are deleted" in reason for reason in reasons(log_of(jobs=[job(1)])))


def test_a_payload_that_is_no_json_gives_no_kind(log_of):
    broken = job(1) | {"payload": "O:8:"}
    assert log_of(jobs=[broken]).jobs["kind"].isna().all()


def test_milliseconds_are_no_seconds(log_of, reasons):
    log = log_of(jobs=[job(1), job(2, available=T * 1000)])
    assert reasons(log)["mended: available_at that is no instant since 1970, left missing"] == 1


def test_a_table_that_tells_nothing_is_refused(log_of):
    with pytest.raises(LogError, match="jobsim record table --database URL --table jobs"):
        log_of(jobs=[job(1, available=None)])
