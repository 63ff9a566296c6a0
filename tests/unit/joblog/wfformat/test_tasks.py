"""Tasks that wait for what is not there or for one another, and files that hold none."""

from __future__ import annotations

import json
from time import monotonic

import pytest

from jobsim.errors import LogError
from jobsim.joblog.faultlist import FaultList
from jobsim.joblog.wfformat.tasks import in_order, merged_tasks, read_workflow, waits_for


def a_task(name, *parents, **more):
    return {"id": name, "name": name, "parents": list(parents), **more}


def order_of(*tasks):
    faults = FaultList("w.json")
    merged = merged_tasks({"specification": {"tasks": list(tasks)}}, faults)
    order = in_order(waits_for(merged, faults), [task["id"] for task in merged], faults)
    faults.raise_if_any()
    return order


def test_each_task_comes_behind_those_that_it_waits_for():
    assert order_of(a_task("a", "b"), a_task("b", "c"), a_task("c")) == [2, 1, 0]


def test_a_cycle_is_a_fault_that_names_its_tasks():
    with pytest.raises(LogError, match=r"wait for one another: '[ab]' -> '[ab]' -> '[ab]'"):
        order_of(a_task("a", "b"), a_task("b", "a"))
    with pytest.raises(LogError, match="wait for one another: 'a' -> 'a'"):
        order_of(a_task("a", "a"))


def test_a_long_cycle_is_shown_in_short():
    tasks = [a_task(f"t{n}", f"t{(n + 1) % 5000}") for n in range(5000)]
    with pytest.raises(LogError, match=r"one another: .* -> \.\.\. -> 't\d+'") as refusal:
        order_of(*tasks)
    assert len(str(refusal.value)) < 200


def test_a_chain_of_many_tasks_takes_no_more_time_each():
    begin = monotonic()
    assert len(order_of(*(a_task(f"t{n}", f"t{n + 1}") for n in range(20_000)), a_task("t20000")))
    assert monotonic() - begin < 3


def test_every_unknown_parent_and_child_is_a_fault_that_names_the_task():
    with pytest.raises(LogError) as refusal:
        order_of(a_task("a", "nobody"), a_task("b", children=["no one"]), a_task("c", 7))
    assert [fault.wrong for fault in refusal.value.faults] == [
        "task 'a': among its parents is 'nobody'",
        "task 'b': among its children is 'no one'",
        "task 'c': among its parents is '7'",
    ]


def test_a_name_that_several_tasks_have_is_no_parent():
    twins = [{"id": "1", "name": "x"}, {"id": "2", "name": "x"}, a_task("c", "x")]
    with pytest.raises(LogError, match="task 'c': among its parents is 'x'"):
        order_of(*twins)


def test_an_id_counts_before_a_name():
    assert order_of({"id": "1", "name": "2", "parents": ["2"]}, {"id": "2", "name": "1"}) == [1, 0]


def test_tasks_that_cannot_be_told_apart_are_a_fault():
    with pytest.raises(LogError, match="task 'a' is there twice"):
        order_of(a_task("a"), a_task("a"))
    with pytest.raises(LogError, match="task 2 has neither an id nor a name"):
        order_of(a_task("a"), {"parents": []})


def test_a_task_that_ran_but_is_not_specified_is_a_fault():
    workflow = {"specification": {"tasks": [a_task("a")]}, "execution": {"tasks": [a_task("z")]}}
    with pytest.raises(LogError, match="task 'z' was run, but is not specified"):
        merged_tasks(workflow, FaultList("w.json"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("{", "this is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "there is no object workflow"),
        ('{"workflow": []}', "there is no object workflow"),
        ('{"workflow": {"tasks": ' + "9" * 5000 + "}}", "this is not JSON"),
        ("\x00\x01", "binary"),
    ],
)
def test_what_is_no_workflow_is_refused_in_its_words(file, text, message):
    with pytest.raises(LogError, match=message):
        read_workflow(file("w.json", text))


@pytest.mark.parametrize(
    ("tasks", "message"),
    [([], "there is no task"), ("x", "no list of objects"), ([1], "no list of objects")],
)
def test_a_workflow_without_tasks_is_refused(tasks, message):
    with pytest.raises(LogError, match=message):
        merged_tasks(json.loads(json.dumps({"tasks": tasks})), FaultList("w.json"))
