"""Runs of entries, in chunks, with delete marks."""

from __future__ import annotations

from jobsim.sim.database.runs import CHUNK, Run


def test_a_run_goes_on_through_many_chunks() -> None:
    run, count = Run("pending"), 5 * CHUNK
    for id_ in range(count):
        run.append(float(id_ // 3), id_)
    run.settle(frozenset())
    assert len(run.chunks) > 3
    assert len(run) == count
    for id_ in range(2 * CHUNK):
        run.mark(float(id_ // 3), id_)
    place = run.first_live()
    assert place is not None
    assert place[0].entries[place[1]] == (float(2 * CHUNK // 3), 2 * CHUNK)
    assert run.skipped() == 2 * CHUNK
    assert run.add(7.0 / 3, 10**6) is False
    assert run.settle({(0.0, 1)}) == 2 * CHUNK - 1
    assert run.state(0.0, 1) == 1
    assert run.state(0.0, 0) is None
    assert len(run) == count - 2 * CHUNK + 2


def test_an_entry_that_comes_back_to_life_counts_as_the_first_again() -> None:
    run = Run("pending")
    for id_ in range(4):
        run.append(1.0, id_)
    run.mark(1.0, 0)
    run.first_live()
    assert run.append(1.0, 0) is True
    place = run.first_live()
    assert place is not None
    assert place[1] == 0
