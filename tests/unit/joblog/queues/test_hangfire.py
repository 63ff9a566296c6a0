import json

import pytest

from jobsim.errors import LogError

CALL = {"Type": "Shop.Mailer, Shop, Version=1.0.0.0", "Method": "Send", "ParameterTypes": "[]"}


def job(number, state="Succeeded", call=CALL, **more):
    return {
        "Id": number,
        "StateName": state,
        "InvocationData": json.dumps(call),
        "CreatedAt": "2026-03-01T10:00:00.003",
    } | more


def states(job_id, *what, first=1):
    return [
        {
            "Id": first + place,
            "JobId": job_id,
            "Name": name,
            "CreatedAt": f"2026-03-01T10:{at}",
            "Data": json.dumps(data),
        }
        for place, (name, at, data) in enumerate(what)
    ]


SUCCEEDED = states(
    1,
    ("Enqueued", "00:00.003", {"Queue": "default"}),
    ("Processing", "00:02.003", {"WorkerId": "a"}),
    ("Succeeded", "00:05.010", {"PerformanceDuration": "2900", "Latency": "2050"}),
)


@pytest.mark.parametrize(
    ("prefix", "rename"),
    [
        ("HangFire.", str),
        ("hangfire.", str.lower),
        ("Hangfire", str),
        ("", str),
    ],
)
def test_jobs_and_states_of_every_storage_are_read(log_of, prefix, rename):
    def named(rows):
        return [{rename(name): cell for name, cell in row.items()} for row in rows]

    tables = {f"{prefix}Job": named([job(1)]), f"{prefix}State": named(SUCCEEDED)}
    (one,) = log_of(**tables).jobs.itertuples()
    assert (one.kind, one.outcome, one.attempts) == ("Shop.Mailer.Send", "completed", 1)
    assert one.start_s == pytest.approx(2)
    assert one.run_s == pytest.approx(2.9)


def test_the_short_form_of_a_call_is_read(log_of):
    call = {"t": "Shop.Mailer, Shop", "m": "Send", "p": [], "a": []}
    assert log_of(Job=[job(1, call=call)], State=SUCCEEDED).jobs["kind"][0] == "Shop.Mailer.Send"


def test_a_failed_job_ran_from_its_last_start_to_its_failure(log_of):
    told = states(
        1,
        ("Enqueued", "00:00", {}),
        ("Processing", "00:01", {}),
        ("Failed", "00:02", {}),
        ("Scheduled", "00:02", {"EnqueueAt": "2026-03-01T10:10:00Z"}),
        ("Enqueued", "10:00", {}),
        ("Processing", "10:03", {}),
        ("Failed", "10:07", {}),
    )
    (one,) = log_of(Job=[job(1, "Failed")], State=told).jobs.itertuples()
    assert (one.submit_s, one.start_s, one.run_s, one.attempts) == (0, 1, 4, 2)
    assert one.outcome == "failed"


@pytest.mark.parametrize("at", ["2026-03-01T10:04:00.0000000Z", "1772359440000"])
def test_a_job_that_is_only_scheduled_is_due_when_it_will_be_enqueued(log_of, at):
    waits = states(2, ("Scheduled", "00:00", {"EnqueueAt": at}), first=50)
    late = states(3, ("Enqueued", "09:00", {}), ("Processing", "09:01", {}), first=60)
    jobs = [job(1), job(2, "Scheduled"), job(3, "Processing")]
    log = log_of(Job=jobs, State=[*SUCCEEDED, *waits, *late])
    assert log.jobs.set_index("job_id")["submit_s"][2] == pytest.approx(239.997)


def test_an_invocation_that_is_no_json_gives_no_kind(log_of):
    log = log_of(Job=[job(1, InvocationData="{")], State=SUCCEEDED)
    assert log.jobs["kind"].isna().all()


def test_jobs_without_states_are_refused(log_of):
    with pytest.raises(LogError, match="table of states"):
        log_of(Job=[job(1)])
