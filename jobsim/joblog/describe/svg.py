"""Small pictures as inline SVG, which need no script and take the colours of their page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from jobsim.joblog.describe.words import number

INK = "#4a90d9"
"""A blue that can be read on white and on black."""

TEXT = 'fill="currentColor" font-size="10" font-family="sans-serif"'

LEFT, RIGHT, TOP, BOTTOM = 6, 10, 18, 16

Tick = tuple[float, str]
"""Where along the axis, from 0 to 1, and what it says."""


def columns(
    title: str,
    counts: Sequence[float],
    ticks: Iterable[Tick],
    said: Sequence[str],
    width: int = 300,
) -> str:
    """Counts as columns side by side; `said` is what each tells when pointed at."""
    height, top = 96, max(counts, default=0) or 1
    step = (width - LEFT - RIGHT) / max(len(counts), 1)
    drawn = "".join(
        _rect(LEFT + k * step, TOP + (1 - count / top) * _room(height), max(step - 1, 0.5),
              count / top * _room(height), words)
        for k, (count, words) in enumerate(zip(counts, said, strict=True))
        if count > 0
    )  # fmt: skip
    return _picture(title, width, height, drawn + _axis(width, height, ticks))


def cells(
    title: str, values: Sequence[Sequence[float]], rows: Sequence[str], ticks: Iterable[Tick],
    width: int = 300,
) -> str:  # fmt: skip
    """Values as a field of cells, the fuller the darker; one row of cells a row."""
    height, left = 96 + LEFT, 44
    top = max(map(max, values)) or 1
    high = (height - TOP - BOTTOM) / len(values)
    wide = (width - left - RIGHT) / len(values[0])
    drawn = "".join(
        _rect(left + x * wide, TOP + y * high, wide - 0.5, high - 0.5,
              f"{rows[y]} {x} h: {number(value)} jobs an hour", value / top)
        for y, row in enumerate(values)
        for x, value in enumerate(row)
        if value > 0
    )  # fmt: skip
    names = "".join(
        f'<text x="{left - 4}" y="{TOP + (y + 0.8) * high:.1f}" text-anchor="end" {TEXT}>'
        f"{escape(name)}</text>"
        for y, name in enumerate(rows)
    )
    return _picture(title, width, height, names + drawn + _axis(width, height, ticks, left))


def _room(height: int) -> int:
    return height - TOP - BOTTOM


def _rect(x: float, y: float, width: float, height: float, said: str, opacity: float = 1) -> str:
    pale = "" if opacity == 1 else f' fill-opacity="{opacity:.2f}"'
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{INK}"'
        f"{pale}><title>{escape(said)}</title></rect>"
    )


def _axis(width: int, height: int, ticks: Iterable[Tick], left: int = LEFT) -> str:
    base, right = height - BOTTOM, width - RIGHT
    line = (
        f'<line x1="{left}" x2="{right}" y1="{base}" y2="{base}" stroke="currentColor"'
        ' stroke-opacity="0.4"/>'
    )
    return line + "".join(_tick(left + at * (right - left), base, text, at) for at, text in ticks)


def _tick(x: float, base: int, text: str, at: float) -> str:
    anchor = "start" if at == 0 else "end" if at == 1 else "middle"
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{base}" y2="{base + 3}" stroke="currentColor"'
        f' stroke-opacity="0.4"/>'
        f'<text x="{x:.1f}" y="{base + 13}" text-anchor="{anchor}" {TEXT}>{escape(text)}</text>'
    )


def _picture(title: str, width: int, height: int, drawn: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" style="margin:0 12px 8px 0">'
        f'<text x="{LEFT}" y="11" {TEXT} font-weight="bold">{escape(title)}</text>{drawn}</svg>'
    )
