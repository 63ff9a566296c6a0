"""The tasks of a workflow in WfFormat, and which of them each has to wait for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import read_text_bytes

Task = dict[str, Any]
"""What the file says of a task, as it says it."""


def read_workflow(path: Path) -> dict[str, Any]:
    """The workflow that the file holds; LogError if it is no such file."""
    data = read_text_bytes(path)
    try:
        document = json.loads(data)
    except RecursionError:
        refuse(str(path), "this JSON is nested too deeply", "a workflow in WfFormat")
    except ValueError as error:
        wrong = f"this is not JSON ({error})"
        refuse(str(path), wrong, "the whole file", getattr(error, "lineno", None))
    workflow = document.get("workflow") if isinstance(document, dict) else None
    if not isinstance(workflow, dict):
        refuse(str(path), "there is no object workflow in it", "a workflow in WfFormat")
    return workflow


def merged_tasks(workflow: dict[str, Any], faults: FaultList) -> list[Task]:
    """The tasks, each with what the specification and the execution say of it.

    Raises
    ------
    LogError
        There is no task, or they are not told apart.
    """
    planned = _objects(workflow.get("specification", workflow), ("tasks", "jobs"), faults)
    run = _objects(workflow.get("execution", {}), ("tasks",), faults)
    by_id: dict[str, Task] = {}
    for task in planned:
        if task_id(task) in by_id:
            faults.add(f"task {shown(task_id(task))} is there twice", "an id for each task")
        by_id[task_id(task)] = task
    for task in run:
        if task_id(task) in by_id:
            by_id[task_id(task)] = by_id[task_id(task)] | task
        else:
            faults.add(f"task {shown(task_id(task))} was run, but is not specified", "a task's id")
    faults.raise_if_any()
    if not by_id:
        refuse(faults.file, "there is no task in it", "tasks with an id, parents and run time")
    return list(by_id.values())


def _objects(part: Any, keys: Sequence[str], faults: FaultList) -> list[Task]:
    """The list of objects under the first of `keys` that is there."""
    part = part if isinstance(part, dict) else {}
    found: Any = next((part[key] for key in keys if key in part), [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        faults.add(f"{keys[0]} is no list of objects", "as WfFormat has it")
        return []
    for number, task in enumerate(found, start=1):
        if not task_id(task):
            faults.add(f"{keys[0]}: task {number} has neither an id nor a name", "an id")
    return found


def task_id(task: Task) -> str:
    """The task's id, or else its name, or else nothing."""
    found = task.get("id", task.get("name"))
    return str(found) if isinstance(found, str | int) else ""


def waits_for(tasks: list[Task], faults: FaultList) -> list[set[int]]:
    """For each task the numbers of those that have to end before it begins."""
    place_of: dict[str, int] = {}
    for number, task in enumerate(tasks):
        name = str(task.get("name"))
        # What several are called by says of none which it is.
        place_of[name] = -1 if name in place_of else number
    place_of |= {task_id(task): number for number, task in enumerate(tasks)}
    before: list[set[int]] = [set() for _ in tasks]
    for number, task in enumerate(tasks):
        for parent in _named(task, "parents", place_of, faults):
            before[number].add(parent)
        for child in _named(task, "children", place_of, faults):
            before[child].add(number)
    return before


def _named(task: Task, key: str, place_of: dict[str, int], faults: FaultList) -> list[int]:
    named = task.get(key) or []
    if not isinstance(named, list):
        faults.add(f"task {shown(task_id(task))}: {key} is no list", "a list of ids")
        return []
    found: list[int] = []
    for each in named:
        place = place_of.get(str(each), -1)
        if place < 0:
            wrong = f"task {shown(task_id(task))}: among its {key} is {shown(str(each))}"
            faults.add(wrong, "the id of a task of this workflow")
        else:
            found.append(place)
    return found


def in_order(before: list[set[int]], ids: list[str], faults: FaultList) -> list[int]:
    """The tasks, each after those that it waits for; a fault if they wait for one another."""
    try:
        return [*TopologicalSorter(dict(enumerate(before))).static_order()]
    except CycleError as error:
        cycle = [shown(str(ids[number])) for number in error.args[1]]
        path = " -> ".join(cycle if len(cycle) < 6 else [*cycle[:4], "...", cycle[-1]])
        faults.add(f"tasks wait for one another: {path}", "dependencies without a cycle")
        return []
