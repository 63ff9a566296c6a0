"""What a person does with a log, in the simulation."""

import json
from pathlib import Path
from typing import Any

import pytest

import jobsim
from jobsim.errors import UsageError
from jobsim.experiment import as_log, make_scenario
from jobsim.joblog import JobLog
from jobsim.scenario import read_scenario
from tests.unit.scenario.made import log_of

SECTIONS = {
    "jobs": {"submitted", "completed", "failed", "dead", "unfinished", "attempts"},
    "wait": {"mean_s", "p50_s", "p95_s", "p99_s", "max_s", "overtakes"},
    "backlog": {
        *("mean", "max", "oldest_age_p99_s", "oldest_age_max_s"),
        *("visible_oldest_age_max_s", "drained_at_s"),
    },
    "contention": {
        *("lock_waits", "lock_wait_s", "deadlocks", "lock_timeouts", "claims", "empty_claims"),
        *("starved_claims", "claim_p50_s", "claim_p99_s", "rows_examined"),
    },
    "stuck": {"episodes", "total_s", "p99_s", "max_s", "still_stuck"},
    "integrity": {"duplicates", "duplicate_s", "lost", "overlaps", "zombie_finishes"},
    "killer": {"kills", "innocent", "needlessly_killed_s", "stall_s"},
    "cost": {
        *("worker_busy_s", "worker_idle_s", "statements", "peak_memory_mb", "wall_s", "events"),
    },
}
HEAD = {
    *("driver", "name", "family", "workers", "seed", "replication", "speedup", "makespan_s"),
    *("throughput_per_s", "utilisation", "by_kind"),
}
BY_KIND = {"completed", "wait_p95_s", "duplicates", "stuck_total_s"}
KILL = "kind=kill,worker=0,at=work,nth=3,when=during"


@pytest.fixture(scope="module")
def log() -> JobLog:
    return jobsim.read_log("mmc:arrival=30,service=10,servers=4,jobs=60", seed=3)


def without_wall(metrics: dict[str, Any]) -> dict[str, Any]:
    return {**metrics, "cost": {**metrics["cost"], "wall_s": None}}


def test_a_result_has_every_metric_of_the_contract(log: JobLog) -> None:
    metrics = jobsim.simulate(log, "skip-locked").metrics
    assert set(metrics) >= HEAD
    for section, names in SECTIONS.items():
        assert names <= set(metrics[section]), section
    assert all(set(kind) >= BY_KIND for kind in metrics["by_kind"].values())
    assert (metrics["driver"], metrics["name"], metrics["workers"]) == ("sim", "skip-locked", 4)
    assert metrics["jobs"]["completed"] == 60


def test_a_result_has_tables_of_attempts_events_and_jobs(log: JobLog) -> None:
    result = jobsim.simulate(log, "taken-flag", faults=[KILL])
    assert len(result.jobs) == 60
    assert len(result.attempts) >= 60
    assert result.events["kind"].tolist().count("died") == 1


def test_the_same_seed_gives_the_same_metrics(log: JobLog) -> None:
    first, again = (jobsim.simulate(log, "for-update", seed=5).metrics for _ in range(2))
    assert without_wall(first) == without_wall(again)


def test_settings_are_given_by_full_name_as_values_or_as_texts(log: JobLog) -> None:
    given: list[Any] = [{"queue.batch": 5}, ["queue.batch=5"]]
    runs = [jobsim.simulate(log, "skip-locked", set=one) for one in given]
    assert [run.run.queue.settings.batch for run in runs] == [5, 5]  # type: ignore[union-attr]


def test_only_the_first_jobs_are_played_where_that_is_asked(log: JobLog) -> None:
    assert jobsim.simulate(log, "skip-locked", jobs=10).metrics["jobs"]["submitted"] == 10


def test_a_log_is_read_where_only_its_name_is_given() -> None:
    read = as_log("mmc:arrival=1,service=1,servers=2,jobs=5", seed=2)
    assert isinstance(read, JobLog)
    assert len(read) == 5


def test_a_comparison_has_a_run_a_policy_and_prints_as_json(log: JobLog) -> None:
    comparison = jobsim.compare(log, ["taken-flag", "skip-locked"])
    document = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert [run["name"] for run in document["runs"]] == ["taken-flag", "skip-locked"]
    assert [result.name for result in comparison.results] == ["taken-flag", "skip-locked"]
    assert len(comparison.sentences()) == 2


def test_a_log_with_start_times_speaks_first() -> None:
    logged = log_of([0, 1, 2], [1, 1, 1], start_s=[0, 1, 2])
    runs = jobsim.compare(logged, ["skip-locked"]).to_dict()["runs"]
    assert [(run["driver"], run["name"]) for run in runs] == [
        ("log", "as-logged"),
        ("sim", "skip-locked"),
    ]


def test_replications_are_merged_into_a_mean_with_its_bounds(log: JobLog) -> None:
    comparison = jobsim.compare(log, ["skip-locked", "for-update"], replications=3, seed=4)
    assert [one.metrics["seed"] for one in comparison.results] == [4, 4, 5, 5, 6, 6]
    assert [one.metrics["replication"] for one in comparison.results] == [0, 0, 1, 1, 2, 2]
    assert len(comparison.metrics) == 2
    p95 = comparison.metrics[0]["wait"]["p95_s"]
    assert set(p95) == {"mean", "low", "high"}
    assert p95["low"] <= p95["mean"] <= p95["high"]


def test_two_scenarios_of_one_policy_are_two_runs_and_not_replications(
    log: JobLog, tmp_path: Path
) -> None:
    chosen = [make_scenario("skip-locked", set={"queue.batch": batch}) for batch in (1, 8)]
    comparison = jobsim.compare(log, chosen)
    assert len(comparison.metrics) == 2
    assert comparison.metrics[0]["wait"] != comparison.metrics[1]["wait"]
    saved = comparison.save(tmp_path)
    folders = [name for name in saved if (tmp_path / name).is_dir()]
    assert len(folders) == 2


def test_a_comparison_is_saved_with_a_scenario_that_can_be_read(
    log: JobLog, tmp_path: Path
) -> None:
    saved = jobsim.compare(log, ["skip-locked"], faults=[KILL], seed=3).save(tmp_path)
    assert all((tmp_path / name).exists() for name in saved)
    scenario, logs = read_scenario(tmp_path / "scenario.toml")
    assert scenario == make_scenario("skip-locked", faults=[KILL], seed=3)
    assert logs == {"jobs": log.source}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"queue": "skip-lock"}, "did you mean skip-locked"),
        ({"set": {"queue.bacth": 1}}, r"did you mean queue\.batch"),
        ({"faults": ["kind=kil,at=work"]}, "did you mean kill"),
        ({"faults": ["kind=kill,at=wrk"]}, "no step 'wrk'.*did you mean work"),
        ({"speedup": 0}, "factors above 0"),
        ({"load": -1}, "factors above 0"),
        ({"workers": 0}, "at least one worker"),
        ({"seed": -1}, "seed = -1"),
        ({"jobs": 0}, "1 or more"),
        ({"costs": "cheap"}, "built in are default, zero"),
    ],
)
def test_what_cannot_be_simulated_is_answered_with_what_can(
    given: dict[str, Any], told: str, log: JobLog
) -> None:
    with pytest.raises(UsageError, match=told):
        jobsim.simulate(log, **given)


@pytest.mark.parametrize(
    ("policies", "more"), [([], {}), (["skip-locked"], {"replications": 0})], ids=str
)
def test_a_comparison_of_nothing_is_refused(
    policies: list[str], more: dict[str, Any], log: JobLog
) -> None:
    with pytest.raises(UsageError, match="at least one policy and one replication"):
        jobsim.compare(log, policies, **more)
