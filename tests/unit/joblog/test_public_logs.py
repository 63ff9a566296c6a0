"""Public logs of the Parallel Workloads Archive, with all their quirks, where they are at hand.

They are no part of the project. Their folder is looked for at $JOBSIM_JOBLOGS, or beside the
checkout at ``shared/joblogs``.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobsim.joblog import read_log
from jobsim.joblog.describe import describe

FOLDER = Path(os.environ.get("JOBSIM_JOBLOGS") or Path(__file__).parents[4] / "shared" / "joblogs")


@pytest.fixture(scope="module")
def read():
    """Reads a log by the beginning of its file name, each only once."""
    read_logs = {}

    def read_once(beginning):
        if beginning not in read_logs:
            found = sorted((FOLDER / "swf").glob(f"{beginning}*"))
            if not found:
                pytest.skip(f"no public log {beginning} in {FOLDER} (set JOBSIM_JOBLOGS)")
            read_logs[beginning] = read_log(found[0])
        return read_logs[beginning]

    return read_once


@pytest.mark.parametrize(
    ("log", "jobs", "days", "mean_s", "median_s", "load"),
    [
        ("KTH", 27_992, 332.9, 8_573, 805, 8.34),
        ("NASA", 18_239, 92.0, 765, 86, 1.755),
        ("HPC2N", 202_876, 1_268.3, 17_025, 2_873, 31.52),
        ("LANL", 122_060, 720.9, 2_582, 414, 5.06),
        ("SDSC", 243_306, 974.1, 4_240, 219, 11.72),
        ("CEA", 312_826, 253.7, 6_158, 124, 87.9),
        ("RICC", 447_794, 153.0, 11_847, 1_218, 401.4),
        ("METACENTRUM", 103_656, 172.4, 20_976, 1_230, 146.0),
        ("LCG", 188_041, 11.0, 7_990, 255, 1_581),
        ("wagap", 17_900, 89.0, 50_132, 2_371, 116.7),
        ("hpc2n", 3_170, 57.3, 10_128, 943, 6.435),
    ],
)
def test_jobs_span_run_times_and_load_are_those_known(
    read, log, jobs, days, mean_s, median_s, load
):
    about = describe(read(log))
    assert about.jobs == jobs
    assert about.span_s / 86400 == pytest.approx(days, abs=0.05)
    assert about.run["mean_s"] == pytest.approx(mean_s, abs=0.5)
    assert about.run["p50_s"] == pytest.approx(median_s, abs=0.5)
    assert about.offered_load == pytest.approx(load, rel=0.01)


@pytest.mark.parametrize(
    ("log", "outcome", "count"),
    [
        ("KTH", "failed", 7_509),
        ("NASA", "unknown", 18_239),
        ("HPC2N", "unknown", 878),
        ("LANL", "failed", 20_368),
        ("SDSC", "cancelled", 47_718),
        ("CEA", "failed", 14_003),
        ("CEA", "cancelled", 17_486),
        ("RICC", "cancelled", 16_245),
        ("METACENTRUM", "failed", 15_825),
        ("LCG", "unknown", 188_041),
        ("wagap", "unknown", 2),
        ("hpc2n", "unknown", 25),
    ],
)
def test_outcomes_are_those_known(read, log, outcome, count):
    assert (read(log).jobs["outcome"] == outcome).sum() == count


@pytest.mark.parametrize(
    ("log", "missing"), [("NASA", 18_239), ("HPC2N", 1), ("LANL", 3), ("LCG", 188_041), ("KTH", 0)]
)
def test_a_wait_of_minus_one_is_no_start(read, log, missing):
    assert read(log).jobs["start_s"].isna().sum() == missing


@pytest.mark.parametrize(
    ("log", "missing"), [("SDSC", 10_744), ("wagap", 2), ("hpc2n", 25), ("RICC", 0)]
)
def test_a_run_time_below_zero_is_missing_and_counted(read, log, missing):
    notes = [note for note in read(log).notes if "run time" in note.reason]
    assert read(log).jobs["run_s"].isna().sum() == missing
    assert sum(note.count for note in notes) == missing
    assert len(read(log).runnable()) == len(read(log)) - missing


@pytest.mark.parametrize(
    ("log", "zeros"), [("NASA", 173), ("CEA", 17_286), ("METACENTRUM", 3_712), ("LCG", 521)]
)
def test_a_run_time_of_zero_stays(read, log, zeros):
    assert (read(log).jobs["run_s"] == 0).sum() == zeros


@pytest.mark.parametrize(
    ("log", "start", "first_s"),
    [("KTH", 843480031, 599_850), ("CEA", 1296571124, 31_656_837), ("wagap", 0, 1356996147)],
)
def test_the_clock_begins_at_the_first_submission(read, log, start, first_s):
    assert read(log).origin == datetime.fromtimestamp(start + first_s, UTC)
    assert read(log).jobs["submit_s"].iloc[0] == 0


@pytest.mark.parametrize("log", ["RICC", "METACENTRUM"])
def test_a_log_without_a_header_has_no_origin(read, log):
    assert read(log).origin is None


@pytest.mark.parametrize(
    ("log", "kinds", "most"),
    [("SDSC", 24, "interactive"), ("METACENTRUM", 10, "queue-3"), ("wagap", 11, "q_1d")],
)
def test_kinds_are_queues(read, log, kinds, most):
    about = describe(read(log))
    assert (about.kind_count, about.kinds[0].kind) == (kinds, most)


def test_the_limit_of_a_log_is_seen(read):
    about = describe(read("LCG"))
    assert about.cap_s == 172_800
    assert about.cap_share == pytest.approx(2_191 / 188_041)
