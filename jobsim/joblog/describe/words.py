"""Numbers as a person says them."""

from __future__ import annotations

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"
NOTHING = "·"

PLAIN = str.maketrans(
    {**dict(zip(NOTHING + BARS, ".12345678", strict=True)), "±": "+-", "²": "^2", "µ": "u"}
)


def duration(seconds: float) -> str:
    """Seconds as a person says them: three digits, and the unit that fits."""
    for unit, size_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size_s:
            return f"{seconds / size_s:,.{2 if seconds < 10 * size_s else 1}f} {unit}"
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def step(seconds: float) -> str:
    """A width or step of time; whole units are said plainly, as 1 h."""
    for unit, size_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size_s and seconds % size_s == 0:
            return f"{seconds / size_s:g} {unit}"
    return duration(seconds)


def number(value: float) -> str:
    """A number with three digits, or more where it has them before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def percent(share: float) -> str:
    """A share as a person says it; what is there is never said to be nothing."""
    return "under 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"


def bars(values: Sequence[float]) -> str:
    """One bar a value, as high as its share of the greatest; a dot for nothing."""
    top = max(values, default=0)
    return "".join(
        NOTHING if value <= 0 else BARS[min(int(len(BARS) * value / top), len(BARS) - 1)]
        for value in values
    )


def printable(text: str) -> str:
    """The text without characters that would steer a terminal or break a page."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)


def plain(text: str) -> str:
    """The text in ASCII, for terminals that know no more: digits for bars."""
    return text.translate(PLAIN).encode("ascii", "replace").decode()
