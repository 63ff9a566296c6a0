"""A log as it is asked for: its name, how it is to be read, and which part of it is wanted."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from jobsim.errors import UsageError
from jobsim.joblog.read import read_log
from jobsim.joblog.reading import OPTION_OF, PLAIN, Reading, instant, load, pairs, table_of_texts
from jobsim.joblog.table import JobLog
from jobsim.units import parse_duration_s
from jobsim.words import nearest


def _word(option: str) -> str:
    """What an option of the command line is called where no dashes can be."""
    return option.removeprefix("--").replace("-", "_")


WORDS = ("format", "mapping", *map(_word, OPTION_OF.values()), "window", "jobs")
"""What can be said of a log: the names of the options, ``assume_run`` for ``--assume-run``."""


@dataclass(frozen=True)
class LogSpec:
    """A log that is still to be read.

    Attributes
    ----------
    log, format, reading
        As `read_log` takes them.
    window
        Only the jobs submitted in this part of it, ``2h..5h``; either end may be left out.
    jobs
        Of those only the first so many.
    """

    log: str
    format: str | None = None
    reading: Reading = PLAIN
    window: str | None = None
    jobs: int | None = None

    @classmethod
    def of(cls, log: str, said: Mapping[str, Any]) -> LogSpec:
        """A log, and what is said of it by the options' names (`WORDS`), as texts or TOML values.

        Raises
        ------
        UsageError
            A name that no option has, or a value that it cannot take.
        """
        for name in said:
            if name not in WORDS:
                raise UsageError(f"unknown key {name!r}; {nearest(name, WORDS)}")
        given = {name: value for name, value in said.items() if value not in (None, [], {})}
        reading = Reading(
            **{
                attribute: _value(attribute, option, given[_word(option)])
                for attribute, option in OPTION_OF.items()
                if _word(option) in given
            }
        )
        kept = load(Path(_text("--mapping", given["mapping"]))) if "mapping" in given else PLAIN
        return cls(
            log,
            None if "format" not in given else _text("--format", given["format"]),
            reading.over(kept),
            None if "window" not in given else _text("--window", given["window"]),
            None if "jobs" not in given else _whole("--jobs", given["jobs"]),
        )

    def said(self) -> dict[str, Any]:
        """What `of` takes to make this again: TOML values by the options' names."""
        reading = {
            _word(OPTION_OF[attribute]): getattr(self.reading, attribute)
            for attribute in OPTION_OF
            if attribute in self.reading.said()
        }
        part = {"format": self.format, "window": self.window, "jobs": self.jobs}
        return reading | {name: value for name, value in part.items() if value is not None}

    def read(self, seed: int | None = None) -> JobLog:
        """Read the log and take the part; see `read_log`."""
        return part(read_log(self.log, self.format, seed, self.reading), self.window, self.jobs)

    def in_full(self) -> LogSpec:
        """The same log, named so that it is found from any folder."""
        return replace(self, log=beside(Path(), self.log))


def beside(folder: Path, name: str) -> str:
    """The path in full of the file of this name in a folder; without one, the name as it is."""
    path = folder / name
    there = os.path.isfile(path)  # noqa: PTH113  # Path.is_file minds names that are too long
    return str(path.resolve()) if there else name


def part(log: JobLog, window: str | None = None, jobs: int | None = None) -> JobLog:
    """The jobs of a log that were submitted in a window, ``2h..5h``, and the first of them."""
    if window is not None:
        log = log.window(*_span_s(window, log))
    return log if jobs is None else log.first(jobs)


def _span_s(window: str, log: JobLog) -> tuple[float, float]:
    start, dots, end = window.partition("..")
    if not dots:
        raise UsageError(f"--window {window}: write FROM..TO, as 2h..5h")
    after_all_s = float(log.jobs["submit_s"].max()) + 1
    return (
        parse_duration_s(start) if start else 0.0,
        parse_duration_s(end) if end else after_all_s,
    )


def _value(attribute: str, option: str, value: Any) -> Any:
    if attribute in ("columns", "units", "outcomes"):
        return table_of_texts(option, value) if isinstance(value, dict) else _pairs(option, value)
    if attribute in ("assume_run_s", "span_s"):
        return parse_duration_s(value)
    if attribute == "begin":
        return instant(option, str(value) if isinstance(value, date) else _text(option, value))
    return _text(option, value)


def _pairs(option: str, value: Any) -> dict[str, str]:
    texts = value if isinstance(value, (list, tuple)) else [value]
    return pairs(option, [_text(option, each) for each in texts])


def _text(option: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise UsageError(f"{option} {value!r}: a text in quotes is right")


def _whole(option: str, value: Any) -> int:
    if type(value) is int:
        return value
    raise UsageError(f"{option} {value!r}: a whole number is right")
