"""Columns without a header are known by their cells, or the file is refused."""

from __future__ import annotations

import random

import pytest

from jobsim.errors import LogError

JOBS = [
    {
        "jobid": str(100 + n),
        "uid": str(500 + n % 3),
        "user": "ann",
        "submit": f"2024-03-05T10:{n:02}:00",
        "eligible": f"2024-03-05T10:{n:02}:0{n % 2}",
        "start": f"2024-03-05T10:{n + 1:02}:00",
        "end": f"2024-03-05T10:{n + 3:02}:30",
        "elapsed": "00:02:30",
        "timelimit": "1-00:00:00",
        "exit": "0:0",
        "state": "CANCELLED by 12" if n == 3 else "COMPLETED",
        "mem": "2147486448Mn",
    }
    for n in range(12)
]


def lines(order):
    return ["|".join(job[name] for name in order.split()) for job in JOBS]


def table(log):
    return log.jobs[["job_id", "submit_s", "start_s", "run_s", "outcome"]].head(4).to_dict("list")


RIGHT = {
    "job_id": [100, 101, 102, 103],
    "submit_s": [0, 60, 120, 180],
    "start_s": [60, 120, 180, 240],
    "run_s": [150] * 4,
    "outcome": ["completed"] * 3 + ["cancelled"],
}


def test_columns_are_known_by_their_cells(read, noted):
    log = read(*lines("jobid user uid submit eligible start end elapsed exit state mem"), header="")
    assert table(log) == RIGHT
    what = "guessed: no header; by what is in them, columns are"
    assert noted(log, what) == len(JOBS)


@pytest.mark.parametrize("seed", range(4))
def test_columns_may_stand_in_any_order_but_for_the_times(read, seed):
    order = ["jobid", "user", "uid", "elapsed", "timelimit", "exit", "state", "mem"]
    random.Random(seed).shuffle(order)
    times = iter(("submit", "eligible", "start", "end"))
    for at in sorted(random.Random(seed).choices(range(len(order) + 1), k=4), reverse=True):
        order.insert(at, "time")
    order = [next(times) if name == "time" else name for name in order]
    assert table(read(*lines(" ".join(order)), header="")) == RIGHT


def test_three_times_are_submit_start_and_end_where_the_elapsed_time_says_so(read):
    log = read(*lines("jobid submit start end elapsed state"), header="")
    assert table(log) == RIGHT


def test_four_times_need_no_elapsed_time(read):
    assert table(read(*lines("jobid submit eligible start end state"), header="")) == RIGHT


def test_start_and_end_alone_give_no_submissions(read, noted):
    log = read(*lines("jobid start end elapsed state"), header="")
    assert log.jobs["start_s"].isna().all()
    assert noted(log, "submissions are not logged") == len(JOBS)


def test_jobs_that_never_waited_start_with_the_later_column(read):
    at = [
        line.replace("10:00:00", "10:01:00")
        for line in lines("jobid start start end elapsed state")
    ]
    log = read(*at, header="")
    assert (log.jobs["start_s"] == log.jobs["submit_s"]).all()


@pytest.mark.parametrize(
    ("order", "wrong"),
    [
        ("jobid submit start end state", "what the times in columns 2, 3, 4 are is not sure"),
        ("jobid submit state user exit", "what the times in columns 2 are is not sure"),
        ("jobid state user exit mem", "no column holds times"),
        ("jobid submit start end end elapsed state", "2 columns of times could be the end"),
    ],
)
def test_times_of_which_the_meaning_is_not_sure_are_refused(read, order, wrong):
    with pytest.raises(LogError, match=rf"no header, and {wrong}.*; a file with one: sacct -P"):
        read(*lines(order), header="")


def test_the_columns_that_open_xdmod_asks_for_are_known(read):
    row = "7|7|c|short|q|acc|g|5|ann|6|2024-03-05T10:00:00|2024-03-05T10:00:00|2024-03-05T10:00:30|"
    row += (
        "2024-03-05T10:02:00|00:01:30|0:0|COMPLETED|1|8|8|4000Mn|cpu=8|cpu=8|Partition_Limit|n1|e2"
    )
    log = read(row, row.replace("7|7|", "8|8|"), row.replace("7|7|", "9|9|"), header="")
    assert log.jobs["owner"].tolist() == ["ann"] * 3
    assert log.jobs["kind"].tolist() == ["e2"] * 3
    assert log.jobs["start_s"].tolist() == [30] * 3
