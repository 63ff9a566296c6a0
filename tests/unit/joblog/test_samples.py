"""Recorded samples are found by name."""

from __future__ import annotations

from pathlib import Path

from jobsim.joblog import samples


def test_the_samples_are_the_logs_of_the_folder_by_name(monkeypatch, tmp_path):
    for name in ("b.csv", "a.csv.gz", "b.parquet", "README.md"):
        (tmp_path / name).touch()
    monkeypatch.setenv("JOBSIM_DATA", str(tmp_path))
    assert samples.paths() == {"a": tmp_path / "a.csv.gz", "b": tmp_path / "b.parquet"}


def test_the_folder_is_beside_the_package_unless_said_otherwise(monkeypatch):
    monkeypatch.delenv("JOBSIM_DATA", raising=False)
    assert samples.folder() == Path(samples.__file__).parents[2] / "data"


def test_without_a_folder_there_are_none(monkeypatch, tmp_path):
    monkeypatch.setenv("JOBSIM_DATA", str(tmp_path / "none"))
    assert samples.paths() == {}
