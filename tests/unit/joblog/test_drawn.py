"""Drawn loads: the right distributions, and the same jobs for the same seed."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import UsageError
from jobsim.joblog.drawn import draw, is_drawn, parse
from jobsim.joblog.schema import schema

SPEC = "arrival=2,service=0.5,servers=4,jobs=40000"


def gaps(log):
    return log.jobs["submit_s"].diff().fillna(log.jobs["submit_s"].iloc[0])


def cv2(times):
    return times.var() / times.mean() ** 2


def test_a_drawn_load_is_a_right_log():
    log = draw(f"mmc:{SPEC}")
    schema().validate(log.jobs, lazy=True)
    assert log.jobs["submit_s"].is_monotonic_increasing
    assert (len(log), log.workers, log.name) == (40_000, 4, "mmc")


@pytest.mark.parametrize(("spec", "expected"), [("mmc", 1.0), ("mdc", 0.0)])
def test_arrivals_are_poisson_and_run_times_as_the_family_says(spec, expected):
    log = draw(f"{spec}:{SPEC}")
    assert gaps(log).mean() == pytest.approx(1 / 2, rel=0.02)
    assert cv2(gaps(log)) == pytest.approx(1, rel=0.04)
    assert log.jobs["run_s"].mean() == pytest.approx(1 / 0.5, rel=0.02)
    assert cv2(log.jobs["run_s"]) == pytest.approx(expected, abs=0.04)


def test_mgc_has_the_variation_that_is_asked_for():
    run_s = draw(f"mgc:{SPEC},cv2=0.5").jobs["run_s"]
    assert run_s.mean() == pytest.approx(2, rel=0.02)
    assert cv2(run_s) == pytest.approx(0.5, rel=0.05)


def test_one_seed_gives_the_same_jobs_twice_and_another_other_jobs():
    one, same, other = (draw(f"mmc:{SPEC}", seed) for seed in (7, 7, 8))
    assert one.jobs.equals(same.jobs)
    assert not one.jobs.equals(other.jobs)


def test_a_seed_in_the_load_counts_and_is_recorded():
    assert draw(f"mmc:{SPEC},seed=3", 9).jobs.equals(draw(f"mmc:{SPEC}", 3).jobs)
    assert draw(f"mmc:{SPEC}", 3).source == f"mmc:{SPEC},seed=3"
    assert draw(draw(f"mmc:{SPEC}", 3).source).jobs.equals(draw(f"mmc:{SPEC}", 3).jobs)


def test_arrivals_are_the_same_for_every_family_and_service():
    arrivals = draw("mmc:arrival=2,service=1,jobs=100").jobs["submit_s"]
    for other in ("mdc:arrival=2,service=1,jobs=100", "mgc:arrival=2,service=9,cv2=4,jobs=100"):
        assert draw(other).jobs["submit_s"].equals(arrivals)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mm1:arrival=1,service=2", r"no drawn load 'mm1'; did you mean mmc"),
        ("mmc:arrival=1,servise=2", r"no 'servise'; did you mean service or servers\?"),
        ("mmc:arrival=1,service=2,cv2=4", "mmc has no 'cv2'"),
        ("mmc:service=2", "arrival is missing"),
        ("mmc:", "mmc has no ''"),
        ("mmc:arrival=1,service=2,service=2", "service is given twice"),
        ("mmc:arrival=0,service=2", "arrival=0; arrival is a number from"),
        ("mmc:arrival=inf,service=2", "arrival=inf"),
        ("mmc:arrival=nan,service=2", "arrival=nan"),
        ("mmc:arrival,service=2", "arrival=; arrival is a number from"),
        ("mmc:arrival=1,service=2,jobs=2.5", "jobs is a whole number from 1"),
        ("mmc:arrival=1,service=2,jobs=0", "jobs is a whole number from 1"),
        ("mmc:arrival=1,service=2,seed=-1", "seed is a whole number from 0"),
    ],
)
def test_a_load_that_cannot_be_read_is_answered_with_what_would_be_right(spec, message):
    with pytest.raises(UsageError, match=message):
        draw(spec)


def test_a_seed_below_zero_is_refused():
    with pytest.raises(UsageError, match="0 or more"):
        draw("mmc:arrival=1,service=2", -1)


def test_drawn_loads_are_told_from_files():
    assert is_drawn("mmc:arrival=1,service=2")
    assert is_drawn("mmc:")
    assert is_drawn("mm1:arrival=1")
    assert not is_drawn("logs/mmc.swf")
    assert not is_drawn("mysql://host/db?table=jobs")
    assert not is_drawn(r"C:\logs\a=b.csv")
    assert not is_drawn("media-batch")


@settings(max_examples=50)
@given(st.text(st.sampled_from("mcdg:=,.0123456789eEarivlsjobn -"), max_size=40))
def test_any_text_is_a_load_or_a_clear_error(text):
    with suppress(UsageError):
        family, load = parse(f"mmc:{text}")
        assert family == "mmc"
        assert load.arrival > 0
