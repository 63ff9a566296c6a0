"""What goes wrong, and when; honoured by both drivers at exactly the step that is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from jobsim.errors import UsageError
from jobsim.units import parse_duration_s, parse_rate_per_s
from jobsim.words import nearest

Kind = Literal["kill", "raise", "pause"]
When = Literal["before", "during", "after"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: at a step's label, at an instant, or at a rate.

    Attributes
    ----------
    kind
        ``kill``: the process is gone, as by SIGKILL. ``raise``: an exception that nothing was
        written for, at that step. ``pause``: the process stops for ``for_s`` and goes on, as by
        SIGSTOP and SIGCONT.
    worker
        Whom it meets; None means each worker (with ``rate``: one drawn at each fault).
    at, nth, when
        The step's label as ``explain`` prints it, the how-manieth time that this worker comes to
        it (from 1), and whether before it, in its midst or after it. Scheduled runs and statements
        are processes of their own: they are all worker 0, and are counted together.
    time_s, rate_per_s
        Instead of a step: an instant since the run began, or a mean number a second.
    for_s
        How long a pause lasts.
    """

    kind: Kind
    worker: int | None = None
    at: str | None = None
    nth: int = 1
    when: When = "during"
    time_s: float | None = None
    rate_per_s: float | None = None
    for_s: float | None = None

    def faster(self, speedup: float) -> Fault:
        """The same fault with every time divided by ``speedup``."""

        def divided(value: float | None) -> float | None:
            return None if value is None else value / speedup

        rate = None if self.rate_per_s is None else self.rate_per_s * speedup
        return replace(
            self, time_s=divided(self.time_s), for_s=divided(self.for_s), rate_per_s=rate
        )

    def to_dict(self) -> dict[str, Any]:
        """By the keys that the command line and the scenario file give."""
        key = {field: key for key, field in _FIELD.items()}
        given = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {key.get(name, name): value for name, value in given if value is not None}

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.to_dict().items())


@dataclass(frozen=True, slots=True)
class TimedFault:
    """A fault that meets one worker at an instant, whatever the worker is doing."""

    t_s: float
    worker: int
    fault: Fault


def at_instants(
    faults: Sequence[Fault], workers: int, until_s: float, seed: np.random.SeedSequence
) -> list[TimedFault]:
    """The faults given by time or by rate, drawn out into instants, in order of time.

    Raises
    ------
    UsageError
        There is no worker, or none of this number, that they could meet.
    """
    for fault in faults:
        if fault.at is None and (not workers or (fault.worker or 0) >= workers):
            whom = f"workers 0 to {workers - 1}" if workers else "no worker"
            raise UsageError(
                f"a {fault.kind} at an instant meets a worker, and this run has {whom};"
                " at=STEP,nth=N meets scheduled runs and statements"
            )
    timed = []
    for fault, stream in zip(faults, seed.spawn(len(faults)), strict=True):
        everybody = range(workers) if fault.worker is None else [fault.worker]
        if fault.time_s is not None:
            timed += [TimedFault(fault.time_s, worker, fault) for worker in everybody]
        elif fault.rate_per_s is not None:
            rng = np.random.default_rng(stream)
            count = int(rng.poisson(fault.rate_per_s * until_s))
            for t_s in np.sort(rng.uniform(0, until_s, count)).tolist():
                timed.append(TimedFault(t_s, int(rng.choice(list(everybody))), fault))
    return sorted(timed, key=lambda one: (one.t_s, one.worker))


def at_steps(faults: Sequence[Fault], worker: int) -> list[Fault]:
    """The faults that meet this worker at a step."""
    return [f for f in faults if f.at is not None and f.worker in (None, worker)]


def _whole(key: str, value: Any) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise UsageError(f"fault {key} = {value!r}: it takes a whole number") from None


_CONVERT: dict[str, Any] = {
    "worker": partial(_whole, "worker"),
    "nth": partial(_whole, "nth"),
    "time": parse_duration_s,
    "for": parse_duration_s,
    "rate": parse_rate_per_s,
}
_FIELD = {"time": "time_s", "for": "for_s", "rate": "rate_per_s"}
_KEYS = ("kind", "worker", "at", "nth", "when", "time", "rate", "for")
_WORDS: dict[str, tuple[str, ...]] = {"kind": get_args(Kind), "when": get_args(When)}


def parse_fault(text: str) -> Fault:
    """Read ``kind=kill,worker=0,at=work,nth=5,when=during``.

    Raises
    ------
    UsageError
        A key or word that is not known (with the nearest that is), or a fault that has no place.
    """
    parts = dict(part.partition("=")[::2] for part in text.split(","))
    return make_fault({key.strip(): value.strip() for key, value in parts.items()})


def make_fault(parts: dict[str, Any]) -> Fault:
    """A fault from its keys, as the command line and the scenario file give them."""
    for key, value in parts.items():
        _check_word(key, _KEYS, "fault key")
        if key in _WORDS:
            _check_word(str(value), _WORDS[key], f"fault {key}")
    if "kind" not in parts:
        raise UsageError("a fault needs kind=kill, kind=raise or kind=pause")
    return _placed(Fault(**{_FIELD.get(k, k): _CONVERT.get(k, str)(v) for k, v in parts.items()}))


def _placed(fault: Fault) -> Fault:
    places = [fault.at is not None, fault.time_s is not None, fault.rate_per_s is not None]
    if sum(places) != 1:
        raise UsageError(f"fault {fault}: say where, by one of at=STEP, time=SECONDS, rate=3/h")
    if fault.kind == "pause" and fault.for_s is None:
        raise UsageError(f"fault {fault}: a pause needs its length, as in for=30s")
    if fault.nth < 1:
        raise UsageError(f"fault {fault}: nth counts from 1")
    return fault


def _check_word(word: str, known: Sequence[str], what: str) -> None:
    if word not in known:
        raise UsageError(f"unknown {what} {word!r}; {nearest(word, known)}")
