"""Looking at the newest versions of rows through an index, without locks and quickly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from jobsim.sim.database.access import Interval
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import Row
from jobsim.sim.database.rows import Store
from jobsim.sim.database.runs import DEAD, LIVE, Run

Visit: TypeAlias = "tuple[Row | None, int]"
"""The next row (None at the end), and how many delete-marked entries stood before it."""


def visit(store: Store, tree: Tree, interval: Interval) -> Iterator[Visit]:
    """The rows of an interval, in order."""
    if interval.point and len(interval.low) == tree.shape.prefix_n > 0:
        run = tree.runs.get(tree.shape.prefix(interval.low))
        return iter([(None, 0)]) if run is None else _of_run(store, run)
    if tree is store.primary and not interval.low and not interval.high:
        return _of_table(store)
    return _of_interval(store, tree, interval)


def _of_run(store: Store, run: Run) -> Iterator[Visit]:
    get, hot = store.get, store.hot
    place = run.first_live()
    dead = run.skipped()
    for entry in run.from_first_live() if place is not None else ():
        row = None if len(entry) == DEAD else hot.get(entry[1]) or get(entry[1])
        if row is None:
            dead += 1
        else:
            yield row, dead
            dead = 0
    yield None, dead


def _of_table(store: Store) -> Iterator[Visit]:
    dead, hot = 0, store.hot
    for chunk in list(store.body.chunks):
        if chunk.cold is not None:
            for row in store.rows_of(chunk):
                yield row, 0
            continue
        for entry in chunk:
            if len(entry) == LIVE:
                yield hot[entry[1]], dead
                dead = 0
            else:
                dead += 1
    yield None, dead


def _of_interval(store: Store, tree: Tree, interval: Interval) -> Iterator[Visit]:
    dead = 0
    for key, mark in tree.walk(interval.low, interval.low_open):
        if interval.passed(key):
            break
        row = None if mark else store.get(key[-1])
        if row is None:
            dead += 1
        else:
            yield row, dead
            dead = 0
    yield None, dead
