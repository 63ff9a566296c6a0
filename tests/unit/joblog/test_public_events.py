"""Public event logs, workflows and cron lines, with all their quirks, where they are at hand.

They are no part of the project. Their folder is looked for at $JOBSIM_JOBLOGS, or beside the
checkout at ``shared/joblogs``.
"""

from __future__ import annotations

import gzip
import json
import os
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from jobsim.errors import LogError
from jobsim.joblog import cronlog, wfformat, xes
from jobsim.joblog.files import HEAD_BYTES, read_bytes
from jobsim.joblog.wfformat.reader import COMPUTED

FOLDER = Path(os.environ.get("JOBSIM_JOBLOGS") or Path(__file__).parents[4] / "shared" / "joblogs")

LOANS = "eventlog/bpic2012.xes.gz"
RNASEQ = "workflow/wfinstances-nextflow-rnaseq.json"
CRON = "cron/thunderbird-crond-62lines.log"
FORMAT_OF = {LOANS: xes, RNASEQ: wfformat, CRON: cronlog}


def path_of(name):
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"no public log {name} in {FOLDER} (set JOBSIM_JOBLOGS)")
    return path


@cache
def read(name):
    return FORMAT_OF[name].read(path_of(name))


def count(log, words):
    """How many jobs the notes with these words concern."""
    return sum(note.count for note in log.notes if words in note.reason)


def test_each_pair_of_start_and_complete_is_a_job_of_the_loans():
    jobs = read(LOANS).jobs
    run_s = jobs["run_s"].dropna()
    assert len(run_s) == 71_373
    assert (run_s.mean(), run_s.median()) == pytest.approx((724.2, 136.5), abs=0.1)
    assert np.quantile(run_s, 0.99) == pytest.approx(4_434, abs=1)
    span_s = jobs["submit_s"].max()
    assert span_s / 86400 == pytest.approx(165.7, abs=0.1)
    assert run_s.sum() / span_s == pytest.approx(3.61, abs=0.01)


def test_waits_of_the_loans_are_from_the_schedule_or_from_the_end_of_the_work_before():
    log = read(LOANS)
    wait_s = log.jobs["start_s"] - log.jobs["submit_s"]
    first = log.jobs["job_id"].astype(str).str.endswith("/1")
    assert (wait_s.notna().sum(), count(log, "no schedule of its own")) == (71_376, 45_138)
    assert wait_s.min() > 0
    assert wait_s.median() == pytest.approx(14_993, abs=1)
    assert wait_s[first].median() == pytest.approx(6_886, abs=1)


def test_what_the_loans_do_not_say_is_counted():
    log = read(LOANS)
    assert count(log, "an end without a start or a schedule") == 93_124
    assert count(log, "no end is logged") == 3
    assert count(log, "neither a start nor an end") == 71
    assert log.jobs["run_s"].isna().sum() == 9 + 3 + 71
    assert (log.jobs["outcome"] == "completed").sum() == 71_373 + 9


def test_the_loans_begin_at_midnight_in_their_own_zone():
    assert read(LOANS).origin == datetime(2011, 9, 30, 22, 39, 38, 875_000, tzinfo=UTC)


def test_the_tasks_of_a_workflow_arrive_by_their_dependencies():
    log = read(RNASEQ)
    assert len(log) == 197
    assert count(log, COMPUTED) == 197
    assert log.jobs["start_s"].isna().all()
    assert log.jobs["run_s"].mean() == pytest.approx(13.1, abs=0.05)
    assert log.origin == datetime(2023, 3, 21, 21, 10, 20, tzinfo=UTC)


def test_no_task_of_a_workflow_is_submitted_before_those_that_it_waits_for_end():
    jobs = read(RNASEQ).jobs.set_index("job_id")
    tasks = json.loads(path_of(RNASEQ).read_text())["workflow"]["specification"]["tasks"]
    ends_s = jobs["submit_s"] + jobs["run_s"]
    pairs = [(task["id"], parent) for task in tasks for parent in task["parents"]]
    assert len(pairs) == 451
    assert all(jobs["submit_s"][task] >= ends_s[parent] for task, parent in pairs)


def test_cron_of_a_cluster_tells_ends_only_of_what_took_longer_than_a_second():
    log = read(CRON)
    assert len(log) == 19
    assert log.jobs.groupby("kind", observed=True)["run_s"].count()["run-parts cron.hourly"] == 0
    assert sorted(log.jobs["run_s"].dropna()) == [90, 93, 93, 94, 94]
    assert count(log, "within the time step") == 14
    assert count(log, "18 hosts") == 19
    assert log.origin == datetime(2005, 11, 9, 20, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("module", [xes, wfformat, cronlog], ids=lambda module: module.__name__)
def test_no_file_of_another_format_is_claimed(module):
    path_of(LOANS)
    files = [path for path in FOLDER.rglob("*") if path.is_file() and path.suffix != ".md"]
    claimed = [path for path in files if module.looks_like(read_bytes(path, HEAD_BYTES))]
    assert claimed == [FOLDER / name for name, its in FORMAT_OF.items() if its is module]


def test_a_log_cut_in_the_middle_is_refused_with_its_line(tmp_path):
    with gzip.open(path_of(LOANS)) as file:
        half = file.read(3_000_000)
    path = tmp_path / "half.xes"
    path.write_bytes(half)
    with pytest.raises(LogError, match=r"half\.xes:\d+: this is not well-formed"):
        xes.read(path)
