"""The way in: drawn loads, samples and files by one argument."""

from __future__ import annotations

import subprocess
import sys

import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog import Reading, read_log

CSV = "submit_s,run_s\n0,1\n2,3"


@pytest.fixture(autouse=True)
def _samples(monkeypatch, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "media-batch.csv").write_text("submit_s,run_s\n5,1\n")
    monkeypatch.setenv("JOBSIM_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def test_a_file_is_read_by_path(file):
    assert len(read_log(file("a.csv", CSV))) == 2
    assert len(read_log(str(file("a.csv", CSV)))) == 2


def test_a_file_can_be_read_as_a_given_format(file):
    with pytest.raises(LogError, match=r":1: 1 fields; 18 fields or more"):
        read_log(file("a.csv", CSV), format="swf")


def test_a_database_has_no_format_of_a_file():
    with pytest.raises(UsageError, match=r"--format swf is of files; .*--table or --query"):
        read_log("sqlite:///app.db", format="swf")


def test_a_sample_is_read_by_name(file):
    log = read_log("media-batch")
    assert (log.name, len(log)) == ("media-batch", 1)


def test_a_drawn_load_is_drawn_with_the_seed():
    one, other = (read_log("mmc:arrival=1,service=2,jobs=5", seed=seed) for seed in (1, 2))
    assert len(one) == 5
    assert not one.jobs.equals(other.jobs)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("media-bach", r"no file, sample or drawn load 'media-bach'; did you mean media-batch\?"),
        ("mine.cvs", r"did you mean mine.csv\?"),
        ("zzz", "samples: media-batch; drawn loads: mmc, mdc, mgc, as in mmc:arrival"),
        ("zzz", r"databases, as in sqlite:///file\.db; logs to fetch: jobsim log fetch --list"),
        ("mm1:arrival=1,service=2", "no drawn load 'mm1'; did you mean mmc"),
        (".", "is a folder"),
        ("", "is a folder"),
        ("x" * 5000, "no file, sample"),
        ("a\0b", "no file, sample"),
    ],
)
def test_an_unknown_name_is_answered_with_what_there_is(file, spec, message):
    file("mine.csv", CSV)
    with pytest.raises(UsageError, match=message):
        read_log(spec)


def test_an_unknown_format_is_answered_with_the_nearest(file):
    with pytest.raises(UsageError, match=r"did you mean swf\?"):
        read_log(file("a.csv", CSV), format="swff")


def test_pandera_is_imported_only_when_a_file_is_read():
    code = (
        "import sys; from jobsim.joblog import read_log;"
        "read_log('mmc:arrival=1,service=2,jobs=5'); sys.exit('pandera' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "reading", "message"),
    [
        ("mmc:arrival=1,service=2,jobs=5", Reading(zone="UTC"), "--zone says nothing of a drawn"),
        ("sqlite:///app.db", Reading(span_s=5.0), "--for says nothing of a database; what that"),
    ],
)
def test_what_a_log_cannot_need_is_refused(name, reading, message):
    with pytest.raises(UsageError, match=message):
        read_log(name, reading=reading)


def test_hours_are_shown_in_the_zone_that_is_said_and_times_stay(file):
    path = file("mine.csv", CSV)
    there = read_log(path, reading=Reading(zone="Asia/Tokyo"))
    assert there.zone == "Asia/Tokyo"
    assert there.jobs.equals(read_log(path).jobs)


def test_a_run_time_may_be_stated_of_any_log():
    assert len(read_log("mmc:arrival=1,service=2,jobs=5", reading=Reading(assume_run_s=3.0))) == 5
