"""Words of messages: those that were probably meant, and numbers of things."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, words: Iterable[str], prefix: str = "") -> str:
    """The words most like `word`, or all if none is, as the end of a message.

    `prefix` is put before each word that is shown.
    """
    close = closest(word, words)
    if close:
        return f"did you mean {' or '.join(prefix + each for each in close)}?"
    return f"one of {', '.join(prefix + each for each in words)}"


def closest(word: str, words: Iterable[str]) -> list[str]:
    """The words, three at most, that `word` may be a slip of."""
    as_written = {known.lower(): known for known in words}
    return [as_written[known] for known in get_close_matches(word.lower(), as_written)]


def counted(count: float, thing: str) -> str:
    """So many of a thing, as ``1 job`` or ``2,331 jobs``."""
    return f"{count:,.0f} {thing}{'' if count == 1 else 's'}"
