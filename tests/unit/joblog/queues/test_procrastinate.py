import pytest

from jobsim.errors import LogError


def job(number, status="succeeded"):
    return {"id": number, "task_name": "app.mail", "status": status, "priority": 0, "attempts": 1}


def events(job_id, *what, first=1):
    return [
        {"id": first + place, "job_id": job_id, "type": kind, "at": f"2026-03-01 10:{at}+00"}
        for place, (kind, at) in enumerate(what)
    ]


def test_events_give_wait_and_run_exactly(log_of):
    log = log_of(
        procrastinate_jobs=[job(1)],
        procrastinate_events=events(
            1, ("deferred", "00:00"), ("started", "00:00.25"), ("succeeded", "00:01.75")
        ),
    )
    (one,) = log.jobs.itertuples()
    assert one.start_s == pytest.approx(0.25)
    assert one.run_s == pytest.approx(1.5)
    assert (one.kind, one.outcome, one.attempts) == ("app.mail", "completed", 1)


def test_a_scheduled_job_is_due_at_its_first_schedule(log_of):
    log = log_of(
        procrastinate_jobs=[job(1)],
        procrastinate_events=events(
            1, ("deferred", "00:00"), ("scheduled", "05:00"), ("started", "05:03"),
            ("deferred_for_retry", "05:04"), ("scheduled", "09:00"), ("started", "09:01"),
            ("succeeded", "09:11"),
        ),
    )  # fmt: skip
    (one,) = log.jobs.itertuples()
    assert log.origin.minute == 5
    assert (one.start_s, one.run_s, one.attempts) == (3, 10, 2)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("failed", "failed"), ("aborted", "cancelled"), ("cancelled", "cancelled")],
)
def test_statuses_become_outcomes(log_of, status, outcome):
    told = events(1, ("deferred", "00:00"), ("started", "00:01"), (status, "00:02"))
    log = log_of(procrastinate_jobs=[job(1, status)], procrastinate_events=told)
    assert (log.jobs["outcome"][0], log.jobs["run_s"][0]) == (outcome, 1)


def test_a_job_that_waits_for_a_retry_has_not_ended(log_of):
    told = events(1, ("deferred", "00:00"), ("started", "00:01"), ("deferred_for_retry", "00:02"))
    log = log_of(procrastinate_jobs=[job(1, "todo")], procrastinate_events=told)
    assert (log.jobs["outcome"][0], log.jobs["start_s"][0]) == ("unknown", 1)
    assert log.jobs["run_s"].isna().all()


def test_a_job_without_events_is_dropped(log_of, reasons):
    told = events(1, ("deferred", "00:00"))
    log = log_of(procrastinate_jobs=[job(1), job(2)], procrastinate_events=told)
    assert reasons(log)["dropped: when it was submitted is not known"] == 1


def test_jobs_without_the_table_of_events_are_refused(log_of):
    with pytest.raises(LogError, match="jobsim record table"):
        log_of(procrastinate_jobs=[job(1)])
