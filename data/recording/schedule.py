"""When which job is submitted: a steady flow, bursts on top of it, and lulls.

- single jobs at random instants, more or fewer of them by the phase of the day;
- tours uploaded: one archive and the renditions of every photo, all at one instant;
- a cron job each minute, which drops a handful of jobs;
- the reports of all shops, several at once every few minutes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from inputs import FILES, ORDERS, TOURS, Inputs

PHASES = ((170, 1.0), (90, 0.1), (190, 1.0), (80, 2.0), (130, 1.0), (90, 0.0), (210, 1.1))
"""The day, which takes 16 minutes: seconds, and how busy they are."""

SINGLES_PER_S = 2.0
UPLOADS_PER_S = 1 / 20
SINGLES = {"resize": 0.70, "checksum": 0.18, "report": 0.09, "zip": 0.03}

CRON_EVERY_S, CRON_DROPS = 60, ("checksum",) * 4 + ("report",) * 2 + ("zip",)
REPORTS_EVERY_S, REPORTS = 240, 14

SITES = 12


@dataclass(frozen=True, order=True)
class Planned:
    """A job that will be submitted at ``submit_s`` after the start."""

    submit_s: float
    kind: str
    item: int
    owner: str


def draw_schedule(inputs: Inputs, seed: int) -> list[Planned]:
    """The jobs of one day, in order of their submission; one seed gives the same day."""
    draw = np.random.default_rng(seed)
    counts = {"resize": inputs.photos, "zip": TOURS, "checksum": FILES, "report": ORDERS}

    def job(t_s: float, kind: str, owner: str) -> Planned:
        return Planned(t_s, kind, int(draw.integers(counts[kind])), owner)

    jobs = []
    for t_s in _instants(draw, SINGLES_PER_S):
        kind = str(draw.choice(list(SINGLES), p=list(SINGLES.values())))
        jobs.append(job(t_s, kind, _site(draw)))
    for t_s in _instants(draw, UPLOADS_PER_S):
        tour, owner = int(draw.integers(TOURS)), _site(draw)
        jobs.append(Planned(t_s, "zip", tour, owner))
        jobs += [Planned(t_s, "resize", photo, owner) for photo in inputs.tours[tour]]
    for t_s in range(0, day_s(), CRON_EVERY_S):
        jobs += [job(float(t_s), kind, "cron") for kind in CRON_DROPS]
    for t_s in range(REPORTS_EVERY_S // 2, day_s(), REPORTS_EVERY_S):
        jobs += [job(float(t_s), "report", "accounts") for _ in range(REPORTS)]
    return sorted(jobs)


def day_s() -> int:
    """How long the schedule is, in seconds."""
    return sum(seconds for seconds, _ in PHASES)


def _instants(draw: np.random.Generator, per_s: float) -> list[float]:
    """Poisson arrivals, to the millisecond, denser where the day is busier."""
    instants: list[float] = []
    begin_s = 0
    for seconds, busy in PHASES:
        count = draw.poisson(per_s * busy * seconds)
        instants += np.round(draw.uniform(begin_s, begin_s + seconds, count), 3).tolist()
        begin_s += seconds
    return instants


def _site(draw: np.random.Generator) -> str:
    """A few sites ask for most."""
    return f"site-{(draw.zipf(1.6) - 1) % SITES + 1:02d}"
