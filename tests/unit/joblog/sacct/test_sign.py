"""What is sacct's output and what only looks like it."""

from __future__ import annotations

import pytest

from jobsim.joblog import sacct

JOB = "7|ann|2024-03-05T10:00:00|2024-03-05T10:00:30|Unknown|00:01:30|0:0|CANCELLED by 5"


@pytest.mark.parametrize(
    "head",
    [
        "JobID|State|Submit\n7|FAILED|x\n",
        "JobID|State|Submit|\n7|FAILED|x|\n",
        "ResvCPURAW|ReqCPUS|Submit|State\n",
        "JobID,JobName,Submit,State\n",
        "JobID        JobName    State\n------------ ---------- ----------\n",
        "JobID State Submit\n7 FAILED x\n",
        f"{JOB}\n{JOB}\n{JOB[:20]}",
        f"{JOB}\n{JOB}\n".replace("|", "☃"),
        f"{JOB}\n{JOB}\n".replace("|", ","),
        '{"meta": {}, "jobs": [{"job_id": 7, "time": {"submission": 1}}]}',
        '{"jobs": [\n{"job_id": 7, "submit_time": 1, "job_state": ["FAILED"]}]}',
        "\n".join([JOB] * 9 + ["7|broken"] + [""]),
    ],
)
def test_sacct_output_is_recognised(head):
    assert sacct.looks_like(head.encode())


@pytest.mark.parametrize(
    "head",
    [
        "",
        "\n\n",
        "id|name|created_at\n1|x|2024-03-05\n",
        "User,Start,End,State\nann,1,2,x\n",
        "submit,start,end,state\n1,2,3,FAILED\n",
        "7|2024-03-05T10:00:00|2024-03-05T10:00:30|done|5\n",
        "id,who,submit,start,end,run,exit,how\n" + f"{JOB}\n".replace("|", ",") * 9,
        "user  start  end  state\nann  1  2  x\n",
        '{"total_count": 1, "jobs": [{"id": 7, "status": "completed"}]}',
        '[{"jobs": [{"submission": 1}]}]',
        "; Version: 2.2\n1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
        '[{"JobID": 1, "State": "FAILED", "Submit": "x"}]',
        "| Id | User | Host | db | Command | Time | State | Info |\n",
        "# Time: 2024-03-05T10:00:00Z\n# User@Host: a[b] @ c []\n",
    ],
)
def test_other_files_are_not_claimed(head):
    assert not sacct.looks_like(head.encode())


def test_binary_is_not_claimed():
    assert not sacct.looks_like(bytes(range(256)) * 20)
