"""jobsim log."""

import json
from pathlib import Path

from jobsim.joblog import read_log
from tests.unit.cli.conftest import SMALL, Jobsim


def test_a_log_is_described_for_people_and_for_programs(jobsim: Jobsim) -> None:
    assert "60" in jobsim("log", "describe", SMALL).stdout
    assert json.loads(jobsim("log", "describe", SMALL, "--json").stdout)["jobs"] == 60


def test_a_log_is_converted_and_reads_back_the_same(jobsim: Jobsim, tmp_path: Path) -> None:
    for name in ("log.csv", "log.parquet"):
        done = jobsim("log", "convert", SMALL, "-o", name)
        assert (done.returncode, done.stdout) == (0, "")
        assert "60 jobs written" in done.stderr
    csv, parquet = (read_log(tmp_path / name).jobs for name in ("log.csv", "log.parquet"))
    assert csv["run_s"].tolist() == parquet["run_s"].tolist()


def test_the_recorded_samples_are_listed(jobsim: Jobsim) -> None:
    (sample,) = json.loads(jobsim("log", "list", "--json").stdout)
    assert sample["name"] == "media-batch"
    assert sample["jobs"] >= 2000
