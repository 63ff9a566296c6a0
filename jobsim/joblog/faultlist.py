"""Gathering every fault of a log before it is refused."""

from __future__ import annotations

from typing import NoReturn

from jobsim.errors import Fault, LogError

LIMIT = 20


class FaultList:
    """The faults of one file: the first `LIMIT` are kept, the others counted.

    Of one cell only the first fault counts: what is no number is not a missing number too.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._faults: list[Fault] = []
        self._more = 0
        self._cells: set[tuple[int, str]] = set()

    def add(
        self, wrong: str, right: str, line: int | None = None, column: str | None = None
    ) -> None:
        if line is not None and column is not None:
            if (line, column) in self._cells:
                return
            self._cells.add((line, column))
        if len(self._faults) < LIMIT:
            self._faults.append(Fault(self.file, line, column, wrong, right))
        else:
            self._more += 1

    def raise_if_any(self) -> None:
        """Raise the LogError that lists them in the order of the lines, if there are any."""
        if self._faults:
            raise LogError(sorted(self._faults, key=lambda fault: fault.line or 0), self._more)


def refuse(file: str, wrong: str, right: str, line: int | None = None) -> NoReturn:
    """Raise the LogError of a file that has this one fault."""
    raise LogError([Fault(file, line, None, wrong, right)])


def shown(text: str, length: int = 40) -> str:
    """Text of a file as a message may show it: quoted, printable and short."""
    quoted = repr(text)
    return quoted if len(quoted) <= length else f"{quoted[: length - 4]}...'"
