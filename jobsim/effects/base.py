"""What an effect is, and how a script asks for one."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Generic, TypeAlias, TypeVar

Reply = TypeVar("Reply")
Result = TypeVar("Result")

Request: TypeAlias = "tuple[Effect[Any], tuple[Any, ...]]"
"""What a driver receives: the effect, and the arguments of this asking."""

Script: TypeAlias = Generator[Request, Any, Result]
"""A policy or a role at work: yields requests, is sent replies, returns a result."""


class Effect(Generic[Reply]):
    """One thing that a script may ask for; ``reply = yield from effect(arguments)``.

    Subclasses are frozen dataclasses compared by identity, with a ``label``: the name of the step,
    by which ``explain`` prints it and a fault finds it.
    """

    __slots__ = ()
    label: str

    def __call__(self, *arguments: Any) -> Generator[Request, Any, Reply]:
        reply: Reply = yield self, arguments
        return reply

    def __iter__(
        self,
    ) -> Iterator[Any]:  # pragma: no cover - forgetting the parentheses is an error
        raise TypeError(f"ask for an effect by calling it: yield from {type(self).__name__}(...)()")
