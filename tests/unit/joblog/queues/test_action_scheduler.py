from datetime import UTC, datetime

import pytest

from jobsim.errors import LogError

NONE = "0000-00-00 00:00:00"
DAY = "2026-03-01"


def action(number, due=f"{DAY} 10:00:00", status="complete", **more):
    return {
        "action_id": number,
        "hook": "send_mail",
        "status": status,
        "scheduled_date_gmt": due,
        "attempts": 1,
        "last_attempt_gmt": NONE,
        "group_id": 1,
    } | more


def lines(*messages, first=1):
    """Log rows of (action, time of day, message), numbered as they come."""
    return [
        {"log_id": first + place, "action_id": who, "message": text, "log_date_gmt": f"{DAY} {at}"}
        for place, (who, at, text) in enumerate(messages)
    ]


def whole(number, created="09:00:00", started="10:00:05", ended="10:00:08", end="complete"):
    return lines(
        (number, created, "action created"),
        (number, started, "action started via WP Cron"),
        (number, ended, f"action {end} via WP Cron"),
        first=number * 10,
    )


@pytest.fixture
def read(log_of):
    def of(actions, logs=(), **more):
        tables = {"wp_actionscheduler_actions": actions} | more
        if logs:
            tables["wp_actionscheduler_logs"] = list(logs)
        return log_of(**tables)

    return of


def test_created_started_and_complete_give_wait_and_run(read):
    log = read([action(1)], whole(1))
    (job,) = log.jobs.itertuples()
    assert (job.kind, job.outcome, job.attempts) == ("send_mail", "completed", 1)
    assert job.start_s - job.submit_s == 5
    assert job.run_s == 3
    assert log.origin == datetime(2026, 3, 1, 10, tzinfo=UTC)


def test_a_job_is_due_when_created_if_that_is_later_than_its_schedule(read):
    log = read([action(1, due=f"{DAY} 08:00:00")], whole(1, created="09:59:00"))
    assert log.origin == datetime(2026, 3, 1, 9, 59, tzinfo=UTC)


def test_an_asynchronous_action_has_no_schedule_and_is_due_when_created(read):
    log = read([action(1, due=NONE)], whole(1, created="09:59:00"))
    assert log.jobs["start_s"][0] == 65


def test_attempts_are_joined_to_the_first_start_and_the_last_run(read):
    logs = lines(
        (1, "09:00:00", "action created"),
        (1, "10:00:01", "action started via WP Cron"),
        (1, "10:05:01", "action reset"),
        (1, "10:06:00", "action started via Async Request"),
        (1, "10:06:30", "action complete via Async Request"),
    )
    (job,) = read([action(1)], logs).jobs.itertuples()
    assert (job.start_s, job.run_s, job.attempts) == (1, 30, 2)


def test_the_order_of_the_log_is_its_ids_not_its_rows(read):
    (job,) = read([action(1)], reversed(whole(1))).jobs.itertuples()
    assert job.run_s == 3


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        ("action failed via WP Cron: SMTP: 'no'; try (again)", "failed"),
        ("unexpected shutdown: PHP Fatal error out of memory", "failed"),
        ("action marked as failed after 300 seconds. Unknown error occurred.", "timeout"),
        ("action timed out after 300 seconds", "timeout"),
    ],
)
def test_a_failed_action_ends_as_its_log_says(read, message, outcome):
    logs = [*whole(1)[:2], *lines((1, "10:05:05", message), first=12)]
    (job,) = read([action(1, status="failed")], logs).jobs.itertuples()
    assert (job.outcome, job.run_s) == (outcome, 300)


def test_a_cancelled_action_never_ran(read):
    logs = lines((1, "09:00:00", "action created"), (1, "10:30:00", "action canceled"))
    (job,) = read([action(1, status="canceled", attempts=0)], logs).jobs.itertuples()
    assert job.outcome == "cancelled"
    assert job.start_s != job.start_s


def test_what_is_not_due_yet_is_dropped_and_what_waits_is_kept(read, reasons):
    late = action(2, due="2026-03-09 10:00:00", status="pending", attempts=0)
    waits = action(3, due=f"{DAY} 10:00:01", status="pending", attempts=0)
    created = lines((2, "10:00:08", "action created"), (3, "09:00:00", "action created"), first=80)
    log = read([action(1), late, waits], [*whole(1), *created])
    assert list(log.jobs["job_id"]) == [1, 3]
    assert reasons(log)["dropped: not due yet at the latest instant that the tables know of"] == 1
    assert reasons(log)["marked: had not ended when the tables were read, no run time"] == 1


@pytest.mark.parametrize("message", ["action canceled", "Aktion abgebrochen"])
def test_an_action_cancelled_before_it_was_due_is_no_job(read, message):
    late = action(2, due="2026-03-09 10:00:00", status="canceled", attempts=0)
    logs = lines((2, "09:00:00", "action created"), (2, "09:30:00", message))
    assert list(read([action(1), late], [*whole(1), *logs]).jobs["job_id"]) == [1]


def test_without_a_log_the_last_attempt_stands_for_the_start_of_the_only_one(read, reasons):
    once = action(1, status="failed", last_attempt_gmt=f"{DAY} 10:00:09")
    twice = action(2, status="failed", last_attempt_gmt=f"{DAY} 10:00:09", attempts=2)
    log = read([once, twice])
    assert list(log.jobs["start_s"].fillna(-1)) == [9, -1]
    assert log.jobs["run_s"].isna().all()
    assert reasons(log)["marked: its log tells of no start, end and run time unknown"] == 2


def test_the_last_attempt_of_a_complete_action_is_no_start(read):
    """Completing it has overwritten the instant."""
    assert read([action(1, last_attempt_gmt=f"{DAY} 10:00:09")]).jobs["start_s"].isna().all()


def translated(number, *times):
    words = ("Aktion erstellt", "Aktion gestartet via Cron", "Aktion fertig via Cron", "mehr")
    return lines(*zip([number] * len(times), times, words, strict=False), first=number * 10)


def test_a_translated_log_of_one_try_is_created_started_and_ended(read, reasons):
    log = read([action(1)], translated(1, "10:00:02", "10:00:05", "10:00:09"))
    (job,) = log.jobs.itertuples()
    assert (job.start_s, job.run_s, job.attempts) == (3, 4, 1)
    assert log.origin == datetime(2026, 3, 1, 10, 0, 2, tzinfo=UTC)
    what = "guessed: its log is not in English: its three lines are creation, start and end"
    assert reasons(log)[what] == 1


@pytest.mark.parametrize(
    ("more", "times"),
    [
        ({"attempts": 2}, ("10:00:02", "10:00:05", "10:00:09")),
        ({}, ("10:00:02", "10:00:05", "10:00:09", "10:00:10")),
        ({"status": "in-progress"}, ("10:00:02", "10:00:05", "10:00:09")),
    ],
)
def test_of_another_translated_log_only_the_creation_is_taken(read, reasons, more, times):
    log = read([action(1, **more)], translated(1, *times))
    assert log.jobs["start_s"].isna().all()
    assert log.origin.second == 2
    assert reasons(log)["marked: its log tells of no start, end and run time unknown"] == 1


def test_the_owner_is_the_group(read):
    log = read([action(1)], whole(1), wp_actionscheduler_groups=[{"group_id": 1, "slug": "mail"}])
    assert log.jobs["owner"][0] == "mail"


def test_a_start_before_the_due_time_is_left_missing(read, reasons):
    log = read([action(1)], whole(1, started="09:30:00", ended="09:30:01"))
    assert log.jobs["start_s"].isna().all()
    assert log.jobs["run_s"][0] == 1
    assert reasons(log)["mended: started before it was submitted, start left missing"] == 1


def test_an_end_before_the_start_is_no_run_time(read, reasons):
    log = read([action(1)], whole(1, ended="10:00:01"))
    assert log.jobs["run_s"].isna().all()
    assert reasons(log)["mended: ended before it started, run time left missing"] == 1


def test_a_date_that_is_none_is_noted(read, reasons):
    log = read([action(1, due="2026-02-30 10:00:00")], whole(1))
    what = "mended: scheduled_date_gmt that is no instant since 1970, left missing"
    assert reasons(log)[what] == 1


def test_actions_without_any_time_are_refused_with_the_command_that_gets_one(read):
    with pytest.raises(LogError, match=r"jobsim record table --database URL --table wp_action"):
        read([action(1, due=NONE)])
