"""How a log is to be read, as the user says."""

import pytest

from jobsim.errors import UsageError
from jobsim.joblog.reading import PLAIN, Reading, load, pairs


def test_pairs_are_split_at_commas_and_equals():
    assert pairs("--map", ["submit=created_at, start=claimed_at", "run=a=b"]) == {
        "submit": "created_at",
        "start": "claimed_at",
        "run": "a=b",
    }


@pytest.mark.parametrize("texts", [["submit"], ["=a"], ["submit="], ["a=1", "a=2"]])
def test_what_is_no_pair_is_refused(texts):
    with pytest.raises(UsageError, match="--map"):
        pairs("--map", texts)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"columns": {"sumbit": "a"}}, "did you mean submit"),
        ({"units": {"submit": "sec"}}, "--unit submit=sec"),
        ({"units": {"kind": "s"}}, "no target with a unit 'kind'"),
        ({"outcomes": {"done": "complete"}}, "did you mean completed"),
        ({"zone": "Europe/Berlim"}, "no such time zone"),
        ({"zone": "../etc"}, "no such time zone"),
        ({"assume_run_s": -1.0}, "--assume-run"),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_be_right(said, message):
    with pytest.raises(UsageError, match=message):
        Reading(**said)


def test_one_reading_over_another_keeps_what_only_the_lower_one_says():
    under = Reading(columns={"submit": "a", "start": "b"}, zone="UTC")
    over = Reading(columns={"submit": "c"}, units={"run": "ms"})
    assert over.over(under) == Reading(
        columns={"submit": "c", "start": "b"}, units={"run": "ms"}, zone="UTC"
    )
    assert PLAIN.over(under) == under


def test_a_mapping_file_says_what_options_say(tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(
        'what = "x"\nzone = "UTC"\n[columns]\nsubmit = "a"\n[outcomes]\nok = "completed"'
    )
    assert load(path) == Reading(columns={"submit": "a"}, outcomes={"ok": "completed"}, zone="UTC")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[columns", "no TOML"),
        ("colums = 1", "did you mean columns"),
        ("columns = 1", "columns is int"),
        ("zone = 1", "zone is int"),
        ("[columns]\nsubmit = 1", "texts in quotes"),
        ('[columns]\nsubmitted = "a"', "did you mean submit"),
    ],
)
def test_a_wrong_mapping_file_is_refused_by_its_name(tmp_path, text, message):
    path = tmp_path / "m.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message) as refused:
        load(path)
    assert "m.toml" in str(refused.value)


def test_a_mapping_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "none.toml")
