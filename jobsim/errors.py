"""What can go wrong for the user, and the exit status that says so."""

from __future__ import annotations

from dataclasses import dataclass


class JobsimError(Exception):
    """A fault the user can mend; the command line prints it as one line.

    Attributes
    ----------
    exit_code
        1 it ran and what was asked does not hold, 2 usage, scenario or log,
        3 database unreachable, unfit or refused.
    """

    exit_code = 2

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: the message alone."""
        return [f"{type(self).__name__}: {self}"]


class UsageError(JobsimError):
    """An option, a scenario or a parameter that cannot be taken."""


class DatabaseError(JobsimError):
    """A database that cannot be reached, cannot do what is asked, or must not be touched."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of an input file, in the form that the user reads."""

    file: str
    line: int | None
    column: str | None
    wrong: str
    right: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        column = "" if self.column is None else f" column {self.column}:"
        return f"{place}:{column} {self.wrong}; {self.right}"


class LogError(JobsimError):
    """A job log that cannot be read; carries every fault found, up to a limit."""

    def __init__(self, faults: list[Fault], more: int = 0) -> None:
        self.faults = faults
        self.more = more
        super().__init__("\n".join(map(str, faults)) + (f"\n... and {more} more" if more else ""))
