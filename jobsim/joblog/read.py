"""The way in: one name of a drawn load, a database, a sample or a file, and a log comes out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jobsim.errors import UsageError
from jobsim.joblog import drawn, samples
from jobsim.joblog.archive import LOGS
from jobsim.joblog.faultlist import shown
from jobsim.joblog.reading import OPTION_OF, PLAIN, Reading
from jobsim.joblog.table import JobLog
from jobsim.words import closest

FETCHABLE = [log.name for log in LOGS]

OF_DATABASES = frozenset({"columns", "units", "outcomes", "zone", "table", "query"})
"""The attributes of a `Reading` that mean something for a database."""


def read_log(
    spec: str | Path,
    format: str | None = None,  # noqa: A002  # the option is called --format
    seed: int | None = None,
    reading: Reading = PLAIN,
) -> JobLog:
    """The log that `spec` names.

    Parameters
    ----------
    spec
        A drawn load (``mmc:arrival=3.6,service=1,servers=4,jobs=200000``), a database
        (``mysql+pymysql://reader@host/shop``), a recorded sample or a fetched log by name
        (``media-batch``, ``kth-sp2``), or a file, in that order.
    format
        The file's format, where it should not be recognised; then `spec` is a file.
    seed
        Of a drawn load.
    reading
        What else the user says of it: which column holds what, units, time zone.

    Raises
    ------
    UsageError
        Nothing has this name; the message has the nearest right ones.
    LogError
        A file that cannot be read; lists every fault, up to a limit.
    """
    text = str(spec)
    if format is None and drawn.is_drawn(text):
        check_taken("a drawn load", frozenset(), reading)
        return drawn.draw(text, seed)
    # The readers bring libraries with them that a drawn load has no use for.
    from jobsim.joblog import queues, readers
    from jobsim.joblog.sqltables import is_url

    if is_url(text):
        if format is not None:
            raise UsageError(f"--format {format} is of files; a database needs --table or --query")
        check_taken("a database", OF_DATABASES, reading)
        return _as_said(queues.read_url(text, reading), reading)
    path = _file(text) if format else _named(text) or _file(text)
    reader = readers.by_name(format) if format else readers.recognise(path)
    check_taken(f"a log in the format {reader.name}", reader.takes, reading)
    return _as_said(reader.read(path, reading), reading)


def check_taken(what: str, taken: frozenset[str], reading: Reading) -> None:
    """Raise a UsageError where the user says of a log what one of its sort cannot need."""
    for name in sorted(reading.said() - taken - {"assume_run_s"}):
        options = ", ".join(sorted(OPTION_OF[each] for each in taken)) or "none of these"
        raise UsageError(f"{OPTION_OF[name]} says nothing of {what}; what that takes: {options}")


def write(log: JobLog, path: str | Path) -> None:
    """Write the log in the format that the name's ending says; see `jobsim.joblog.own.write`."""
    from jobsim.joblog import own

    own.write(log, path)


def _as_said(log: JobLog, reading: Reading) -> JobLog:
    """The log with what the user says of any."""
    in_zone = log if reading.zone is None else replace(log, zone=reading.zone)
    return in_zone if reading.assume_run_s is None else in_zone.assuming(reading.assume_run_s)


def _named(text: str) -> Path | None:
    """The file of a recorded sample, or of a log of the archive that was fetched before."""
    from jobsim.joblog.fetch import cached

    fetched = text in FETCHABLE and not Path(text).exists()
    return samples.paths().get(text) or (cached(text) if fetched else None)


def _file(text: str) -> Path:
    path = Path(text)
    try:
        if path.is_file():
            return path
        if path.is_dir():
            raise UsageError(f"{text} is a folder; name a file in it")
    except OSError:
        # No file can have this name: too long, mostly.
        pass
    raise UsageError(f"no file, sample or drawn load {shown(text)}; {_right_names(text)}")


def _right_names(text: str) -> str:
    if text in FETCHABLE:
        return f"fetch it from the archive: jobsim log fetch {text}"
    there = [path.name for path in Path().iterdir() if path.is_file()]
    close = closest(text, [*samples.paths(), *FETCHABLE, *there])
    if close:
        return f"did you mean {' or '.join(close)}?"
    named = ", ".join(samples.paths()) or f"none in {samples.folder()}"
    families = ", ".join(drawn.FAMILIES)
    return (
        f"samples: {named}; drawn loads: {families}, as in {drawn.EXAMPLE}; databases, as in"
        " sqlite:///file.db; logs to fetch: jobsim log fetch --list"
    )
