"""Short names that stand for names."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from jobsim.errors import UsageError
from jobsim.joblog import pseudonyms as module
from jobsim.joblog.pseudonyms import kept_key, new_key, pseudonyms

KEY = bytes(range(32))


def test_a_pseudonym_is_short_and_says_what_it_stands_for() -> None:
    (word,) = pseudonyms(["ann"], "owner", KEY).values()
    assert re.fullmatch(r"owner-[0-9a-f]{10}", word)


def test_a_name_has_the_same_pseudonym_among_any_others() -> None:
    alone = pseudonyms(["ann"], "owner", KEY)
    assert pseudonyms(["ben", "ann", "émile"], "owner", KEY)["ann"] == alone["ann"]


def test_another_key_or_another_column_gives_another_pseudonym() -> None:
    words = {
        pseudonyms(["ann"], prefix, key)["ann"].partition("-")[2]
        for prefix in ("owner", "kind")
        for key in (KEY, new_key(), new_key())
    }
    assert len(words) == 6


def test_names_that_would_share_a_short_pseudonym_get_longer_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "DIGITS", (1, 2, 64))
    names = [f"name {number}" for number in range(300)]
    found = pseudonyms(names, "owner", KEY)
    assert set(found) == set(names)
    assert len(set(found.values())) == 300
    assert {len(word) - len("owner-") for word in found.values()} == {2, 64}


def test_no_name_has_no_pseudonym() -> None:
    assert pseudonyms([], "owner", KEY) == {}


def test_a_key_is_made_for_its_owner_alone_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = kept_key(path)
    assert len(key) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_key(path) == key
    assert kept_key(tmp_path / "other") != key


@pytest.mark.parametrize("text", ["", "secret", "ab" * 15, "ab" * 65, "\x80"])
def test_a_file_that_holds_no_key_is_refused_and_not_changed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "key"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(UsageError, match="there is no key in it; 32 to 128 digits"):
        kept_key(path)
    assert path.read_text(encoding="latin-1") == text


def test_a_key_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--key .*No such file"):
        kept_key(tmp_path / "no" / "key")
    with pytest.raises(UsageError, match=r"--key .*directory"):
        kept_key(tmp_path)
