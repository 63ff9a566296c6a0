DAY = "2026-03-01 10:"


def job(number, finished=None, scheduled="00:00", active=None, created="00:00"):
    return {
        "id": number,
        "class_name": "MailJob",
        "active_job_id": active or f"uuid-{number}",
        "priority": 0,
        "created_at": f"{DAY}{created}",
        "scheduled_at": f"{DAY}{scheduled}",
        "finished_at": finished and f"{DAY}{finished}",
    }


def execution(job_id, created):
    return {"job_id": job_id, "created_at": f"{DAY}{created}"}


def test_a_finished_job_has_neither_start_nor_run_time(log_of, reasons):
    log = log_of(solid_queue_jobs=[job(1, finished="00:09")])
    (one,) = log.jobs.itertuples()
    assert (one.kind, one.outcome, one.attempts) == ("MailJob", "completed", 1)
    assert log.jobs[["start_s", "run_s"]].isna().all(axis=None)
    assert reasons(log)["marked: the tables keep no start and no run time of finished jobs"] == 1


def test_a_claimed_job_started_when_it_was_claimed(log_of):
    log = log_of(
        solid_queue_jobs=[job(1), job(2)], solid_queue_claimed_executions=[execution(2, "00:04")]
    )
    assert list(log.jobs["start_s"].fillna(-1)) == [-1, 4]
    assert list(log.jobs["attempts"]) == [0, 1]


def test_a_failed_execution_is_a_failure(log_of):
    log = log_of(
        solid_queue_jobs=[job(1), job(2, finished="00:05")],
        solid_queue_failed_executions=[execution(1, "00:04")],
    )
    assert list(log.jobs["outcome"]) == ["failed", "completed"]


def test_rows_of_one_active_job_are_its_attempts(log_of, reasons):
    rows = [
        job(2, created="01:00", scheduled="01:03", active="a"),
        job(1, finished="00:30", active="a"),
    ]
    log = log_of(solid_queue_jobs=rows, solid_queue_failed_executions=[execution(2, "01:09")])
    (one,) = log.jobs.itertuples()
    assert (one.submit_s, one.outcome, one.attempts) == (0, "failed", 2)
    assert reasons(log)["mended: attempts joined to their jobs"] == 2
