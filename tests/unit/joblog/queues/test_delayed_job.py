import pytest

DAY = "2026-03-01 10:"
ACTIVE_JOB = """--- !ruby/object:ActiveJob::QueueAdapters::DelayedJobAdapter::JobWrapper
job_data:
  job_class: Billing::MailJob
  job_id: 2b6a
"""
CALL = """--- !ruby/object:Delayed::PerformableMethod
object: !ruby/object:User
  id: 7
method_name: :deliver!
args: []
"""


def job(number, attempts=0, run="00:00", locked=None, failed=None, handler=ACTIVE_JOB):
    return {
        "id": number,
        "priority": 5,
        "attempts": attempts,
        "handler": handler,
        "run_at": f"{DAY}{run}",
        "locked_at": locked and f"{DAY}{locked}",
        "failed_at": failed and f"{DAY}{failed}",
        "created_at": f"{DAY}00:00",
        "queue": "mail",
    }


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        (ACTIVE_JOB, "Billing::MailJob"),
        (CALL, "deliver!"),
        (CALL.replace("method_name", "method"), "deliver!"),
        ("--- !ruby/struct:NewsletterJob\ntext: hi\n", "NewsletterJob"),
    ],
)
def test_the_kind_is_in_the_handler(log_of, handler, kind):
    assert log_of(delayed_jobs=[job(1, handler=handler)]).jobs["kind"][0] == kind


def test_a_tag_names_the_kind_where_the_table_has_it(log_of):
    rows = [job(1) | {"tag": "Fixup.run"}, job(2) | {"tag": None}]
    assert list(log_of(delayed_jobs=rows).jobs["kind"]) == ["Fixup.run", "Billing::MailJob"]


def test_a_running_job_started_when_it_was_locked(log_of):
    (one,) = log_of(delayed_jobs=[job(1, run="00:10", locked="00:12")]).jobs.itertuples()
    assert (one.start_s, one.attempts, one.owner, one.outcome) == (2, 1, "mail", "unknown")


def test_a_job_that_failed_before_is_submitted_when_created(log_of, reasons):
    log = log_of(delayed_jobs=[job(1, attempts=2, run="50:00", locked="50:01")])
    (one,) = log.jobs.itertuples()
    assert (one.submit_s, one.attempts) == (0, 3)
    assert one.start_s != one.start_s
    assert any("first due time" in reason for reason in reasons(log))


def test_a_job_that_failed_for_good_is_a_failure_without_a_run_time(log_of):
    log = log_of(delayed_jobs=[job(1, attempts=25, failed="59:00")])
    assert log.jobs["outcome"][0] == "failed"
    assert log.jobs["run_s"].isna().all()


def test_it_is_said_that_successes_are_missing(log_of, reasons):
    log = log_of(delayed_jobs=[job(1)])
    assert any("successes are deleted" in reason for reason in reasons(log))
