"""A run's result: how it shows itself, and how it is saved."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from jobsim.joblog.schema import tidy
from jobsim.outcomes import measure
from jobsim.result import Result

from .outcomes.made import Story, jobs


@pytest.fixture
def result() -> Result:
    story = Story().attempt(1, 0, 0, 3, 3).attempt(2, 4, 4, worker=1, outcome="died")
    story.event(5, "died", worker=1).attempt(3, 5, 5, 7, 7)
    story.recorder.counts["lock_waits"] = 1234
    facts = story.facts(jobs([0, 1, 2]))
    metrics = measure(facts, driver="sim", name="skip-locked", seed=7)
    return Result.of(facts, metrics, settings={"costs": Path("default")}, warnings=("careful",))


def test_a_result_says_in_one_line_what_matters(result: Result):
    told = repr(result)
    assert "\n" not in told
    assert told.startswith("<skip-locked (sim): jobs done 2, wait p95 ")
    assert "lock waits 1,234" in told
    assert "deadlocks" not in told, "what was not measured is not told"


def test_a_notebook_shows_a_small_table_and_no_markup_from_names(result: Result):
    metrics = result.metrics | {"name": "<b>"}
    html = Result.of(result.facts, metrics)._repr_html_()
    assert html.startswith("<table>")
    assert "<th style='text-align:left'>deadlocks</th><td>-</td>" in html
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_jobs_tell_when_each_was_started_and_final_and_how_it_ended(result: Result):
    rows = result.jobs
    assert rows["started_s"].to_list() == [0, 4, 5]
    assert rows["final_s"].isna().to_list() == [False, True, False]
    assert rows["outcome"].to_list() == ["completed", "unfinished", "completed"]
    assert rows["attempts"].to_list() == [1, 1, 1]


def test_a_saved_run_can_be_read_again(result: Result, tmp_path: Path):
    files = result.save(tmp_path / "new" / "run", "jobsim simulate x")
    folder = tmp_path / "new" / "run"
    assert [path.name for path in files] == [
        "attempts.parquet", "events.parquet", "jobs.parquet", "metrics.json", "manifest.json"
    ]  # fmt: skip
    assert sorted(folder.iterdir()) == sorted(files)
    assert json.loads((folder / "metrics.json").read_text()) == result.metrics
    for name in ("attempts", "events", "jobs"):
        pd.testing.assert_frame_equal(
            pd.read_parquet(folder / f"{name}.parquet"), getattr(result, name), check_dtype=False
        )


def test_the_manifest_says_how_the_run_was_made(result: Result, tmp_path: Path):
    result.save(tmp_path, "jobsim simulate x --seed 7")
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["seed"], manifest["command"]) == (7, "jobsim simulate x --seed 7")
    assert manifest["settings"] == {"costs": "default"}
    assert manifest["warnings"] == ["careful"]
    assert manifest["packages"]["pandas"] == pd.__version__


def test_a_save_that_fails_leaves_what_was_there(result: Result, tmp_path: Path, monkeypatch):
    result.save(tmp_path, "first")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def broken(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("jobsim.result._write", broken)
    with pytest.raises(OSError, match="disk full"):
        result.save(tmp_path, "second")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_log_with_start_times_is_a_result_too():
    log = tidy(
        {"job_id": [1], "submit_s": [5], "start_s": [7], "run_s": [1], "outcome": ["completed"]}, 1
    )
    told = Result.as_logged(log)
    assert told is not None
    assert (told.driver, told.name) == ("log", "as-logged")
    assert told.jobs["started_s"].to_list() == [2]
    assert Result.as_logged(log.assign(start_s=float("nan"))) is None
