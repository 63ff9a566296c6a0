"""The clock and the processors of a simulated run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from jobsim.sim.driver.world import HORIZON, World


def over_at(world: World, t_s: float) -> None:
    """Let everything happen up to an instant."""
    world.run_until(world.call_at(t_s, HORIZON, lambda: None))


def note(world: World, into: list[tuple[str, float]], name: str) -> Callable[[], None]:
    """What writes down when it was called."""
    return lambda: into.append((name, world.now))


def test_who_asks_first_has_the_next_free_processor() -> None:
    world, ends = World(processors=2), []
    for name, duration_s in (("a", 3.0), ("b", 1.0), ("c", 1.0), ("d", 5.0)):
        world.compute(duration_s, note(world, ends, name))
    over_at(world, 99.0)
    assert ends == [("b", 1.0), ("c", 2.0), ("a", 3.0), ("d", 7.0)]
    assert world.busy == 0


def test_what_has_more_to_do_keeps_its_processor_before_those_who_wait() -> None:
    world, ends = World(processors=1), []
    world.compute(1.0, partial(world.compute_on, 2.0, note(world, ends, "a")), more=True)
    world.compute(1.0, note(world, ends, "b"))
    over_at(world, 99.0)
    assert ends == [("a", 3.0), ("b", 4.0)]


def test_a_processor_that_nobody_goes_on_with_is_free_for_the_next() -> None:
    world, ends = World(processors=1), []
    world.compute(1.0, note(world, ends, "a"), more=True)
    world.compute(1.0, note(world, ends, "b"))
    over_at(world, 99.0)
    assert ends == [("a", 1.0), ("b", 2.0)]
    assert world.busy == 0


def test_going_on_later_waits_in_line_like_everybody() -> None:
    world, ends = World(processors=1), []
    go_on = partial(world.compute_on, 1.0, note(world, ends, "a"))
    world.compute(1.0, partial(world.later, 0.5, go_on), more=True)
    world.compute(2.0, note(world, ends, "b"))
    over_at(world, 99.0)
    assert ends == [("b", 3.0), ("a", 4.0)]
