"""What a workflow in WfFormat says of jobs: arrivals come from dependencies."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import wfformat
from jobsim.joblog.reading import Reading
from jobsim.joblog.schema import schema
from jobsim.joblog.wfformat.reader import COMPUTED, FROM_STARTS, IN_KB, UNTRUE


def a_workflow(tasks, version="1.5", began="2024-03-01T09:00:00+01:00"):
    """A workflow of tasks {id: (parents, run time, more)}, as version 1.5 has it."""
    planned, run = [], []
    for name, (parents, run_s, *more) in tasks.items():
        planned.append({"name": name, "id": name, "parents": list(parents), "children": []})
        run.append({"id": name, "runtimeInSeconds": run_s, **(more[0] if more else {})})
    execution = {"makespanInSeconds": 1, "executedAt": began, "tasks": run}
    workflow = {"specification": {"tasks": planned}, "execution": execution}
    return {"name": "w", "schemaVersion": version, "workflow": workflow}


@pytest.fixture
def read(file):
    def read_document(document, name="w.json", reading=None):
        path = file(name, json.dumps(document))
        return wfformat.read(path, reading) if reading else wfformat.read(path)

    return read_document


def submissions(log):
    return log.jobs.set_index("job_id")["submit_s"].to_dict()


def reasons(log):
    return {note.reason: note.count for note in log.notes}


DIAMOND = {"a": ((), 10), "b": ("a", 5), "c": ("a", 20), "d": ("bc", 1)}


def test_a_task_is_submitted_when_the_last_one_before_it_ends(read):
    log = read(a_workflow(DIAMOND))
    assert submissions(log) == {"a": 0, "b": 10, "c": 10, "d": 30}
    assert log.jobs["run_s"].tolist() == [10, 5, 20, 1]
    assert log.jobs["start_s"].isna().all()
    assert reasons(log) == {COMPUTED: 4}


@pytest.mark.parametrize(
    "began",
    ["2024-03-01T09:00:00+01:00", "20240301T080000Z", "03-01-24T08:00:00Z", "2024-03-01T08:00:00"],
)
def test_the_origin_is_when_the_workflow_began(read, began):
    assert read(a_workflow(DIAMOND, began=began)).origin == datetime(2024, 3, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize("began", ["some day", "", None, 7, "01-03"])
def test_a_beginning_that_is_no_instant_is_no_origin(read, began):
    assert read(a_workflow(DIAMOND, began=began)).origin is None


def test_the_order_of_the_file_does_not_matter(read):
    turned = dict(reversed(DIAMOND.items()))
    assert submissions(read(a_workflow(turned))) == submissions(read(a_workflow(DIAMOND)))


def test_dependencies_may_be_said_by_the_children_alone(read):
    document = a_workflow({"a": ((), 10), "b": ((), 5)})
    document["workflow"]["specification"]["tasks"][0]["children"] = ["b"]
    assert submissions(read(document)) == {"a": 0, "b": 10}


def test_logged_starts_give_waits(read):
    started = {
        "a": ((), 10, {"executedAt": "2024-03-01T09:00:05+01:00"}),
        "b": ("a", 5, {"executedAt": "2024-03-01T09:00:20+01:00"}),
    }
    log = read(a_workflow(started))
    assert log.jobs[["submit_s", "start_s"]].values.tolist() == [[0, 5], [15, 20]]
    assert log.origin == datetime(2024, 3, 1, 8, tzinfo=UTC)
    assert reasons(log)[FROM_STARTS] == 2


def test_a_task_that_started_before_the_last_one_before_it_ended_did_not_wait(read):
    started = {
        "a": ((), 10, {"executedAt": "2024-03-01T09:00:00+01:00"}),
        "b": ("a", 5, {"executedAt": "2024-03-01T09:00:08+01:00"}),
    }
    log = read(a_workflow(started))
    assert log.jobs[["submit_s", "start_s"]].values.tolist() == [[0, 0], [8, 8]]
    assert sum("started before the last task" in reason for reason in reasons(log)) == 1


def test_starts_of_some_tasks_only_are_left_out_and_counted(read):
    some = {"a": ((), 10, {"executedAt": "2024-03-01T09:00:05+01:00"}), "b": ("a", 5)}
    log = read(a_workflow(some))
    assert submissions(log) == {"a": 0, "b": 10}
    assert reasons(log)["mended: start known, but not of every task, left missing"] == 1


def test_starts_that_are_when_the_file_was_made_are_left_out_and_counted(read):
    at = {"executedAt": "2024-03-01T09:00:00.001+01:00"}
    made = {"a": ((), 10, at), "b": ("a", 5, at), "c": ("b", 1, at)}
    log = read(a_workflow(made))
    assert submissions(log) == {"a": 0, "b": 10, "c": 15}
    assert log.jobs["start_s"].isna().all()
    assert reasons(log) == {UNTRUE: 3, COMPUTED: 3}


def test_starts_without_an_offset_are_those_of_the_zone_that_the_user_says(read):
    local = {"a": ((), 10, {"executedAt": "2024-07-01T09:00:00"})}
    document = a_workflow(local, began="2024-07-01T09:00:00")
    assert read(document, reading=Reading(zone="Europe/Berlin")).origin.hour == 7


def test_what_follows_a_task_without_a_run_time_has_no_known_submission(read):
    log = read(a_workflow({"a": ((), None), "b": ("a", 5), "c": ("b", 5), "d": ((), 1)}))
    assert submissions(log) == {"a": 0, "d": 0}
    dropped = "dropped: how long a task before it ran is not known, nor so its submission"
    assert reasons(log)[dropped] == 2
    assert log.jobs.set_index("job_id")["run_s"].isna().to_dict() == {"a": True, "d": False}


def test_a_run_time_below_zero_and_a_memory_of_zero_are_unknown(read):
    more = {"memoryInBytes": 0}
    log = read(a_workflow({"a": ((), -1, more), "b": ((), 0, {"memoryInBytes": 3 << 20})}))
    assert log.jobs["run_s"].fillna(-9).tolist() == [-9, 0]
    assert log.jobs["memory_mb"].fillna(-9).tolist() == [-9, 3]
    assert reasons(log)["mended: run time below 0, left missing"] == 1
    assert reasons(log)["mended: memory of 0 bytes or less, left missing"] == 1


def test_kinds_are_names_without_their_numbers(read):
    log = read(a_workflow({"sort_ID0000001": ((), 1), "sort_ID0000002": ((), 1), "x.y_7": ((), 1)}))
    assert log.jobs["kind"].tolist() == ["sort", "sort", "x.y"]


def test_kinds_are_programs_where_they_tell_tasks_apart(read):
    def command(program):
        return {"command": {"program": program}}

    one = a_workflow({"a": ((), 1, command("/bin/sh")), "b": ((), 1, command("/bin/sh"))})
    two = a_workflow({"a": ((), 1, command("/bin/sh")), "b": ((), 1, command("awk"))})
    assert read(one).jobs["kind"].tolist() == ["a", "b"]
    assert read(two).jobs["kind"].tolist() == ["sh", "awk"]


@pytest.mark.parametrize(("machine", "memory_mb"), [(192_000_000, 100), (192 * 2**30, 0.1)])
def test_memory_in_kb_under_the_name_of_bytes_is_seen_by_the_machines(read, machine, memory_mb):
    document = a_workflow({"a": ((), 1, {"memoryInBytes": 104857.6}), "b": ((), 1)})
    document["workflow"]["execution"]["machines"] = [{"nodeName": "n", "memoryInBytes": machine}]
    log = read(document)
    assert log.jobs["memory_mb"].max() == pytest.approx(memory_mb, rel=0.05)
    assert reasons(log).get(IN_KB, 0) == (memory_mb == 100)


@pytest.mark.parametrize("machines", [None, 7, "x", [7], [{}], [{"memoryInBytes": "x"}]])
def test_machines_that_say_nothing_leave_bytes(read, machines):
    document = a_workflow({"a": ((), 1, {"memoryInBytes": 2**20})})
    document["workflow"]["execution"]["machines"] = machines
    assert read(document).jobs["memory_mb"].tolist() == [1]


@pytest.mark.parametrize(
    ("version", "tasks", "run", "memory", "value"),
    [
        ("1.4", "tasks", "runtimeInSeconds", "memoryInBytes", 1 << 20),
        ("1.3", "tasks", "runtime", "memory", 1048.576),
        ("1.1", "jobs", "runtime", "memory", 1048.576),
    ],
)
def test_older_versions_say_the_same_in_other_words(read, version, tasks, run, memory, value):
    listed = [
        {"name": "a_ID1", "type": "compute", run: 10, "parents": [], memory: value},
        {"name": "b_ID2", "type": "compute", run: 5, "parents": ["a_ID1"], "category": "b"},
    ]
    if version == "1.4":
        listed[0]["id"], listed[1]["id"] = "ID1", "ID2"
    workflow = {"executedAt": "2020-04-01T15:10:53-08:00", tasks: listed}
    log = read({"schemaVersion": version, "workflow": workflow})
    assert log.jobs["submit_s"].tolist() == [0, 10]
    assert log.jobs["memory_mb"].fillna(-9).tolist() == [1, -9]
    assert log.jobs["kind"].tolist() == ["a", "b"]
    assert log.origin == datetime(2020, 4, 1, 23, 10, 53, tzinfo=UTC)


def test_a_workflow_that_was_only_planned_is_refused(read):
    document = a_workflow(DIAMOND)
    del document["workflow"]["execution"]
    with pytest.raises(LogError, match=r"only planned, not run.*jobsim record run"):
        read(document)


def test_a_file_that_was_packed_reads_the_same(read):
    plain, packed = read(a_workflow(DIAMOND)), read(a_workflow(DIAMOND), name="p.json.gz")
    pd.testing.assert_frame_equal(plain.jobs, packed.jobs)


@pytest.mark.parametrize(
    ("head", "is_wfformat"),
    [
        (json.dumps(a_workflow(DIAMOND)).encode(), True),
        (json.dumps(a_workflow(DIAMOND), indent=2).encode(), True),
        (b'{"schemaVersion": "1.3", "workflow": {"jobs": [', True),
        (b'{"schemaVersion": "1.5", "workflow": {"machines": [', True),
        (b'{"workflow": {"tasks": [{"name": "a", "files": [{"link": "input"', True),
        (b'{"workflow_runs": [{"id": 1, "workflow": {"id": 2}}]}', False),
        (b'{"schemaVersion": "1.0", "tasks": []}', False),
        (b'[{"workflow": {"tasks": [{"runtimeInSeconds": 1', False),
        (b"job_id,submit_s,run_s\n1,2,3\n", False),
    ],
)
def test_wfformat_is_known_by_its_workflow_and_version(head, is_wfformat):
    assert wfformat.looks_like(head) is is_wfformat


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_tasks_give_a_right_table_or_a_clear_error(data, tmp_path_factory):
    name = st.sampled_from("abcd")
    run_s = st.sampled_from([1, 2.5, 0, -1, None, "x", True, 1e300]) | st.integers(0, 9)
    start = st.sampled_from(["2024-03-01T09:00:05+01:00", "2024-03-01T09:00:05", "x", None, 7])
    more = st.fixed_dictionaries({"executedAt": start}) | st.just({})
    tasks = st.dictionaries(name, st.tuples(st.lists(name | JSON, max_size=2), run_s, more))
    document = a_workflow(data.draw(tasks))
    path = tmp_path_factory.mktemp("wf") / "a.json"
    path.write_text(json.dumps(document))
    with suppress(LogError):
        log = wfformat.read(path)
        schema().validate(log.jobs, lazy=True)
        assert log.jobs["submit_s"].iloc[0] == 0


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_a_clear_error_or_a_right_table(data, tmp_path_factory):
    document = a_workflow(DIAMOND)
    place = document
    for key in ("workflow", data.draw(st.sampled_from(["specification", "execution"]))):
        if data.draw(st.integers(0, 3)) == 0:
            break
        place = place[key]
    place[data.draw(st.sampled_from([*place, "tasks"]))] = data.draw(JSON)
    text = json.dumps(document)
    path = tmp_path_factory.mktemp("wf") / "a.json"
    path.write_text(text[: data.draw(st.just(len(text)) | st.integers(0, len(text)))])
    with suppress(LogError):
        schema().validate(wfformat.read(path).jobs, lazy=True)
