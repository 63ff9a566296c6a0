import pytest

DAY = "2026-03-01 10:"


def job(number, state="completed", attempt=1, inserted="00:00", scheduled="00:00", **at):
    times = dict.fromkeys(("attempted", "completed", "discarded", "cancelled")) | at
    return {
        "id": number,
        "state": state,
        "worker": "MyApp.Mailer",
        "queue": "default",
        "attempt": attempt,
        "priority": 3,
        "inserted_at": f"{DAY}{inserted}.000001",
        "scheduled_at": f"{DAY}{scheduled}.000001",
        **{f"{name}_at": at and f"{DAY}{at}.000001" for name, at in times.items()},
    }


def test_the_due_time_is_the_later_of_insertion_and_schedule(log_of):
    log = log_of(oban_jobs=[job(1, scheduled="05:00", attempted="05:02", completed="05:09")])
    (one,) = log.jobs.itertuples()
    assert (one.start_s, one.run_s, one.kind, one.priority) == (2, 7, "MyApp.Mailer", 3)


@pytest.mark.parametrize(
    ("state", "ended", "outcome"),
    [
        ("completed", "completed", "completed"),
        ("discarded", "discarded", "failed"),
        ("cancelled", "cancelled", "cancelled"),
    ],
)
def test_each_final_state_has_its_own_time(log_of, state, ended, outcome):
    log = log_of(oban_jobs=[job(1, state, attempted="00:01", **{ended: "00:05"})])
    assert (log.jobs["outcome"][0], log.jobs["run_s"][0]) == (outcome, 4)


def test_a_retried_job_keeps_its_insertion_and_loses_its_first_start(log_of, reasons):
    tried = job(1, attempt=3, scheduled="40:00", attempted="40:01", completed="40:03")
    log = log_of(oban_jobs=[tried])
    (one,) = log.jobs.itertuples()
    assert (one.submit_s, one.run_s, one.attempts) == (0, 2, 3)
    assert one.start_s != one.start_s
    assert sum("tried again" in reason for reason in reasons(log)) == 2


def test_a_job_that_waits_for_its_second_try_was_due_when_inserted(log_of):
    log = log_of(oban_jobs=[job(1, "retryable", scheduled="00:20", attempted="00:02"), job(2)])
    assert list(log.jobs["submit_s"]) == [0, 0]
    assert log.jobs["start_s"][0] == 2


@pytest.mark.parametrize("state", ["available", "executing", "retryable"])
def test_what_has_not_ended_has_no_run_time(log_of, state):
    log = log_of(oban_jobs=[job(1, state, attempted="00:01"), job(2, state, attempt=0)])
    assert log.jobs["run_s"].isna().all()
    assert set(log.jobs["outcome"]) == {"unknown"}


def test_pruning_is_said(log_of, reasons):
    log = log_of(oban_jobs=[job(1)])
    assert any("pruned" in reason for reason in reasons(log))
