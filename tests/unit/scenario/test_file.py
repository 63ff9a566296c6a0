"""A scenario as a file."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from jobsim.errors import UsageError
from jobsim.faults import Fault
from jobsim.joblog import LogSpec, Reading
from jobsim.scenario import Scenario, Trial, read_scenario

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
    trial = Trial((scenario,), {scenario.what: LogSpec("media-batch")})
    path.write_text(trial.to_toml())
    assert read_scenario(path) == trial


def test_several_logs_read_back_each_by_what_its_rows_are(tmp_path: Path) -> None:
    logs: dict[Any, LogSpec] = {
        "jobs": LogSpec("media-batch", jobs=5),
        "firings": LogSpec("crontab", reading=Reading(begin=datetime(2026, 1, 1), span_s=9.0)),
        "statements": LogSpec("s.csv", "table", Reading(columns={"run": "ms"}), "1s..9s"),
    }
    scenario = Scenario(queue="skip-locked", lease="heartbeat", killer="busy-time", touching=0.5)
    trial = Trial((scenario,), logs, 3, "zero")
    path = tmp_path / "scenario.toml"
    path.write_text(trial.to_toml())
    assert read_scenario(path) == trial


def test_a_list_of_policies_is_a_comparison(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text("[queue]\npolicy = ['taken-flag', 'skip-locked']\nbatch = 3\n")
    scenarios = read_scenario(path).scenarios
    assert [(one.name, one.settings) for one in scenarios] == [
        ("taken-flag", {"queue": {"batch": 3}}),
        ("skip-locked", {"queue": {"batch": 3}}),
    ]


def test_files_are_looked_for_beside_the_scenario_and_then_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, here = tmp_path / "of scenario", tmp_path / "here"
    for each in (folder, here):
        each.mkdir()
    for path in (folder / "a.csv", here / "b.csv"):
        path.write_text("submit_s,run_s\n0,1\n")
    (folder / "m.toml").write_text("zone = 'UTC'\n")
    (folder / "x.toml").write_text(
        "[[load]]\nlog = 'a.csv'\nmapping = 'm.toml'\n[[load]]\nlog = 'b.csv'\nas = 'firings'\n"
    )
    monkeypatch.chdir(here)
    logs = read_scenario(Path("../of scenario/x.toml")).logs
    assert logs["jobs"] == LogSpec(str(folder / "a.csv"), reading=Reading(zone="UTC"))
    assert logs["firings"] == LogSpec("b.csv")


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
    trial = read_scenario(path)
    (scenario,) = trial.scenarios
    assert (scenario.name, scenario.seed, scenario.workers) == ("skip-locked", 7, 4)
    assert scenario.settings["queue"]["batch"] == 100
    assert scenario.faults == (KILL,)
    assert trial.logs == {"jobs": LogSpec("media-batch")}


def test_an_empty_file_is_the_usual_policy_on_the_sample(tmp_path: Path) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text("")
    assert read_scenario(path) == Trial((Scenario(),), {"jobs": LogSpec("media-batch")})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sed = 7", "unknown key 'sed'; did you mean seed"),
        ("[[load]]\nlgo = 'x'", "unknown key 'lgo'; did you mean log"),
        ("[[load]]\nas = 'job'", "as = 'job': did you mean jobs"),
        ("concurrency = 4", "here it is called workers"),
        ("replications = 0", "replications = 0: it takes a whole number from 1"),
        ("costs = 3", "costs = 3: it takes a name"),
        ("[[load]]\ndenser = 2\n[[load]]\nas = 'firings'\ndenser = 3", "one value, which holds"),
        ("[[load]]\nlog = 3", "load: log = 3: it takes a name"),
        ("[[load]]\nmapping = 3", "load: mapping = 3: it takes a name"),
        ("[[load]]\nzone = 'Berlin'", "--zone 'Berlin': no such time zone"),
        ("[[load]]\nmap = { submitted = 'a' }", "did you mean submit"),
        ("[[load]]\nlog = 'a'\n[[load]]\nlog = 'b'", "as = 'jobs' comes twice"),
        ("[queue]\npolicy = ['a', 'b']\n[lease]\npolicy = ['c', 'd']", "policies of one family"),
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
