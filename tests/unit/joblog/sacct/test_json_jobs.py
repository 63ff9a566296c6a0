"""Slurm's jobs as JSON, in the forms that its versions gave it."""

from __future__ import annotations

import json

import pytest

from jobsim.errors import LogError
from jobsim.joblog.sacct.json_jobs import rows_of_json

UNSET = {"set": False, "infinite": False, "number": 0}
TIME = {"submission": 1709632800, "eligible": 1709632800, "start": 1709632830, "end": 1709632920}


def number(value):
    return {"set": True, "infinite": False, "number": value}


OLD = {
    "job_id": 7,
    "name": "render",
    "user": "ann",
    "partition": "short",
    "time": TIME | {"elapsed": 90},
    "state": {"current": "COMPLETED", "reason": "None"},
    "priority": 911,
    "nodes": "n1",
    "array": {"job_id": 0, "task_id": None, "task": None},
    "het": {"job_id": 0, "job_offset": None},
    "steps": [],
}
NEW = OLD | {
    "state": {"current": ["COMPLETED"], "reason": "None"},
    "priority": number(911),
    "array": {"job_id": 0, "task_id": UNSET, "task": ""},
    "het": {"job_id": 0, "job_offset": UNSET},
}
QUEUE = {
    "job_id": 7,
    "name": "render",
    "user_name": "ann",
    "partition": "short",
    "submit_time": number(1709632800),
    "eligible_time": number(1709632800),
    "start_time": number(1709632830),
    "end_time": number(1709632920),
    "job_state": ["COMPLETED"],
    "priority": number(911),
    "nodes": "n1",
    "array_job_id": number(0),
    "array_task_id": UNSET,
    "het_job_id": number(0),
    "het_job_offset": number(0),
}


def rows(*jobs, **beside):
    return rows_of_json(json.dumps({"jobs": list(jobs)} | beside).encode(), "jobs.json").cells


def cell(field, **said):
    return rows(NEW | said).get(field, [""])[0]


@pytest.mark.parametrize("job", [OLD, NEW, QUEUE])
def test_every_form_says_the_same(job):
    assert rows(job, meta={}, errors=[]).iloc[0].drop("elapsedraw", errors="ignore").to_dict() == {
        "jobid": "7",
        "jobname": "render",
        "user": "ann",
        "partition": "short",
        "submit": "1709632800",
        "eligible": "1709632800",
        "start": "1709632830",
        "end": "1709632920",
        "state": "COMPLETED",
        "priority": "911",
        "nodelist": "n1",
    }


@pytest.mark.parametrize(
    ("said", "job_id"),
    [
        ({"array": {"job_id": 40, "task_id": 0}}, "40_0"),
        ({"array": {"job_id": 40, "task_id": number(3), "task": ""}}, "40_3"),
        ({"array": {"job_id": 40, "task_id": UNSET, "task": "4-9%2"}}, "40_[4-9%2]"),
        ({"het": {"job_id": 40, "job_offset": 0}}, "40+0"),
        ({"het": {"job_id": 40, "job_offset": number(1)}}, "40+1"),
    ],
)
def test_ids_are_those_that_sacct_prints(said, job_id):
    assert cell("jobid", **said) == job_id


def test_0_is_no_instant_and_unset_is_no_number():
    job = NEW | {"time": TIME | {"start": 0, "end": 0}, "priority": UNSET}
    assert rows(job, NEW)[["start", "priority"]].iloc[0].tolist() == ["", ""]


def test_who_submitted_is_also_known_by_the_association():
    assert cell("user", user=None, association={"user": "bob"}) == "bob"


def test_of_several_states_the_first_is_what_the_job_is():
    assert cell("state", state={"current": ["RUNNING", "COMPLETING"]}) == "RUNNING"


def test_memory_is_the_peak_of_the_largest_task_of_any_step():
    def step(*peaks):
        return {"tres": {"requested": {"max": [{"type": "mem", "count": each} for each in peaks]}}}

    cpu = {"tres": {"requested": {"max": [{"type": "cpu", "count": 10**12}]}}}
    assert cell("maxrss", steps=[step(2**20), step(2**22, 2**21), cpu, step()]) == str(2**22)
    assert cell("maxrss", steps=[step()]) == ""


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b'{"jobs": [{"time":', "this is not JSON"),
        (b'{"jobs": {}}', "no list of jobs"),
        (b'{"jobs": [7]}', "no list of jobs"),
        (b"[]", "no list of jobs"),
        (b'{"jobs": []}', "no job in it"),
        (b'{"jobs": ' + b"[" * 100_000, "this is not JSON"),
    ],
)
def test_what_holds_no_jobs_is_refused(data, wrong):
    with pytest.raises(LogError, match=wrong):
        rows_of_json(data, "jobs.json")
