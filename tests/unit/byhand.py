"""Playing a script by hand: what it asks, step by step, and what it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jobsim.effects import Effect, Note, Script


@dataclass
class Played:
    """What came of a script: everything that it asked, with arguments, and what it returned."""

    asked: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    result: Any = None
    over: bool = False

    def arguments(self, name: str) -> list[tuple[Any, ...]]:
        """The arguments of each asking of this name."""
        return [arguments for asked, arguments in self.asked if asked == name]


def play(script: Script[Any], *steps: tuple[str, Any], open_end: bool = False) -> Played:
    """Answer each step in turn: (the label that is expected, the reply or what is thrown).

    The script must end with the last step, unless ``open_end``: then it is left there.
    """
    played = Played()
    effect, arguments = next(script)
    for at, (expected, reply) in enumerate(steps):
        played.asked.append((name(effect), arguments))
        assert name(effect) == expected, f"step {at}: {[asked for asked, _ in played.asked]}"
        try:
            if isinstance(reply, Exception):
                effect, arguments = script.throw(reply)
            else:
                effect, arguments = script.send(reply)
        except StopIteration as end:
            assert at == len(steps) - 1, f"it ended at step {at}, {expected}"
            played.result, played.over = end.value, True
            return played
    assert open_end, f"it goes on with {name(effect)}{arguments}"
    return played


def name(effect: Effect[Any]) -> str:
    """A step's label; a note's is what it notes."""
    return effect.kind if isinstance(effect, Note) else effect.label
