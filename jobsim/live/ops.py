"""The functions that perform effects: how they are found, made and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from jobsim.effects import Effect

if TYPE_CHECKING:
    from jobsim.live.driver import Performer

Op: TypeAlias = Callable[..., Any]
"""Performs one effect: takes the arguments of an asking, gives the reply."""
Maker: TypeAlias = "Callable[[Performer, Any], Op]"
"""Makes it, for one performer and one effect."""

MAKERS: dict[type[Any], Maker] = {}


def performs(kind: type[Effect[Any]]) -> Callable[[Maker], Maker]:
    """Register what makes the performing function of a kind of effect."""

    def register(maker: Maker) -> Maker:
        MAKERS[kind] = maker
        return maker

    return register


class Ops(dict[Effect[Any], Op]):
    """What performs each effect, made when it is first met."""

    def __init__(self, make: Callable[[Effect[Any]], Op]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, effect: Effect[Any]) -> Op:
        op = self[effect] = self.make(effect)
        return op
