"""Counting how often a step was come to."""

import os
from pathlib import Path

from jobsim.live.tally import SharedTally, Tally


def test_a_process_counts_from_one_and_each_thing_by_itself() -> None:
    tally = Tally()
    assert [tally.next(0), tally.next(0), tally.next(1)] == [1, 2, 1]


def test_processes_that_count_together_never_count_the_same(tmp_path: Path) -> None:
    children = []
    for child in range(4):
        pid = os.fork()
        if not pid:
            tally = SharedTally(tmp_path, "firing")
            counts = " ".join(str(tally.next(3)) for _ in range(50))
            (tmp_path / f"child-{child}").write_text(counts)
            os._exit(0)
        children.append(pid)
    for pid in children:
        assert os.waitpid(pid, 0)[1] == 0
    counted = [int(n) for file in tmp_path.glob("child-*") for n in file.read_text().split()]
    assert sorted(counted) == list(range(1, 201))
