"""What goes wrong, and when."""

import numpy as np
import pytest

from jobsim.errors import UsageError
from jobsim.faults import Fault, at_instants, at_steps, make_fault, parse_fault


def seed(number: int = 1) -> np.random.SeedSequence:
    return np.random.SeedSequence(number)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "kind=kill,worker=0,at=work,nth=5,when=during",
            Fault("kill", worker=0, at="work", nth=5),
        ),
        (
            "kind=raise, at=commit work, when=before",
            Fault("raise", at="commit work", when="before"),
        ),
        ("kind=kill,time=2m", Fault("kill", time_s=120.0)),
        ("kind=kill,rate=3/h", Fault("kill", rate_per_s=3 / 3600)),
        ("kind=pause,worker=1,time=1h,for=30s", Fault("pause", worker=1, time_s=3600, for_s=30)),
    ],
)
def test_a_fault_is_read(text: str, fault: Fault) -> None:
    assert parse_fault(text) == fault


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kind=kil,at=work", "unknown fault kind 'kil'; did you mean kill"),
        ("kind=kill,at=work,when=amidst", "unknown fault when 'amidst'"),
        ("knid=kill,at=work", "unknown fault key 'knid'; did you mean kind"),
        ("kind=kill,workers=0,at=work", "did you mean worker"),
        ("at=work", "a fault needs kind=kill, kind=raise or kind=pause"),
        ("kind=kill", "say where, by one of at=STEP"),
        ("kind=kill,at=work,time=3s", "say where, by one of"),
        ("kind=pause,at=work", "a pause needs its length"),
        ("kind=kill,at=work,nth=0", "nth counts from 1"),
        ("kind=kill,at=work,nth=first", "nth = 'first'.*whole number"),
        ("kind=kill,worker=a,at=work", "worker = 'a'.*whole number"),
        ("kind=kill,time=soon", "not a duration"),
        ("kind=kill,rate=often", "not a rate"),
        ("kind=kill,rate=-3/h", "not a rate"),
    ],
)
def test_what_is_not_a_fault_is_answered_with_what_would_be(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_fault(text)


@pytest.mark.parametrize(
    "fault",
    [
        Fault("kill", worker=0, at="work", nth=5, when="after"),
        Fault("pause", time_s=12.5, for_s=3.0),
        Fault("raise", rate_per_s=0.25),
    ],
)
def test_a_fault_reads_back_from_what_it_writes(fault: Fault) -> None:
    assert make_fault(fault.to_dict()) == fault
    assert parse_fault(str(fault)) == fault


def test_a_faster_run_divides_every_time_of_a_fault() -> None:
    assert Fault("pause", time_s=60, for_s=30).faster(10) == Fault("pause", time_s=6, for_s=3)
    assert Fault("kill", rate_per_s=1.0).faster(10).rate_per_s == 10.0


def test_a_fault_at_a_step_meets_the_worker_it_names_or_everybody() -> None:
    one, all_ = Fault("kill", worker=1, at="work"), Fault("kill", at="work")
    timed = Fault("kill", time_s=1.0)
    assert at_steps([one, all_, timed], 1) == [one, all_]
    assert at_steps([one, all_, timed], 0) == [all_]


def test_a_fault_by_time_meets_every_worker_in_order() -> None:
    late, early = Fault("kill", time_s=9.0), Fault("kill", worker=1, time_s=3.0)
    met = at_instants([late, early], 2, 100.0, seed())
    assert [(one.t_s, one.worker) for one in met] == [(3.0, 1), (9.0, 0), (9.0, 1)]


def test_the_same_seed_draws_the_same_instants_and_another_seed_others() -> None:
    faults = [Fault("kill", rate_per_s=0.1)]
    first, again, other = (at_instants(faults, 4, 1000.0, seed(n)) for n in (1, 1, 2))
    assert first == again != other
    assert 60 < len(first) < 140
    assert all(0 <= one.t_s < 1000 and one.worker in range(4) for one in first)
    assert [one.t_s for one in first] == sorted(one.t_s for one in first)


def test_a_further_fault_does_not_move_the_instants_of_those_before_it() -> None:
    first, second = Fault("kill", rate_per_s=0.1), Fault("raise", rate_per_s=0.1)
    alone = at_instants([first], 4, 1000.0, seed())
    together = at_instants([first, second], 4, 1000.0, seed())
    assert [one for one in together if one.fault is first] == alone


@pytest.mark.parametrize(
    ("text", "workers"), [("rate=3/h", 0), ("time=5", 0), ("time=5,worker=4", 4)]
)
def test_a_fault_at_an_instant_without_a_worker_to_meet_is_refused(text, workers):
    with pytest.raises(UsageError, match="meets a worker, and this run has"):
        at_instants([parse_fault(f"kind=kill,{text}")], workers, 100.0, seed())
