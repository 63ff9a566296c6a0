"""What a person does with a log, in the simulation."""

import json
from pathlib import Path
from typing import Any

import pytest

import jobsim
from jobsim.errors import LogError, UsageError
from jobsim.experiment import make_scenario
from jobsim.joblog import JobLog, LogSpec, Reading
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
    drawn = "mmc:arrival=1,service=1,servers=2,jobs=5"
    by_name = jobsim.simulate(drawn, seed=2)
    read = jobsim.simulate(jobsim.read_log(drawn, seed=2), seed=2)
    assert without_wall(by_name.metrics) == without_wall(read.metrics)


ODD = "when,how_long,state\n0,1000,ok\n5,2000,ko\n7,500,ok\n9,500,ok\n"
ODD_READING = Reading(
    columns={"submit": "when", "run": "how_long", "outcome": "state"},
    units={"submit": "s", "run": "ms"},
    outcomes={"ok": "completed", "ko": "failed"},
)


def test_a_log_is_read_as_the_user_says_and_the_part_of_it_played(tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text(ODD)
    result = jobsim.simulate(
        tmp_path / "odd.txt", format="table", reading=ODD_READING, window="4s..", jobs=2
    )
    assert result.jobs["outcome"].tolist() == ["failed", "completed"]
    (run,) = jobsim.compare(
        tmp_path / "odd.txt", ["skip-locked"], format="table", reading=ODD_READING
    ).metrics
    assert (run["jobs"]["completed"], run["jobs"]["failed"]) == (3, 1)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"format": "csv"}, "format and reading are of a log's name"),
        ({"reading": Reading(zone="UTC")}, "format and reading are of a log's name"),
    ],
)
def test_how_a_log_is_read_cannot_be_said_when_it_has_been_read(
    log: JobLog, given: Any, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        jobsim.simulate(log, **given)


def test_a_notebook_shows_a_column_a_run_and_the_sentences(log: JobLog) -> None:
    comparison = jobsim.compare(log, ["skip-locked", "taken-flag"])
    table, _, told = comparison._repr_html_().partition("<ul>")
    head = table.partition("<tbody>")[0]
    assert all(name in head for name in comparison.frame().index.get_level_values("policy"))
    assert "<th>backlog.mean</th>" in table.partition("<tbody>")[2]
    assert told.count("<li>") == len(comparison.sentences())


def test_jobs_that_are_not_played_are_told_of() -> None:
    some = log_of([0, 1, 2], [1, float("nan"), 1])
    comparison = jobsim.compare(some, ["skip-locked", "taken-flag"])
    (told,) = (one for one in comparison.warnings() if "not played" in one)
    assert told.startswith("made: 1 of 3 jobs have no run time and are not played; --assume-run")


def test_a_part_of_several_logs_at_once_is_refused(log: JobLog) -> None:
    logs: Any = {"jobs": log, "statements": log}
    with pytest.raises(UsageError, match="window and jobs are of one log"):
        jobsim.simulate(logs, "skip-locked", killer="busy-time", jobs=3)


def test_a_log_that_answers_nothing_is_refused_with_the_command_that_records_one() -> None:
    for submit_s, told in (([4, 4], "one single time"), ([0, 9], "--assume-run 30s")):
        useless = log_of(submit_s, [float("nan")] * 2)
        with pytest.raises(LogError, match=told) as refused:
            jobsim.simulate(useless)
        assert "jobsim record run --append jobs.csv -- COMMAND" in str(refused.value)


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


def replayed(scenario: Path) -> list[dict[str, Any]]:
    """What a saved scenario comes to when it is played again."""
    trial = read_scenario(scenario)
    again = jobsim.compare(
        trial.logs, trial.scenarios, costs=trial.costs, replications=trial.replications
    )
    return [without_wall(one.metrics) for one in again.results]


DRAWN = "mmc:arrival=30,service=10,servers=4,jobs=60"


@pytest.mark.parametrize(
    ("given", "policies", "options"),
    [
        (DRAWN, ["taken-flag", "skip-locked"], {"seed": 3, "faults": [KILL], "jobs": 20}),
        (DRAWN, ["skip-locked"], {"replications": 2, "costs": "zero", "window": "1s.."}),
        (DRAWN, ["for-update"], {"set": {"queue.batch": 3}, "speedup": 2.0, "load": 1.5}),
        ("odd.txt", ["skip-locked"], {"format": "table", "reading": ODD_READING}),
        (DRAWN, ["process-watcher", "heartbeat"], {"family": "lease", "killer": "busy-time"}),
    ],
    ids=["policies", "replications", "settings", "reading", "lease"],
)
def test_a_saved_comparison_comes_to_the_same_when_its_scenario_is_played_again(
    given: str,
    policies: list[str],
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd.txt").write_text(ODD)
    comparison = jobsim.compare(given, policies, **options)
    saved = comparison.save("out")
    assert all(Path("out", name).exists() for name in saved)
    monkeypatch.chdir("/")
    first = [without_wall(one.metrics) for one in comparison.results]
    assert replayed(tmp_path / "out" / "scenario.toml") == first


def test_an_only_log_is_played_as_it_is_said_and_speaks_first() -> None:
    logged: Any = {"jobs": log_of([0, 1, 2], [1, 1, 1], start_s=[0, 1, 2])}
    comparison = jobsim.compare(logged, [make_scenario(killer="busy-time")])
    assert [run["driver"] for run in comparison.metrics] == ["log", "sim"]
    assert comparison.metrics[1]["jobs"]["completed"] == 3


def test_a_log_that_no_file_can_name_is_kept_with_what_was_played_of_it(tmp_path: Path) -> None:
    both: Any = {"jobs": log_of([0, 1, 1], [1, 2, 3]), "statements": LogSpec(DRAWN, jobs=9)}
    comparison = jobsim.compare(both, [make_scenario("skip-locked", killer="busy-time")])
    assert "log-jobs.parquet" in comparison.save(tmp_path)
    assert not (tmp_path / "log-statements.parquet").exists()
    (tmp_path / "moved").mkdir()
    for name in ("scenario.toml", "log-jobs.parquet"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    (only,) = comparison.results
    assert replayed(tmp_path / "moved" / "scenario.toml") == [without_wall(only.metrics)]


def test_what_one_scenario_cannot_say_is_saved_as_one_a_policy(tmp_path: Path) -> None:
    chosen = [
        *(make_scenario("skip-locked", set={"queue.batch": batch}) for batch in (1, 8)),
        make_scenario(lease="heartbeat"),
    ]
    comparison = jobsim.compare(DRAWN, chosen)
    comparison.save(tmp_path)
    again = [replayed(tmp_path / f"scenario-{number}.toml") for number in (1, 2, 3)]
    assert again == [[without_wall(one.metrics)] for one in comparison.results]


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
