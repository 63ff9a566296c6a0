"""The lines of a sacct file as a frame of texts, with the fields that jobs are made of."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

from jobsim.joblog.faultlist import FaultList, refuse
from jobsim.joblog.notes import Notes
from jobsim.joblog.sacct.fields import FREE_TEXT, GOOD_COMMAND, field
from jobsim.joblog.sacct.ruled import parted
from jobsim.joblog.sacct.sign import first_lines, header_delimiter, is_fixed, row_delimiter

SEPARATOR = b"\x1f"
"""Parts the cells while they are parsed: a sign that no cell has."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a file.

    Attributes
    ----------
    cells
        Text; columns have names of `FIELDS`, or numbers from 0 where the file has no header.
    line
        The line of each row, from 1; 0 where rows have none.
    """

    cells: pd.DataFrame
    line: np.ndarray[Any, np.dtype[np.int64]]

    @property
    def named(self) -> bool:
        """Whether the file has a header."""
        return "0" not in self.cells.columns


def rows_of(data: bytes, file: str, notes: Notes) -> Rows:
    """Read the rows of a file's text.

    Raises
    ------
    LogError
        Lines have another number of cells than others, or cells do not stand in their columns of
        fixed width; every line is listed, up to a limit.
    """
    some, data = first_lines(data), data.replace(SEPARATOR, b" ")
    if is_fixed(some):
        data, delimiter = parted(data, SEPARATOR, file, notes), SEPARATOR
    else:
        delimiter = (header_delimiter(some[0]) or row_delimiter(some) or "|").encode()
    lines = _utf8(data, notes).splitlines()
    named = is_fixed(some) or header_delimiter(some[0]) is not None
    header = lines[_first(lines)] if named else None
    if header is not None:
        lines = _unbroken(lines, header, delimiter, notes)
    kept = [at for at, line in enumerate(lines) if line.strip() and line != header]
    if not kept:
        refuse(file, "there is no job in it, only a header", "one line a job")
    if header is not None:
        again = lines.count(header) - 1
        notes.add("dropped: the header again, of files that were put together", again)
    names = _names(header, delimiter, [lines[at] for at in kept])
    texts = _even(lines, kept, delimiter, names, file, notes)
    return Rows(_parsed(texts, names, file), np.array(kept) + 1)


def _utf8(data: bytes, notes: Notes) -> bytes:
    try:
        data.decode()
    except UnicodeDecodeError:
        mended = data.decode(errors="replace").encode()
        count = sum("\ufffd".encode() in line for line in mended.splitlines())
        notes.add("mended: signs that are no UTF-8 shown as question marks", count)
        return mended
    return data


def _unbroken(lines: list[bytes], header: bytes, delimiter: bytes, notes: Notes) -> list[bytes]:
    """The lines with those joined that a line break in a cell parted, blank lines in their place.

    Only what people fill has breaks in it. What does not add up to a line stays as it is.
    """
    free = [field(name.decode()) in FREE_TEXT for name in header.split(delimiter)]
    if not any(free):
        return lines
    whole, wide = lines.copy(), len(free) - 1
    for begun, end, count in _groups(lines, delimiter, wide, last_is_free=free[-1]):
        if count == wide and end - begun > 1:
            whole[begun:end] = [b" ".join(lines[begun:end]), *[b""] * (end - begun - 1)]
            what = "mended: lines that a line break in a name parted, joined"
            notes.add(what, end - begun)
    return whole


def _groups(
    lines: list[bytes], delimiter: bytes, wide: int, *, last_is_free: bool
) -> Iterator[tuple[int, int, int]]:
    """From where to where lines may be parts of one, and how many delimiters they have."""
    begun, count = 0, 0
    for at, line in enumerate(lines):
        more = line.count(delimiter)
        is_end = count == wide and last_is_free and not more and line.strip()
        if not (is_end or (0 < count < wide and count + more <= wide)):
            yield begun, at, count
            begun, count = at, 0
        count += more
    yield begun, len(lines), count


def _first(lines: list[bytes]) -> int:
    return next(at for at, line in enumerate(lines) if line.strip())


def _names(header: bytes | None, delimiter: bytes, lines: list[bytes]) -> list[str]:
    """A name for each cell of a line; -p puts a delimiter behind the last, too."""
    if header is None:
        width = Counter(line.count(delimiter) for line in lines).most_common(1)[0][0]
        return [str(place) for place in range(width + 1)]
    names = [field(name.decode()) for name in header.strip(b"\r\n").split(delimiter)]
    # Of a field that was asked for twice the first is taken.
    return [
        name if name and name not in names[:place] else f"({place + 1})"
        for place, name in enumerate(names)
    ]


def _even(
    lines: list[bytes], kept: list[int], delimiter: bytes, names: list[str], file: str, notes: Notes
) -> bytes:
    """The lines to parse, each with as many cells as there are names."""
    faults, wide = FaultList(file), len(names) - 1
    counts = np.fromiter((lines[at].count(delimiter) for at in kept), dtype="int64")
    mended: dict[int, bytes] = {}
    for place in np.flatnonzero(counts != wide).tolist():
        line = _rejoined(lines[kept[place]], delimiter, names)
        if line is None:
            right = f"{wide + 1} cells, as in {'the other lines' if '0' in names else 'the header'}"
            faults.add(f"{counts[place] + 1} cells", right, kept[place] + 1)
        else:
            mended[place] = line
    faults.raise_if_any()
    notes.add("mended: separators within a name, taken as part of it", len(mended))
    texts = [
        mended[place] if place in mended else lines[at].replace(delimiter, SEPARATOR)
        for place, at in enumerate(kept)
    ]
    return b"\n".join(texts) + b"\n"


def _rejoined(line: bytes, delimiter: bytes, names: list[str]) -> bytes | None:
    """A line with too many cells, where only one field can be what has a separator in it."""
    cells = line.split(delimiter)
    free = [place for place, name in enumerate(names) if name in FREE_TEXT]
    extra = len(cells) - len(names)
    if extra < 0 or len(free) != 1:
        return None
    until = free[0] + extra + 1
    return SEPARATOR.join(
        [*cells[: free[0]], delimiter.join(cells[free[0] : until]), *cells[until:]]
    )


def _parsed(texts: bytes, names: list[str], file: str) -> pd.DataFrame:
    try:
        table = csv.read_csv(
            io.BytesIO(texts),
            csv.ReadOptions(column_names=names, block_size=1 << 24),
            csv.ParseOptions(delimiter=SEPARATOR.decode(), quote_char=False),
            csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        refuse(file, f"this cannot be read: {error}", GOOD_COMMAND)
    cells: pd.DataFrame = table.to_pandas()
    return cells
