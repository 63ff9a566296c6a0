import pytest

DAY = "2026-03-01 10:"
ZONE = "+02"


def job(number, new=False, state="completed", retries=0, after="00:00", start="00:02", end="00:09"):
    row = {
        "id": f"9f0c-{number}",
        "name": "mail",
        "priority": 0,
        "state": state,
        "created_on": f"{DAY}00:00{ZONE}",
        "start_after": f"{DAY}{after}{ZONE}",
        "started_on": start and f"{DAY}{start}.5{ZONE}",
        "completed_on": end and f"{DAY}{end}.5{ZONE}",
        "retry_count": retries,
    }
    return row if new else {name.replace("_", ""): cell for name, cell in row.items()}


@pytest.mark.parametrize("new", [False, True])
def test_both_spellings_of_the_columns_are_read(log_of, new):
    log = log_of(**{"pgboss.job": [job(1, new)]})
    (one,) = log.jobs.itertuples()
    assert (one.start_s, one.run_s, one.kind, one.attempts) == (2.5, 7, "mail", 1)
    assert log.origin.hour == 8


def test_the_archive_and_the_partitions_are_read_with_the_jobs(log_of):
    log = log_of(**{"pgboss.job": [job(1)], "pgboss.archive": [job(2), job(3)]})
    assert len(log) == 3


def test_the_notice_that_a_job_ended_is_no_job(log_of, reasons):
    notice = job(2, state="created", start=None, end=None) | {"name": "__state__completed__mail"}
    log = log_of(**{"pgboss.job": [job(1), notice]})
    assert list(log.jobs["kind"]) == ["mail"]
    assert reasons(log)["dropped: the notice that another job ended"] == 1


def test_a_row_that_a_table_and_its_partition_both_show_is_one_job(log_of, reasons):
    log = log_of(**{"pgboss.job": [job(1, True)], "pgboss.jdeadbeef": [job(1, True)]})
    assert len(log) == 1
    assert not any(reason.startswith("dropped") for reason in reasons(log))


@pytest.mark.parametrize(
    ("state", "outcome"),
    [("failed", "failed"), ("expired", "timeout"), ("cancelled", "cancelled")],
)
def test_states_become_outcomes(log_of, state, outcome):
    log = log_of(job=[job(1, state=state)])
    assert log.jobs["outcome"][0] == outcome


def test_a_retried_job_is_submitted_when_created(log_of):
    log = log_of(job=[job(1, retries=2, after="30:00", start="30:01", end="30:05")])
    (one,) = log.jobs.itertuples()
    assert (one.submit_s, one.run_s, one.attempts) == (0, 4, 3)
    assert one.start_s != one.start_s


def test_a_job_that_waits_has_no_attempt(log_of):
    log = log_of(job=[job(1), job(2, state="created", start=None, end=None)])
    assert list(log.jobs["attempts"]) == [1, 0]
