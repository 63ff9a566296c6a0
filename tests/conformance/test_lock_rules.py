"""The modelled locks against a live server's: the same steps, the same waits, rows and errors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from jobsim.effects import (
    NOW,
    Column,
    Delete,
    Index,
    Insert,
    More,
    Param,
    Select,
    Table,
    Update,
    all_of,
    column,
)

pytestmark = pytest.mark.live

Play = Callable[..., Any]

JOBS = Table("jobs", tuple(Column(name, "integer") for name in ("id",)))
INDEXES = {
    "none": (),
    "status": (Index(("status",)),),
    "composite": (Index(("status", "created_at", "id")),),
    "two": (Index(("status", "created_at")), Index(("claimed_at",))),
    "priority": (Index(("status", "priority", "created_at")),),
    "unique": (Index(("created_at",), unique=True), Index(("status",))),
}
FORCED = {"none": "PRIMARY", "unique": "k1"}
ISOLATIONS = ("repeatable-read", "read-committed")
PENDING = column("status").equals("pending")
BY_ID = column("id").equals(Param("id"))
PATIENCE_S = 0.1


class Words(NamedTuple):
    """The statements of a queue, for one index, status name and way to meet a locked row."""

    claim: Select
    due: Select
    look: Select
    mark: Update
    mark_some: Update
    guard: Update
    finish: Update
    release: Update
    reclaim: Update
    claim_at_once: Update
    count_up: Update
    submit: Insert
    remove: Delete
    take: Select
    from_id: Select
    some_ids: Select


def words(index: str, name: str, on_locked: Any) -> Words:
    key = "@" + FORCED.get(index, "k0")
    order = ("priority", "created_at") if index == "priority" else ("created_at", "id")
    limit, changes = Param("limit"), (("status", name), ("claimed_at", NOW))
    due = all_of(PENDING, column("created_at").at_most(Param("until")))
    stale = all_of(column("status").equals(name), column("claimed_at").at_most(Param("until")))
    some = all_of(column("id").more_than(Param("from")), column("id").at_most(Param("to")))
    from_id = column("id").at_least(Param("id"))
    locked = {"lock": True, "on_locked": on_locked}
    return Words(
        Select("claim" + key, JOBS, ("id", "attempts"), PENDING, order, limit, **locked),
        Select("due" + key, JOBS, ("id",), due, order, limit, **locked),
        Select("look" + key, JOBS, ("id", "status"), PENDING, order, limit),
        Update("mark@PRIMARY", JOBS, (*changes, ("attempts", More("attempts"))), BY_ID),
        Update("mark some@PRIMARY", JOBS, changes, column("id").is_in(Param("ids"))),
        Update("guard@PRIMARY", JOBS, (("status", name),), all_of(BY_ID, PENDING)),
        Update("finish@PRIMARY", JOBS, (("status", "completed"),), BY_ID),
        Update("release@PRIMARY", JOBS, (("status", "pending"),), BY_ID),
        Update("reclaim" + key, JOBS, (("status", "pending"), ("claimed_at", None)), stale),
        Update("claim at once" + key, JOBS, changes, PENDING, order, limit),
        Update("count up" + key, JOBS, (("attempts", More("attempts")),), PENDING),
        Insert("submit", JOBS, ("id", "status", "created_at")),
        Delete("remove@PRIMARY", JOBS, BY_ID),
        Select("take@PRIMARY", JOBS, ("id", "status"), BY_ID, **locked),
        Select("from id@PRIMARY", JOBS, ("id", "status"), from_id, ("id",), limit, **locked),
        Select("some ids@PRIMARY", JOBS, ("id", "status"), some, **locked),
    )


def rows(*statuses: str) -> list[tuple[Any, ...]]:
    claimed = {"pending": None, "completed": None}
    return [
        (id_, status, id_ % 3, float(id_), claimed.get(status, 5.0 * id_), 0)
        for id_, status in enumerate(statuses, 1)
    ]


@pytest.mark.parametrize("isolation", ISOLATIONS)
@pytest.mark.parametrize("index", ["none", "status", "composite"])
@pytest.mark.parametrize("on_locked", ["wait", "skip", "fail"])
@pytest.mark.parametrize("name", ["claimed", "running"])
def test_two_claims_and_a_third_meet_as_on_the_server(
    play: Play, isolation: str, index: str, on_locked: str, name: str
) -> None:
    word = words(index, name, on_locked)
    steps = [
        (0, "begin"), (0, word.claim, (1,)), (1, "begin"), (1, word.claim, (1,)),
        (0, word.mark, (1,)), (2, word.submit, ([(9, "pending", 2.5)],)), (1, word.mark, (2,)),
        (0, "commit"), (0, word.finish, (1,)), (2, "begin"), (2, word.claim, (2,)),
        (1, "commit"), (2, word.mark_some, ([2, 3],)), (2, "commit"), (1, "commit"),
    ]  # fmt: skip
    agree(play, INDEXES[index], isolation, rows("pending", "pending", "pending"), steps)


def agree(play: Play, indexes: Any, isolation: str, start: Any, steps: list[Any]) -> None:
    """Both sides agree after each step; a server that was slow is asked again, more patiently."""
    outcome = play(indexes, isolation, start, steps)
    if outcome.live != outcome.modelled and not outcome.race:
        outcome = play(indexes, isolation, start, steps, patience_s=PATIENCE_S)
    if not outcome.race:
        assert outcome.modelled == outcome.live


def arguments(word: str, chance: random.Random, last_id: int) -> tuple[Any, ...]:
    id_, limit = chance.randint(1, last_id + 2), chance.choice([1, 1, 2, 100])
    instant = float(chance.randint(0, 6 * last_id))
    new_id = chance.choice([id_, last_id + chance.randint(3, 6)])
    return {
        "claim": (limit,), "look": (limit,), "claim_at_once": (min(limit, 2),),
        "due": (float(id_), limit), "reclaim": (instant,), "count_up": (),
        "mark_some": (sorted(chance.sample(range(1, last_id + 3), 2)),),
        "submit": ([(new_id, "pending", float(chance.randint(1, last_id + 2)))],),
        "from_id": (id_, limit), "some_ids": (id_, id_ + chance.randint(0, 3)),
    }.get(word, (id_,))  # fmt: skip


OFTEN = {"claim": 6, "mark": 3, "submit": 3, "mark_some": 2, "finish": 2, "claim_at_once": 2}


def drawn_steps(chance: random.Random, word: Words, last_id: int) -> list[tuple[Any, ...]]:
    """Three sessions, each mostly inside a transaction."""
    steps: list[tuple[Any, ...]] = []
    names = list(Words._fields)
    begun: set[int] = set()
    for t in range(chance.randint(6, 14)):
        session, luck = chance.randrange(3), chance.random()
        if session not in begun and luck < 0.8:
            begun.add(session)
            steps.append((session, "begin"))
        elif session in begun and luck < 0.25:
            begun.discard(session)
            steps.append((session, "commit" if luck < 0.2 else "rollback"))
            continue
        name = chance.choices(names, [OFTEN.get(n, 1) for n in names])[0]
        given = arguments(name, chance, last_id)
        steps.append((session, getattr(word, name), given, 10.0 + t))
    return [*steps, *[(session, "commit") for session in (0, 1, 2)]]


@pytest.mark.parametrize("isolation", ISOLATIONS)
@pytest.mark.parametrize("index", list(INDEXES))
@pytest.mark.parametrize("seed", range(5))
def test_drawn_interleavings_go_as_on_the_server(
    play: Play, isolation: str, index: str, seed: int
) -> None:
    chance = random.Random(f"{index} {isolation} {seed}")
    name = chance.choice(["claimed", "running"])
    word = words(index, name, chance.choice(["wait", "wait", "skip", "fail"]))
    statuses = chance.choices(["pending", name, "completed"], [3, 1, 1], k=chance.randint(2, 5))
    steps = drawn_steps(chance, word, len(statuses))
    agree(play, INDEXES[index], isolation, rows(*statuses), steps)
