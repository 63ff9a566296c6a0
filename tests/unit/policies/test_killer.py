"""Which statements die: properties, and lists that killers in the field have judged wrongly."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.effects import Session
from jobsim.policies.killer import Killer
from jobsim.policies.registry import find


def killer(**settings: Any) -> Killer:
    built: Killer = find("killer", "busy-time").build({"busy_s": 60, **settings})
    return built


def session(number: int, time_s: float = 90.0, command: str = "Query", **more: Any) -> Session:
    return Session(
        **{
            "session": number,
            "query_id": number + 100,
            "user": "web",
            "command": command,
            "time_s": time_s,
            "state": "",
            "info": "SELECT 1",
            **more,
        }
    )


def chosen(rule: Killer, *sessions: Session) -> list[int]:
    return [one.session for one in rule.choose(sessions)]


sessions = st.lists(
    st.builds(
        session,
        number=st.integers(1, 50),
        time_s=st.floats(0, 200),
        command=st.sampled_from(["Query", "Execute", "Sleep", "Binlog Dump", "Daemon"]),
        user=st.sampled_from(["web", "batch"]),
        state=st.sampled_from(["", "Sending data", "Killed"]),
    ),
    max_size=12,
    unique_by=lambda one: one.session,
)


@given(sessions)
def test_every_victim_runs_a_statement_over_the_limit_and_none_is_spared(
    listed: list[Session],
) -> None:
    victims = killer(ignore_users="batch").choose(listed)
    over = [
        one
        for one in listed
        if one.time_s > 60
        and one.command in ("Query", "Execute")
        and one.user != "batch"
        and one.state != "Killed"
    ]
    assert {one.session for one in victims} == {one.session for one in over}


@given(sessions)
def test_the_oldest_and_all_but_it_are_together_all(listed: list[Session]) -> None:
    oldest, others, everyone = (
        killer(victims=which).choose(listed) for which in ("oldest", "all-but-oldest", "all")
    )
    assert oldest + others == everyone
    assert [one.time_s for one in everyone] == sorted((o.time_s for o in everyone), reverse=True)


@given(sessions, st.randoms())
def test_the_order_of_the_list_does_not_matter(listed: list[Session], random: Any) -> None:
    shuffled = random.sample(listed, len(listed))
    assert killer().choose(shuffled) == killer().choose(listed)


def test_a_young_prepared_statement_is_judged_by_its_age_like_any_other() -> None:
    young, old = session(1, 1.0, "Execute"), session(2, 90.0, "Query")
    assert chosen(killer(), young, old) == [2]


def test_an_idle_transaction_is_never_killed_and_its_waiting_victims_are() -> None:
    blocker = session(1, 14_000.0, "Sleep", transaction_s=14_000.0, info=None)
    waiting = [session(n, 70.0 + n, blocked_by=(1,)) for n in (2, 3)]
    assert chosen(killer(), blocker, *waiting) == [3, 2]


def test_a_statement_exactly_at_the_limit_lives() -> None:
    assert chosen(killer(), session(1, 60.0)) == []


def test_a_statement_that_is_already_dying_is_left_alone() -> None:
    assert chosen(killer(), session(1, state="Killed")) == []


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ({"ignore_users": "web"}, [2]),
        ({"match_users": "web,app"}, [1]),
        ({"ignore_commands": "Query"}, []),
        ({"ignore_info": "^SELECT"}, [2]),
        ({"match_info": "^SELECT"}, [1]),
    ],
)
def test_it_can_be_told_whom_to_spare_and_whom_to_meet(
    settings: dict[str, str], left: list[int]
) -> None:
    listed = session(1), session(2, user="batch", info="UPDATE t")
    assert chosen(killer(**settings), *listed) == left


def test_a_statement_without_text_matches_no_pattern() -> None:
    assert chosen(killer(match_info="SELECT"), session(1, info=None)) == []
