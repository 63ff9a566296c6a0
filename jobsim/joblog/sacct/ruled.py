"""Columns of fixed width, as sacct prints them without ``-P``, as cells with separators between.

The line of dashes below the header says where each column stands. What does not fit into its
column is cut off there, with ``+`` in the last place.
"""

from __future__ import annotations

import re

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.notes import Notes
from jobsim.joblog.sacct.fields import GOOD_COMMAND, field

RULER = re.compile(rb"\s*-{3,}(?: +-{2,})+\s*")

NAMES = frozenset({"account", "group", "jobname", "partition", "qos", "user"})
"""Fields of which the beginning says enough."""

IDS = frozenset({"jobid", "jobidraw"})


def parted(data: bytes, separator: bytes, file: str, notes: Notes) -> bytes:
    """The same lines with a separator between the cells; rulers become blank lines.

    Columns are counted in bytes, as sacct does.

    Raises
    ------
    LogError
        There is no ruler, or cells do not stand below it; every such line is listed.
    """
    lines = data.splitlines()
    at = next((at for at, line in enumerate(lines) if RULER.fullmatch(line)), None)
    if at is None:
        wrong = "columns of fixed width without the line of dashes that shows where they stand"
        refuse(file, wrong, GOOD_COMMAND, 1)
    header = lines[at - 1].split()
    columns = _Columns(lines[at], [field(name.decode(errors="replace")) for name in header], file)
    faults = FaultList(file)

    def text(number: int, line: bytes) -> bytes:
        if not line.strip() or RULER.fullmatch(line):
            return b""
        again = line == lines[at - 1]
        return separator.join(header if again else columns.cells(line, number, faults))

    texts = [text(number, line) for number, line in enumerate(lines, start=1)]
    faults.raise_if_any()
    columns.note(notes)
    return b"\n".join(texts)


class _Columns:
    """Where the columns stand; `names_cut` and `others_cut` count rows with cells cut off."""

    def __init__(self, ruler: bytes, names: list[str], file: str) -> None:
        self._spans = [dashes.span() for dashes in re.finditer(rb"-+", ruler)]
        if len(names) != len(self._spans):
            wrong = f"{len(names)} names stand above {len(self._spans)} columns"
            refuse(file, wrong, GOOD_COMMAND, 1)
        starts, ends = zip(*self._spans, strict=True)
        self._gaps = list(zip((0, *ends), (*starts, None), strict=True))
        self._names = names
        self._ids = [place for place, name in enumerate(names) if name in IDS]
        self._names_cut = self._others_cut = 0

    def cells(self, line: bytes, number: int, faults: FaultList) -> list[bytes]:
        cells = [line[start:end].strip() for start, end in self._spans]
        ids = [cells[place] for place in self._ids]
        if any(b" " in cell for cell in ids) or any(line[a:b].strip() for a, b in self._gaps):
            faults.add("cells do not stand below the line of dashes", "as sacct printed it", number)
        # Of a step (12.bat+) the job's own part is whole.
        elif any(cell.endswith(b"+") and b"." not in cell for cell in ids):
            right = "a wider column (JobID%30), or sacct -P"
            faults.add(f"{shown(ids[0].decode(errors='replace'))} is cut off", right, number)
        elif b"+" in line:
            self._mend(cells)
        return cells

    def _mend(self, cells: list[bytes]) -> None:
        """Empty what is cut off and says nothing then."""
        cut = {self._names[place] for place, cell in enumerate(cells) if cell.endswith(b"+")}
        empty = cut - NAMES - IDS - {"state"}
        for name in empty:
            cells[self._names.index(name)] = b""
        self._names_cut += bool(cut & NAMES)
        self._others_cut += bool(empty)

    def note(self, notes: Notes) -> None:
        notes.add("marked: names cut off at the end of their column (+)", self._names_cut)
        what = "mended: cells cut off at the end of their column (+), left missing"
        notes.add(what, self._others_cut)
