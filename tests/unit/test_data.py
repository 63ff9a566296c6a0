"""The recorded log that comes with jobsim, what is said of it, and the programs it was made of."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pandas as pd
import pytest
from PIL import Image

from jobsim.joblog import JobLog, read_log

DATA = Path(__file__).resolve().parents[2] / "data"
KINDS = ["checksum", "report", "resize", "zip"]


@pytest.fixture(scope="module")
def log() -> JobLog:
    return read_log("media-batch")


@pytest.fixture(scope="module")
def readme() -> str:
    return (DATA / "README.md").read_text()


@pytest.fixture(scope="module")
def about() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((DATA / "media-batch.json").read_text())
    return facts


def test_the_recording_has_two_thousand_jobs_of_four_kinds(log: JobLog) -> None:
    assert len(log) >= 2000
    assert sorted(log.jobs["kind"].cat.categories) == KINDS
    assert log.workers == 4
    assert log.notes == ()


def test_every_recorded_job_was_run_once_and_measured(log: JobLog) -> None:
    known = log.jobs.drop(columns="outcome").notna()
    assert known.all(axis=None)
    assert (log.jobs["start_s"] >= log.jobs["submit_s"]).all()
    assert (log.jobs["run_s"] > 0).all()
    assert (log.jobs["memory_mb"] > 5).all()
    assert (log.jobs["attempts"] == 1).all()
    assert set(log.jobs["outcome"]) == {"completed", "failed"}


def test_a_few_jobs_of_every_kind_failed(log: JobLog) -> None:
    failed = log.jobs["outcome"] == "failed"
    assert 0.01 <= failed.mean() <= 0.05
    assert failed.groupby(log.jobs["kind"], observed=True).any().all()


def test_never_more_jobs_at_work_than_workers(log: JobLog) -> None:
    starts = pd.Series(1, index=log.jobs["start_s"])
    ends = pd.Series(-1, index=log.jobs["start_s"] + log.jobs["run_s"])
    assert pd.concat([ends, starts]).sort_index(kind="stable").cumsum().max() == log.workers


def test_backlog_builds_in_bursts_and_drains_again(log: JobLog) -> None:
    submit = pd.Series(1, index=log.jobs["submit_s"])
    start = pd.Series(-1, index=log.jobs["start_s"])
    waiting = pd.concat([submit, start]).sort_index(kind="stable").cumsum()
    assert waiting.max() > 20
    drained = waiting[waiting == 0].index.to_series().diff()
    assert (drained > 0).sum() > 50


def test_the_files_are_small_enough_for_git() -> None:
    files = [path for path in DATA.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in files) < 500_000


def test_the_table_of_kinds_in_the_readme_is_that_of_the_log(log: JobLog, readme: str) -> None:
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in readme.splitlines()
        if line.startswith(tuple(f"| `{kind}`" for kind in KINDS))
    ]
    assert rows == [
        [
            str(kind),
            f"{len(jobs):,}",
            str((jobs["outcome"] == "failed").sum()),
            *(f"{jobs['run_s'].quantile(q):.2f}" for q in (0.05, 0.5, 0.95, 1)),
            *(f"{jobs['memory_mb'].quantile(q):.0f}" for q in (0.5, 1)),
        ]
        for kind, jobs in log.jobs.groupby("kind", observed=True)
    ]


def test_the_readme_says_how_the_recording_was_made(
    log: JobLog, readme: str, about: dict[str, Any]
) -> None:
    assert log.origin is not None
    wait_s = log.jobs["start_s"] - log.jobs["submit_s"]
    span_s = log.jobs["submit_s"].max()
    cpu_s = sum(about["cpu_s"].values())
    figures = (
        f"{len(log):,} jobs",
        f"{(log.jobs['outcome'] == 'failed').sum()} failed",
        f"{log.jobs['submit_s'].max() / 60:.1f} minutes",
        f"median {wait_s.median():.1f} s, 95th percentile {wait_s.quantile(0.95):.0f} s, "
        f"longest {wait_s.max():.0f} s",
        f"used {cpu_s:,.0f} s of processor time, {cpu_s / span_s / about['cores']:.0%} of",
        f"{about['machine_busy_s']:,.0f} s of processor time, of which {cpu_s:,.0f} s went",
        f"average {log.jobs['run_s'].sum() / cpu_s:.1f} times its own",
        f"{log.origin:%Y-%m-%d %H:%M} UTC",
        f"seed {about['seed']}",
        f"{about['cores']} cores",
        f"{about['memory_gb']} GB",
        f"{about['system']}, kernel {about['kernel']}",
        f"Python {about['python']}, Pillow {about['pillow']}, NumPy {about['numpy']}",
        f"{about['database']}",
        f"{about['load_average_before']} before",
        f"{about['load_average_after']} after",
    )
    unwrapped = " ".join(readme.split())
    assert [figure for figure in figures if figure not in unwrapped] == []


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A folder with item 0 of every kind, which is sound, and item 1, which is spoilt."""
    for name in ("photos", "tours", "files", "orders", "outputs"):
        (tmp_path / name).mkdir()
    photo = tmp_path / "photos" / "0.jpg"
    Image.effect_noise((600, 400), 50).save(photo)
    (tmp_path / "photos" / "1.jpg").write_bytes(photo.read_bytes()[:20_000])
    (tmp_path / "tours" / "0.txt").write_text("0.jpg\n1.jpg")
    (tmp_path / "tours" / "1.txt").write_text("0.jpg\n2.jpg")
    (tmp_path / "files" / "0.log").write_bytes(b"GET /\n" * 1000)
    orders = "".join(f"north,p{n % 3},{n},{n}.50\n" for n in range(1, 10))
    (tmp_path / "orders" / "0.csv").write_text(orders)
    (tmp_path / "orders" / "1.csv").write_text(orders + "total;;;12,50\n")
    return tmp_path


def run_job(kind: str, item: int, inputs: Path) -> subprocess.CompletedProcess[str]:
    program = DATA / "recording" / "jobs.py"
    places = ["--inputs", inputs, "--outputs", inputs / "outputs"]
    return subprocess.run(
        [sys.executable, program, kind, "--item", str(item), *places],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_job_on_sound_input_succeeds_and_leaves_its_result(kind: str, inputs: Path) -> None:
    assert run_job(kind, 0, inputs).returncode == 0
    results = {path.name: path for path in (inputs / "outputs").iterdir()}
    assert (
        sorted(results)
        == {
            "checksum": ["0.log.xz", "0.sha256"],
            "report": ["0.txt"],
            "resize": ["0-160.jpg", "0-400.jpg"],
            "zip": ["0.zip"],
        }[kind]
    )
    if kind == "zip":
        with ZipFile(results["0.zip"]) as archive:
            assert archive.namelist() == ["0.jpg", "1.jpg"]
    if kind == "report":
        assert "north p1: 3 orders, 72.00" in results["0.txt"].read_text()
    if kind == "resize":
        with Image.open(results["0-160.jpg"]) as rendition:
            assert rendition.size == (160, 107)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("checksum", "FileNotFoundError"),
        ("report", "not enough values to unpack"),
        ("resize", "image file is truncated"),
        ("zip", "FileNotFoundError"),
    ],
)
def test_a_job_on_spoilt_input_fails_for_the_reason_that_the_readme_gives(
    kind: str, why: str, inputs: Path
) -> None:
    over = run_job(kind, 1, inputs)
    assert over.returncode == 1
    assert why in over.stderr
