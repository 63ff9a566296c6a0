"""Digests of files, kept beside them."""

from __future__ import annotations

import hashlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import which

import pytest

from jobsim.errors import LogError
from jobsim.joblog.digests import beside, digest_of, is_digest, keep, keep_first, kept, write_whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "log.gz"
    path.write_bytes(b"jobs")
    return path


def test_a_digest_is_kept_and_read_back(path: Path) -> None:
    assert kept(path) is None
    keep(path, digest_of(path))
    assert kept(path) == hashlib.sha256(b"jobs").hexdigest()
    keep(path, "0" * 64)
    assert kept(path) == "0" * 64
    assert {file.name for file in path.parent.iterdir()} == {"log.gz", "log.gz.sha256"}


@pytest.mark.skipif(which("sha256sum") is None, reason="no sha256sum here")
def test_sha256sum_can_check_it(path: Path) -> None:
    keep(path, digest_of(path))
    done = subprocess.run(["sha256sum", "-c", beside(path).name], cwd=path.parent, check=False)
    assert done.returncode == 0


def test_the_first_digest_holds(path: Path) -> None:
    assert keep_first(path, "1" * 64) == "1" * 64
    assert keep_first(path, "2" * 64) == "1" * 64
    assert kept(path) == "1" * 64
    assert {file.name for file in path.parent.iterdir()} == {"log.gz", "log.gz.sha256"}


def test_of_many_at_a_time_one_holds_for_all(path: Path) -> None:
    digests = [f"{number:064x}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        right = set(pool.map(lambda digest: keep_first(path, digest), digests))
    assert right == {kept(path)}


@pytest.mark.parametrize("text", ["", "what", "a" * 63 + "  log.gz\n", "\x80"])
def test_what_is_no_digest_is_refused(path: Path, text: str) -> None:
    beside(path).write_text(text, encoding="latin-1")
    with pytest.raises(LogError, match="there is no SHA-256 in it; delete it"):
        kept(path)


def test_only_64_hexadecimal_digits_are_a_digest() -> None:
    assert is_digest("aB" * 32)
    assert not any(map(is_digest, ("", "a" * 63, "a" * 65, "g" * 64, "a" * 64 + "\n")))


def test_a_text_that_cannot_be_written_leaves_the_old_one(path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "x" * 10 + "\udc80")
    assert path.read_bytes() == b"jobs"
