"""Reading the parameters of a policy from words and numbers, and refusing what is not known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from jobsim.errors import UsageError
from jobsim.units import parse_duration_s
from jobsim.words import nearest

Settings = TypeVar("Settings")

OUR_WORD = {
    "visibility_timeout": "queue.reclaim_s",
    "retry_after": "queue.reclaim_s",
    "rescue_after": "queue.reclaim_s",
    "stalled_after": "queue.reclaim_s",
    "timeout": "lease.timeout_s",
    "ttl": "lease.timeout_s",
    "heartbeat": "lease.renew_s",
    "busy_time": "killer.busy_s",
    "interval": "killer.interval_s",
    "poll_interval": "trigger.poll_s",
    "prefetch": "queue.batch",
    "batch_size": "queue.batch",
    "concurrency": "workers",
}
"""What other systems call it, and what we do."""


def read_settings(family: str, cls: type[Settings], given: dict[str, Any]) -> Settings:
    """An instance of a settings dataclass from text or TOML values.

    Raises
    ------
    UsageError
        A parameter that the family does not have, or a value that does not fit.
    """
    known = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    hints = get_type_hints(cls)
    values = {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(
                f"unknown parameter {family}.{name}; {our_word(name, known, f'{family}.')}"
            )
        values[name] = _convert(f"{family}.{name}", hints[name], value)
    return cls(**values)


def our_word(name: str, known: Iterable[str], prefix: str = "") -> str:
    """What a name of other systems is called here, or else the names nearest to it."""
    if name in OUR_WORD:
        return f"here it is called {OUR_WORD[name]}"
    return nearest(name, known, prefix)


def _convert(name: str, hint: Any, value: Any) -> Any:
    if get_origin(hint) is Literal:
        return _word(name, get_args(hint), value)
    if type(None) in get_args(hint):
        if value is None or value == "none":
            return None
        hint = next(part for part in get_args(hint) if part is not type(None))
    try:
        return _CONVERTERS[hint](value)
    except (ValueError, TypeError, KeyError, OverflowError, UsageError) as error:
        raise UsageError(f"{name} = {value!r}: {_expected(hint, error)}") from None


def _word(name: str, words: tuple[Any, ...], value: Any) -> Any:
    if str(value) in words:
        return str(value)
    raise UsageError(f"{name} = {value!r}: {nearest(str(value), words)}")


def _truth(value: Any) -> bool:
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[
        str(value).lower()
    ]


def _whole(value: Any) -> int:
    number = float(value)
    if number != int(number) or number < 0:
        raise ValueError
    return int(number)


def _words(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return tuple(str(part) for part in value)


_CONVERTERS: dict[Any, Any] = {
    bool: _truth,
    int: _whole,
    float: parse_duration_s,
    str: str,
    tuple[str, ...]: _words,
}
_WANTED = {
    bool: "true or false",
    int: "a whole number from 0",
    float: "a duration",
    str: "a text",
    tuple[str, ...]: "words, separated by commas",
}


def _expected(hint: Any, error: Exception) -> str:
    if isinstance(error, UsageError):
        return str(error)
    return f"it takes {_WANTED[hint]}"
