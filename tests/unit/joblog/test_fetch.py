"""Logs of the archive, fetched into a cache from a web server of the test's own."""

from __future__ import annotations

import hashlib
import resource
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog import fetch as fetching
from jobsim.joblog import swf
from jobsim.joblog.archive import find
from jobsim.joblog.digests import beside
from jobsim.joblog.download import Downloader
from jobsim.joblog.fetch import cached, fetch, in_cache
from tests.unit.joblog.server import Archive, gives, packed_log, served, stalls

LOG = find("kth-sp2")
PINNED = find("lpc-egee")
BODY = packed_log()
CHANGED = packed_log(jobs=4)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Archive]:
    """A mirror of the archive that has one log, and an empty cache."""
    with served() as archive:
        monkeypatch.setenv("JOBSIM_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("JOBSIM_ARCHIVE_URL", f"{archive.url}/pwa/")
        archive.answers[f"/pwa/{LOG.folder}/{LOG.file}"] = gives(BODY)
        yield archive


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "archive"


def put(archive: Archive, body: bytes, length: int | None = None) -> None:
    """What the server has for the log from now on."""
    archive.answers[f"/pwa/{LOG.folder}/{LOG.file}"] = gives(body, length)


def files(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir()}


ALL = {LOG.file, f"{LOG.file}.sha256", f"{LOG.stem}.txt"}


def test_a_log_is_fetched_with_its_digest_and_its_terms_and_can_be_read(
    archive: Archive, cache: Path
) -> None:
    got = fetch("kth-sp2")
    assert (got.downloaded, got.known_by, got.sha256) == (True, "nobody", sha256(BODY))
    assert got.path.read_bytes() == BODY
    assert len(swf.read(got.path)) == 3
    assert files(cache) == ALL
    assert "; Acknowledge: Ada Lovelace\n" in got.terms.read_text()
    assert sha256(BODY) in got.terms.read_text()


def test_a_second_fetch_asks_no_server(archive: Archive) -> None:
    first, second = fetch("kth-sp2"), fetch("KTH-SP2-1996-2.1-cln")
    assert archive.asked == [f"/pwa/{LOG.folder}/{LOG.file}"]
    assert (second.path, second.downloaded, second.known_by) == (first.path, False, "earlier")


def test_a_mirror_can_be_named(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBSIM_ARCHIVE_URL", "http://archive.invalid")
    assert fetch("kth-sp2", archive=f"{archive.url}/pwa").downloaded


def test_a_log_that_is_cut_off_leaves_nothing(archive: Archive, cache: Path) -> None:
    put(archive, BODY[:60], length=len(BODY))
    with pytest.raises(LogError, match="cut off"):
        fetch("kth-sp2")
    assert files(cache) == set()


def test_a_log_that_is_cut_off_although_the_server_says_it_is_whole_leaves_nothing(
    archive: Archive, cache: Path
) -> None:
    put(archive, BODY[:60])
    with pytest.raises(LogError, match="no whole gzip file"):
        fetch("kth-sp2")
    assert files(cache) == set()


def test_a_log_whose_packed_data_is_damaged_leaves_nothing(archive: Archive, cache: Path) -> None:
    put(archive, BODY[:-6] + bytes(6))
    with pytest.raises(LogError, match="no whole gzip file"):
        fetch("kth-sp2")
    assert files(cache) == set()


@pytest.mark.parametrize("body", [b"<html>Please log in</html>", b"", b"\x1f\x8b"])
def test_a_page_in_place_of_the_log_leaves_nothing(
    archive: Archive, cache: Path, body: bytes
) -> None:
    put(archive, body)
    with pytest.raises(LogError):
        fetch("kth-sp2")
    assert files(cache) == set()


def test_a_packed_file_that_is_no_log_leaves_nothing(archive: Archive, cache: Path) -> None:
    put(archive, packed_log(jobs=0))
    with pytest.raises(LogError, match="no log in the Standard Workload Format"):
        fetch("kth-sp2")
    assert files(cache) == set()


def test_a_server_that_falls_silent_leaves_nothing(archive: Archive, cache: Path) -> None:
    archive.answers[f"/pwa/{LOG.folder}/{LOG.file}"] = stalls(BODY, archive.over)
    with pytest.raises(LogError, match="silent"):
        fetch("kth-sp2", download=Downloader(timeout_s=0.2))
    assert files(cache) == set()


def test_a_fetch_that_is_interrupted_leaves_nothing(archive: Archive, cache: Path) -> None:
    def interrupt(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("kth-sp2", download=Downloader(progress=interrupt))
    assert files(cache) == set()


def test_another_digest_than_the_user_says_is_refused_with_both(
    archive: Archive, cache: Path
) -> None:
    with pytest.raises(LogError) as refused:
        fetch("kth-sp2", sha256="0" * 64)
    assert f"its SHA-256 is {sha256(BODY)}, not {'0' * 64}" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert files(cache) == set()


def test_another_digest_than_the_catalogue_says_is_refused(archive: Archive, cache: Path) -> None:
    archive.answers[f"/pwa/{PINNED.folder}/{PINNED.file}"] = gives(BODY)
    with pytest.raises(LogError, match=f"not {PINNED.sha256}"):
        fetch("lpc-egee")
    assert files(cache) == set()


def test_the_digest_that_the_user_says_holds_over_the_catalogues_and_is_kept(
    archive: Archive,
) -> None:
    archive.answers[f"/pwa/{PINNED.folder}/{PINNED.file}"] = gives(BODY)
    assert fetch("lpc-egee", sha256=sha256(BODY).upper()).known_by == "user"
    again = fetch("lpc-egee")
    assert (again.known_by, again.downloaded) == ("earlier", False)


def test_the_digest_of_the_catalogue_holds(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        fetching, "find", lambda name: type(LOG)(*_fields(LOG)[:-1], sha256=sha256(BODY))
    )
    assert fetch("kth-sp2").known_by == "catalogue"
    assert fetch("kth-sp2").known_by == "catalogue"


def _fields(log: object) -> list[object]:
    return [getattr(log, name) for name in ("name", "stem", "folder", "what", "jobs", "sha256")]


def test_the_digest_of_the_first_fetch_holds_when_the_server_changes_the_file(
    archive: Archive, cache: Path
) -> None:
    first = fetch("kth-sp2")
    first.path.unlink()
    put(archive, CHANGED)
    with pytest.raises(LogError, match=f"not {sha256(BODY)}"):
        fetch("kth-sp2")
    assert files(cache) == ALL - {LOG.file}
    accepted = fetch("kth-sp2", sha256=sha256(CHANGED))
    assert (accepted.known_by, accepted.downloaded) == ("user", True)
    assert sha256(CHANGED) in accepted.terms.read_text()
    assert cached("kth-sp2") == accepted.path


def test_a_copy_that_was_damaged_in_the_cache_is_fetched_again(archive: Archive) -> None:
    path = fetch("kth-sp2").path
    path.write_bytes(b"damaged")
    with pytest.raises(LogError, match="it has changed since it was fetched"):
        cached("kth-sp2")
    assert fetch("kth-sp2").downloaded
    assert path.read_bytes() == BODY


def test_the_good_copy_stays_where_a_new_one_cannot_be_had(archive: Archive) -> None:
    path = fetch("kth-sp2").path
    archive.answers.clear()
    with pytest.raises(LogError, match="404"):
        fetch("kth-sp2", sha256=sha256(CHANGED))
    assert cached("kth-sp2") == path
    assert path.read_bytes() == BODY


def test_a_file_that_the_user_put_into_the_cache_is_checked_and_taken(
    archive: Archive, cache: Path
) -> None:
    cache.mkdir(parents=True)
    (cache / LOG.file).write_bytes(BODY)
    assert cached("kth-sp2") is None
    got = fetch("kth-sp2")
    assert (got.downloaded, got.known_by, archive.asked) == (False, "nobody", [])
    assert files(cache) == ALL
    (cache / LOG.file).write_bytes(BODY[:40])
    beside(cache / LOG.file).unlink()
    with pytest.raises(LogError, match=f"{LOG.file}: this is no whole gzip file"):
        fetch("kth-sp2")


def test_terms_that_were_lost_are_written_again(archive: Archive) -> None:
    fetch("kth-sp2").terms.unlink()
    assert fetch("kth-sp2").terms.is_file()


def test_fetches_at_a_time_all_give_the_whole_log(archive: Archive, cache: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        got = list(pool.map(fetch, ["kth-sp2"] * 6))
    assert {one.path.read_bytes() for one in got} == {BODY}
    assert files(cache) == ALL
    assert cached("kth-sp2") == got[0].path


def test_fetches_at_a_time_never_disagree_where_the_server_changes_the_file(
    archive: Archive, cache: Path
) -> None:
    answers = iter([gives(BODY), gives(CHANGED)] * 4)
    archive.answers[f"/pwa/{LOG.folder}/{LOG.file}"] = lambda handler: next(answers)(handler)

    def attempt(name: str) -> str | None:
        try:
            return fetch(name).sha256
        except LogError:
            return None

    with ThreadPoolExecutor(4) as pool:
        digests = set(pool.map(attempt, ["kth-sp2"] * 4)) - {None}
    assert len(digests) == 1
    assert cached("kth-sp2") is not None
    assert files(cache) == ALL


def test_a_log_is_cached_once_it_was_fetched(archive: Archive) -> None:
    assert cached("kth-sp2") is None
    assert not in_cache(LOG)
    path = fetch("kth-sp2").path
    assert cached("kth-sp2") == cached(LOG.stem) == path
    assert in_cache(LOG)
    assert cached("media-batch") is None


def test_a_wrong_name_address_or_digest_is_refused_before_anything_is_asked(
    archive: Archive,
) -> None:
    with pytest.raises(UsageError, match="did you mean kth-sp2"):
        fetch("kth-sp3")
    with pytest.raises(UsageError, match="no address of the web"):
        fetch("kth-sp2", archive="archive")
    with pytest.raises(UsageError, match="64 digits"):
        fetch("kth-sp2", sha256="abc")
    assert archive.asked == []


def test_a_cache_that_cannot_be_made_is_one_line(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("JOBSIM_CACHE", str(tmp_path / "file"))
    with pytest.raises(UsageError, match=r"the cache cannot be used: .*set JOBSIM_CACHE") as said:
        fetch("kth-sp2")
    assert "\n" not in str(said.value)


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """Files cannot grow above a size, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_is_one_line_and_leaves_nothing(archive: Archive, cache: Path) -> None:
    with (
        no_file_above(100),
        pytest.raises(UsageError, match=r"the cache cannot be used: File too large") as said,
    ):
        fetch("kth-sp2")
    assert "\n" not in str(said.value)
    assert files(cache) == set()


def test_the_cache_is_the_users_where_no_other_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("JOBSIM_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert fetching.folder().name == "archive"
    assert "jobsim" in fetching.folder().parts
