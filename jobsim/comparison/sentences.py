"""What the numbers mean: one sentence a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jobsim.comparison.values import by_policy, count, duration, value
from jobsim.outcomes import Metrics

AGREES = 1.25
"""Two numbers agree when one is at most this many times the other."""

TINY_S = 0.05
"""Times that differ by less than this agree as well."""


def sentences(runs: Sequence[Metrics]) -> list[str]:
    """One plain sentence a policy; where it was played on both, whether the simulation agrees.

    What is told is what happened live, where it was played live. Times are those of the run, and
    in brackets those of the log where it was played faster.
    """
    told = []
    for name, drivers in by_policy(runs).items():
        run = drivers.get("live") or drivers["sim"]
        *most, last = _deeds(run)
        deeds = f"{', '.join(most)}, and {last}" if most else last
        told.append(f"{name}{_of_replications(run)} {deeds}{_agreement(drivers)}.")
    return told


def _of_replications(run: Metrics) -> str:
    return f" (mean of {run['replications']} runs)" if "replications" in run else ""


def _deeds(run: Metrics) -> list[str]:
    """What the policy did, each as a predicate."""
    tell = {"lease": _of_a_lease, "killer": _of_a_killer}.get(run["family"], _of_a_queue)
    return [*tell(run), *_of_all(run)]


def _of_a_queue(run: Metrics) -> Iterator[str]:
    twice = value(run, "integrity.duplicates") or 0
    if twice:
        wasted = _time(run, value(run, "integrity.duplicate_s"))
        yield f"{_repeated(run, twice)}, {wasted} of work for nothing"
    else:
        yield "ran no job twice"
    lost = value(run, "integrity.lost") or 0
    if lost:
        yield f"lost {_jobs(lost)}"
    starved = value(run, "contention.starved_claims") or 0
    if starved:
        yield f"sent {count(starved)} claims away empty while jobs lay there"


def _repeated(run: Metrics, twice: float) -> str:
    jobs = value(run, "integrity.duplicated_jobs") or 0
    if jobs == twice:
        return f"ran {_jobs(jobs)} twice"
    return f"ran {_jobs(jobs)} more than once, {count(twice)} runs too many"


def _of_a_lease(run: Metrics) -> Iterator[str]:
    overlaps = value(run, "integrity.overlaps") or 0
    yield f"let {count(overlaps)} runs overlap" if overlaps else "let no runs overlap"
    skipped = value(run, "jobs.skipped") or 0
    if skipped:
        yield f"skipped {count(skipped)} firings"


def _of_a_killer(run: Metrics) -> Iterator[str]:
    kills, innocent = value(run, "killer.kills") or 0, value(run, "killer.innocent") or 0
    if kills:
        yield f"killed {count(kills)} statements, {count(innocent)} of them innocent"
    else:
        yield "killed nothing"
    stall_s = value(run, "killer.stall_s")
    if stall_s:
        yield f"let statements stall for {_time(run, stall_s)} in all"


def _of_all(run: Metrics) -> Iterator[str]:
    episodes, still = value(run, "stuck.episodes") or 0, value(run, "stuck.still_stuck") or 0
    if episodes:
        yield _stuck(run, episodes, still)
    waited_s = value(run, "contention.lock_wait_s")
    if waited_s is not None:
        yield _locks(run, waited_s)
    unfinished = value(run, "jobs.unfinished") or 0
    if unfinished > still:
        yield f"left {_jobs(unfinished)} unfinished"
    p95_s = value(run, "wait.p95_s")
    if p95_s is not None:
        yield f"began 95 % of the jobs within {_time(run, p95_s)}"


def _stuck(run: Metrics, episodes: float, still: float) -> str:
    longest = _time(run, value(run, "stuck.max_s"))
    many = _jobs(episodes)
    if still == episodes:
        return f"left {many} stuck from a worker's end to the end of the run, {longest}"
    until = f"left {many} stuck for {'' if episodes == 1 else 'up to '}{longest}"
    if still:
        return f"{until} after a worker was gone, {count(still)} of them to the end of the run"
    return f"{until} after a worker was gone, until somebody else could have {_it(episodes)}"


def _it(number: float) -> str:
    return "it" if number == 1 else "them"


def _locks(run: Metrics, waited_s: float) -> str:
    waits, deadlocks = value(run, "contention.lock_waits"), value(run, "contention.deadlocks")
    if not waits and not deadlocks:
        return "never waited for a lock"
    times = "once" if waits == 1 else f"{count(waits)} times"
    how_long = f"{duration(waited_s)} in all" if waited_s else "each time less than 1 ms"
    ends = f", {count(deadlocks)} deadlocks" if deadlocks else ""
    return f"waited for locks {times} ({how_long}{ends})"


CHECKED: dict[str, tuple[str, Callable[[float | None], str]]] = {
    "wait.p95_s": ("the p95 wait", duration),
    "backlog.mean": ("the mean backlog", count),
    "contention.lock_wait_s": ("lock waits", duration),
    "contention.deadlocks": ("deadlocks", count),
    "stuck.total_s": ("stuck time", duration),
    "integrity.duplicates": ("duplicates", count),
    "jobs.skipped": ("skipped firings", count),
    "killer.kills": ("kills", count),
}


def _agreement(drivers: dict[str, Metrics]) -> str:
    """Whether the simulation says the same, and where it does not."""
    if not {"sim", "live"} <= drivers.keys():
        return ""
    differ = list(_differences(drivers["sim"], drivers["live"]))
    if not differ:
        return "; the simulation agrees"
    return f"; the simulation differs in {', '.join(differ)}"


def _differences(simulated: Metrics, live: Metrics) -> Iterator[str]:
    for metric, (name, write) in CHECKED.items():
        ours, theirs = value(simulated, metric), value(live, metric)
        if ours is None or theirs is None or _agree(ours, theirs, write is duration):
            continue
        yield f"{name} ({write(ours)}; live {write(theirs)})"


def _agree(ours: float, theirs: float, are_times: bool) -> bool:
    """Alike by their ratio, or by a difference too small to mean anything."""
    low, high = sorted((ours, theirs))
    noise = TINY_S if are_times else 2 * max(theirs, 1.0) ** 0.5
    return high <= AGREES * low or high - low <= noise


def _jobs(number: float) -> str:
    return "1 job" if number == 1 else f"{count(number)} jobs"


def _time(run: Metrics, seconds: float | None) -> str:
    if seconds is None or run["speedup"] == 1:
        return duration(seconds)
    return f"{duration(seconds)} (log: {duration(seconds * run['speedup'])})"
