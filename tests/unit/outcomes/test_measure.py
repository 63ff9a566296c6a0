"""The whole document of one run."""

from __future__ import annotations

import json

from jobsim.outcomes import Facts, measure

from .made import Story, jobs, over_runs

KEYS = {
    "jobs": "submitted completed failed dead unfinished attempts skipped",
    "wait": "mean_s p50_s p95_s p99_s max_s overtakes",
    "backlog": "mean max oldest_age_p99_s oldest_age_max_s visible_oldest_age_max_s drained_at_s",
    "contention": "lock_waits lock_wait_s deadlocks lock_timeouts claims empty_claims "
    "starved_claims claim_p50_s claim_p99_s rows_examined",
    "stuck": "episodes total_s p99_s max_s still_stuck",
    "integrity": "duplicates duplicate_s lost overlaps zombie_finishes duplicated_jobs",
    "killer": "kills innocent needlessly_killed_s stall_s",
    "cost": "worker_busy_s worker_idle_s statements peak_memory_mb wall_s events",
}
HEADER = (
    "driver name family workers seed replication speedup makespan_s throughput_per_s utilisation"
)


@over_runs
def test_the_document_has_its_keys_in_their_order_and_is_json(facts: Facts):
    told = measure(facts, driver="sim", name="skip-locked", seed=7)
    assert list(told) == [*HEADER.split(), *KEYS, "by_kind"]
    for group, keys in KEYS.items():
        assert list(told[group]) == keys.split()
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_jobs_are_counted_by_how_they_ended():
    story = Story().attempt(1, 0, 0, 1, 1).attempt(2, 1, 1, 2, 2, outcome="failed")
    story.event(3, "dead letter", job=3).attempt(4, 4, 4, outcome="died").event(8, "died")
    told = measure(
        story.facts(jobs([0, 0, 0, 0, 50], fails=[False, True, False, False, False])),
        driver="sim",
        name="x",
    )
    assert told["jobs"] == {
        "submitted": 4, "completed": 1, "failed": 1, "dead": 1, "unfinished": 1,
        "attempts": 3, "skipped": 0,
    }  # fmt: skip
    assert told["makespan_s"] == 8
    assert told["throughput_per_s"] == 2 / 8
    assert told["utilisation"] == (1 + 1 + 4) / (2 * 8)


def test_an_empty_run_can_be_measured():
    told = measure(Story().facts(jobs([])), driver="sim", name="x")
    assert told["jobs"]["submitted"] == 0
    assert told["throughput_per_s"] is None
    assert told["backlog"]["mean"] is None
    assert told["by_kind"] == {}
