"""A scenario as a file."""

from pathlib import Path
from typing import Any

import pytest

from jobsim.errors import UsageError
from jobsim.faults import Fault
from jobsim.scenario import Scenario, read_scenario

KILL = Fault("kill", worker=0, at="work", nth=5)


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario(queue="skip-locked"),
        Scenario(queue="for-update", workers=3, seed=7, speedup=60.0, load=2.0, until_s=90.0),
        Scenario(queue="taken-flag", settings={"queue": {"batch": 10, "finish": "batch"}}),
        Scenario(queue="skip-locked", settings={"database": {"index": "status"}}, faults=(KILL,)),
        Scenario(lease="heartbeat", settings={"lease": {"timeout_s": "5m"}}),
        Scenario(queue="skip-locked", killer="busy-time", settings={"trigger": {"poll_s": 0.5}}),
        Scenario(killer="busy-time", touching=0.5),
        Scenario(killer="busy-time", queue=None, rows="jobs"),
        Scenario(queue="skip-locked", faults=(Fault("pause", rate_per_s=0.1, for_s=3.0), KILL)),
    ],
    ids=lambda scenario: scenario.name,
)
def test_a_scenario_reads_back_from_what_it_writes(scenario: Scenario, tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(scenario.to_toml("media-batch"))
    read, logs = read_scenario(path)
    assert read == scenario
    assert logs == {scenario.what: "media-batch"}


def test_several_logs_read_back_each_by_what_its_rows_are(tmp_path: Path) -> None:
    logs: dict[Any, str] = {"jobs": "media-batch", "firings": "mmc:jobs=3", "statements": "s.csv"}
    scenario = Scenario(queue="skip-locked", lease="heartbeat", killer="busy-time", touching=0.5)
    path = tmp_path / "scenario.toml"
    path.write_text(scenario.to_toml(logs))
    _, read = read_scenario(path)
    assert read == logs


def test_the_scenario_of_the_handbook_is_read(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(
        """
        seed = 7
        workers = 4
        [[load]]
        log = "media-batch"
        as = "jobs"
        [queue]
        policy = "skip-locked"
        batch = 100
        finish = "each"
        reclaim = "after"
        reclaim_s = 1800
        [lease]
        timeout_s = "180m"
        [trigger]
        policy = "resident"
        wake = "poll"
        [[fault]]
        kind = "kill"
        worker = 0
        at = "work"
        nth = 5
        when = "during"
        """
    )
    scenario, logs = read_scenario(path)
    assert (scenario.name, scenario.seed, scenario.workers) == ("skip-locked", 7, 4)
    assert scenario.settings["queue"]["batch"] == 100
    assert scenario.faults == (KILL,)
    assert logs == {"jobs": "media-batch"}


def test_an_empty_file_is_the_usual_policy_on_the_sample(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text("")
    scenario, logs = read_scenario(path)
    assert scenario == Scenario()
    assert logs == {"jobs": "media-batch"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sed = 7", "unknown key 'sed'; did you mean seed"),
        ("[[load]]\nlgo = 'x'", "unknown key 'lgo'; did you mean log"),
        ("[[load]]\nas = 'job'", "as = 'job': did you mean jobs"),
        ("concurrency = 4", "here it is called workers"),
        ("[[fault]]\nkind = 'kil'", "did you mean kill"),
        ("seed = ", "not a scenario"),
        ("seed = 'one'", "seed = 'one': it takes a whole number from 0"),
        ("seed = -1", "it takes a whole number from 0"),
        ("workers = 0", "workers = 0: it takes a whole number from 1"),
        ("workers = 'four'", "it takes a whole number from 1"),
        ("speedup = 0", "speedup = 0: it takes a factor above 0"),
        ("speedup = 'fast'", "it takes a factor above 0"),
        ("until_s = 'late'", "not a duration"),
        ("queue = 'skip-locked'", r"write it as a table, \[queue\]"),
        ("load = 'media-batch'", r"a table of its own, \[\[load\]\]"),
        ("[load]\nlog = 'media-batch'", r"a table of its own, \[\[load\]\]"),
        ("[[load]]\ntouching = 2", "a share from 0 to 1"),
        ("fault = 'kind=kill'", r"a table of its own, \[\[fault\]\]"),
        ("[queue]\npolicy = 5", "queue: policy = 5: it takes a name"),
    ],
)
def test_what_is_not_a_scenario_is_answered_with_file_and_what_would_be(
    text: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=told) as refused:
        read_scenario(path)
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match=r"no scenario file absent\.toml"):
        read_scenario("absent.toml")
