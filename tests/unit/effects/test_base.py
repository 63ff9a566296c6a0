"""Asking for an effect."""

import pytest

from jobsim.effects import Begin, Script, Sleep


def test_asking_yields_the_effect_with_its_arguments_and_returns_the_reply() -> None:
    sleep = Sleep()

    def script() -> Script[str]:
        return (yield from sleep(3.0))  # type: ignore[return-value]

    asked = script()
    assert next(asked) == (sleep, (3.0,))
    with pytest.raises(StopIteration) as end:
        asked.send("reply")
    assert end.value.value == "reply"


def test_forgetting_to_call_an_effect_is_an_error_that_says_so() -> None:
    def script() -> Script[None]:
        yield from Begin()

    with pytest.raises(TypeError, match=r"yield from Begin\(...\)\(\)"):
        next(script())


def test_effects_are_told_apart_by_identity_though_they_say_the_same() -> None:
    one, other = Begin("begin"), Begin("begin")
    assert one != other
    assert len({one, other}) == 2
