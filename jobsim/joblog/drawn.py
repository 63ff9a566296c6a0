"""Drawn loads: jobs that arrive at random and need random times, as queueing theory has them.

``mmc:arrival=3.6,service=1,servers=4,jobs=200000`` is Kendall's M/M/c: the time between arrivals
is exponential with `arrival` a second on average, the run time exponential with `service` a second
for each server. ``mdc:`` has run times that are all the same, ``mgc:`` lognormal ones with a
squared coefficient of variation `cv2`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import shown
from jobsim.joblog.schema import tidy
from jobsim.joblog.table import JobLog
from jobsim.words import nearest

EXAMPLE = "mmc:arrival=3.6,service=1,servers=4,jobs=200000"

Times = np.ndarray[tuple[int], np.dtype[np.float64]]

LIMITS = {"servers": (1, 1e6), "jobs": (1, 1e8), "seed": (0, 2**63)}

STREAMS = ("arrivals", "services")
"""Each has random numbers of its own: other run times leave the arrivals as they are."""


@dataclass(frozen=True, slots=True)
class Load:
    """A drawn load as it is asked for.

    Attributes
    ----------
    arrival, service
        Rates a second; `service` is that of one server.
    servers
        The default of ``--workers``; changes no job.
    cv2
        Squared coefficient of variation of the run time (``mgc`` only).
    """

    arrival: float
    service: float
    servers: int | None = None
    jobs: int = 10_000
    cv2: float = 1.0
    seed: int | None = None


def _exponential(load: Load, random: np.random.Generator) -> Times:
    return random.standard_exponential(load.jobs) / load.service


def _constant(load: Load, random: np.random.Generator) -> Times:
    return np.full(load.jobs, 1 / load.service)


def _lognormal(load: Load, random: np.random.Generator) -> Times:
    """Mean exp(mu + sigma^2 / 2) = 1 / service; variance / mean^2 = exp(sigma^2) - 1 = cv2."""
    sigma2 = math.log1p(load.cv2)
    mu = -math.log(load.service) - sigma2 / 2
    return random.lognormal(mu, math.sqrt(sigma2), load.jobs)


FAMILIES: dict[str, Callable[[Load, np.random.Generator], Times]] = {
    "mmc": _exponential,
    "mdc": _constant,
    "mgc": _lognormal,
}


def is_drawn(spec: str) -> bool:
    """Whether this asks for a drawn load, rightly or not, rather than for a file."""
    return re.match(r"[A-Za-z][A-Za-z0-9]*:(?![/\\])", spec) is not None and (
        "=" in spec or spec.partition(":")[0] in FAMILIES
    )


def draw(spec: str, seed: int | None = None) -> JobLog:
    """Draw the jobs of a load.

    Parameters
    ----------
    seed
        Of the random numbers, where the specification has no ``seed=`` of its own; 1 if both
        have none.

    Raises
    ------
    UsageError
        The specification cannot be read, or has numbers that no load can have.
    """
    family, load = parse(spec)
    chosen = next(number for number in (load.seed, seed, 1) if number is not None)
    if chosen < 0:
        raise UsageError(f"--seed {chosen}; a seed is a whole number, 0 or more")
    random = _streams(chosen)
    gaps_s = random["arrivals"].standard_exponential(load.jobs) / load.arrival
    jobs = tidy(
        {"submit_s": np.cumsum(gaps_s), "run_s": FAMILIES[family](load, random["services"])},
        load.jobs,
    )
    name = spec if load.seed is not None else f"{spec},seed={chosen}"
    return JobLog(jobs=jobs, name=family, source=name, workers=load.servers)


def parse(spec: str) -> tuple[str, Load]:
    """The family and the load that a specification such as ``mmc:arrival=3.6,...`` names."""
    family, _, rest = spec.partition(":")
    if family not in FAMILIES:
        raise UsageError(f"{spec}: no drawn load {shown(family)}; {nearest(family, [*FAMILIES])}")
    given: dict[str, float | int] = {}
    for part in rest.split(","):
        name, _, text = (piece.strip() for piece in part.partition("="))
        if name in given:
            raise UsageError(f"{spec}: {name} is given twice; once is right")
        given[name] = _value(spec, family, name, text)
    for name in ("arrival", "service"):
        if name not in given:
            raise UsageError(f"{spec}: {name} is missing; {name}= a rate a second")
    return family, Load(**given)  # type: ignore[arg-type]  # _value has made each its type


def _value(spec: str, family: str, name: str, text: str) -> float | int:
    names = [field.name for field in fields(Load) if field.name != "cv2" or family == "mgc"]
    if name not in names:
        raise UsageError(f"{spec}: {family} has no {shown(name)}; {nearest(name, names)}")
    whole = name in ("servers", "jobs", "seed")
    low, high = LIMITS.get(name, (1e-9, 1e9))
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        right = f"a {'whole ' if whole else ''}number from {low:g} to {high:g}"
        raise UsageError(f"{spec}: {name}={text}; {name} is {right}")
    return value


def _streams(seed: int) -> dict[str, np.random.Generator]:
    seeds = np.random.SeedSequence(seed).spawn(len(STREAMS))
    return {
        name: np.random.Generator(np.random.PCG64(own))
        for name, own in zip(STREAMS, seeds, strict=True)
    }
