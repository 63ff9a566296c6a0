"""The log and the scenario that a person's options make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from jobsim.errors import UsageError
from jobsim.faults import Fault, parse_fault
from jobsim.joblog import JobLog, LogSpec, Reading
from jobsim.joblog.reading import PLAIN
from jobsim.joblog.spec import part
from jobsim.run import Run
from jobsim.scenario import As, Scenario, parse_assignments

On = Literal["sim", "live", "both"]
Progress = Callable[[str, float], None]
"""Told what is being done, and which share of it is done."""


def make_scenario(
    queue: str | None = None,
    *,
    lease: str | None = None,
    killer: str | None = None,
    rows: As | None = None,
    workers: int | None = None,
    seed: int = 1,
    set: Mapping[str, Any] | Sequence[str] = (),  # noqa: A002 - the option is called --set
    faults: Iterable[Fault | str] = (),
    speedup: float = 1.0,
    load: float = 1.0,
    until_s: float | None = None,
) -> Scenario:
    """A scenario from the options that every command shares.

    Parameters
    ----------
    queue, lease, killer
        A policy of each family; the first that is given says what a row of the log is.
    rows
        What a row of the log is, where it should be something else.
    set
        ``{"queue.batch": 10}`` or ``["queue.batch=10"]``.
    faults
        :class:`~jobsim.faults.Fault` or texts such as ``kind=kill,worker=0,at=work,nth=5``.

    Raises
    ------
    UsageError
        A name or a value that is not known, with the nearest that is.
    """
    if speedup <= 0 or load <= 0:
        raise UsageError("speedup and load are factors above 0")
    if seed < 0:
        raise UsageError(f"seed = {seed}: it takes a whole number from 0")
    if workers is not None and workers < 1:
        raise UsageError(f"workers = {workers}: a run needs at least one worker")
    texts = set if not isinstance(set, Mapping) else [f"{k}={_text(v)}" for k, v in set.items()]
    return Scenario(
        queue=queue,
        lease=lease,
        killer=killer,
        rows=rows,
        workers=workers,
        seed=seed,
        settings=parse_assignments(list(texts)),
        faults=tuple(f if isinstance(f, Fault) else parse_fault(f) for f in faults),
        speedup=speedup,
        load=load,
        until_s=until_s,
    )


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


Asked: TypeAlias = "JobLog | LogSpec"
"""A log, or what is to be read."""

Log: TypeAlias = "Asked | str | Path | Mapping[As, Asked]"
"""A log, its name, or one log for each sort of row."""


def asked(
    log: Log,
    *,
    format: str | None = None,  # noqa: A002 - the option is called --format
    reading: Reading = PLAIN,
    window: str | None = None,
    jobs: int | None = None,
) -> Asked | Mapping[As, Asked]:
    """A log, and what is said of it beside its name.

    Parameters
    ----------
    format, reading
        How the log of this name is read, see :func:`jobsim.read_log`.
    window, jobs
        Only the jobs submitted in this part of it (``2h..5h``), and of those the first so many.

    Raises
    ------
    UsageError
        It is said of what has been read already, or of several logs at once.
    """
    if isinstance(log, str | Path):
        return LogSpec(str(log), format, reading, window, jobs)
    if format is not None or reading != PLAIN:
        raise UsageError("format and reading are of a log's name; this log is not to be read anew")
    if isinstance(log, JobLog):
        return part(log, window, jobs)
    if window is not None or jobs is not None:
        raise UsageError("window and jobs are of one log by its name; here its LogSpec says them")
    return log


def as_read(log: Asked | Mapping[As, Asked], seed: int) -> JobLog | Mapping[As, JobLog]:
    """The log itself, or the logs; ``seed`` is of drawn loads."""
    if isinstance(log, Mapping):
        return {what: _read(one, seed) for what, one in log.items()}
    return _read(log, seed)


def _read(log: Asked, seed: int) -> JobLog:
    return log.read(seed) if isinstance(log, LogSpec) else log


def resolved(scenario: Scenario, read: JobLog | Mapping[As, JobLog]) -> Run:
    from jobsim.explain import check_steps

    run = scenario.resolve(read)
    check_steps(run)
    return run
