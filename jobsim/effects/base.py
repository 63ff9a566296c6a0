"""What an effect is, and how a script asks for one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

Reply = TypeVar("Reply")
Result = TypeVar("Result")

Request: TypeAlias = "tuple[Effect[Any], tuple[Any, ...]]"
"""What a driver receives: the effect, and the arguments of this asking."""

Script: TypeAlias = Generator[Request, Any, Result]
"""A policy or a role at work: yields requests, is sent replies, returns a result."""

Answers: TypeAlias = "Mapping[Effect[Any], Callable[[tuple[Any, ...]], Any]]"
"""Who answers each effect at once: a function of the arguments of this asking."""

PENDING: Any = object()
"""What such a function returns when there is no reply yet; it comes by ``send``, as ever."""

_answers: Answers | None = None


def answer_at_once(answers: Answers | None) -> Answers | None:
    """From now on answer effects where they are asked for; returns who answered before.

    For drivers. A request that travels up through a script's nested generators, and its reply down
    again, costs as much as performing it; the simulation, which knows most replies at once, binds
    this while a script plays and puts back afterwards what was there. Without it every request
    reaches the driver, as the live one and ``explain`` need it. Scripts see no difference.
    """
    global _answers
    before, _answers = _answers, answers
    return before


class Effect(Generic[Reply]):
    """One thing that a script may ask for; ``reply = yield from effect(arguments)``.

    Subclasses are frozen dataclasses compared by identity, with a ``label``: the name of the step,
    by which ``explain`` prints it and a fault finds it.
    """

    __slots__ = ()
    label: str

    def __call__(self, *arguments: Any) -> Generator[Request, Any, Reply]:
        reply: Reply = PENDING if _answers is None else _answers[self](arguments)
        if reply is PENDING:
            reply = yield self, arguments
        return reply

    def __iter__(
        self,
    ) -> Iterator[Any]:  # pragma: no cover - forgetting the parentheses is an error
        raise TypeError(f"ask for an effect by calling it: yield from {type(self).__name__}(...)()")
