"""One file over HTTP."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog.download import Downloader, check_address
from tests.unit.joblog.server import Archive, breaks, gives, redirects, served, stalls, trickles

BODY = bytes(range(256)) * 1024


@pytest.fixture
def archive() -> Iterator[Archive]:
    with served() as archive:
        yield archive


def refusal(archive: Archive, path: Path, timeout_s: float = 5.0) -> str:
    """What is said of a download that fails, in bounded time and in one line."""
    begun_s = time.monotonic()
    with pytest.raises(LogError) as refused:
        Downloader(timeout_s)(f"{archive.url}/log", str(path))
    assert time.monotonic() - begun_s < 5
    text = str(refused.value)
    assert text.startswith(f"{archive.url}/log: ")
    assert "\n" not in text
    return text


def test_the_file_comes_as_it_is_and_progress_is_told(archive: Archive, tmp_path: Path) -> None:
    archive.answers["/log"] = gives(BODY)
    told: list[tuple[int, int | None]] = []
    Downloader(5, lambda done, total: told.append((done, total)))(
        f"{archive.url}/log", str(tmp_path / "log")
    )
    assert (tmp_path / "log").read_bytes() == BODY
    assert told[-1] == (len(BODY), len(BODY))


def test_a_packed_file_stays_packed_also_where_the_server_calls_that_an_encoding(
    archive: Archive, tmp_path: Path
) -> None:
    archive.answers["/log"] = gives(gzip.compress(BODY), Content_Encoding="gzip")
    Downloader()(f"{archive.url}/log", str(tmp_path / "log"))
    assert gzip.decompress((tmp_path / "log").read_bytes()) == BODY


def test_a_redirect_is_followed(archive: Archive, tmp_path: Path) -> None:
    archive.answers |= {"/log": redirects(f"{archive.url}/moved"), "/moved": gives(BODY)}
    Downloader()(f"{archive.url}/log", str(tmp_path / "log"))
    assert (tmp_path / "log").read_bytes() == BODY
    assert archive.asked == ["/log", "/moved"]


def test_redirects_without_end_are_refused(archive: Archive, tmp_path: Path) -> None:
    archive.answers["/log"] = redirects(f"{archive.url}/log")
    assert "redirects" in refusal(archive, tmp_path / "log")


def test_a_file_that_is_cut_off_is_refused(archive: Archive, tmp_path: Path) -> None:
    archive.answers["/log"] = gives(BODY, length=2 * len(BODY))
    assert "cut off" in refusal(archive, tmp_path / "log")


def test_a_file_that_is_not_there_is_refused(archive: Archive, tmp_path: Path) -> None:
    said = refusal(archive, tmp_path / "log")
    assert "the server says 404 Not Found" in said
    assert "browser" in said


def test_a_server_that_fails_is_asked_later_and_not_with_a_browser(
    archive: Archive, tmp_path: Path
) -> None:
    archive.answers["/log"] = lambda request: request.send_error(503)
    said = refusal(archive, tmp_path / "log")
    assert "the server says 503" in said
    assert "try again later" in said


def test_a_connection_that_breaks_is_a_file_cut_off(archive: Archive, tmp_path: Path) -> None:
    archive.answers["/log"] = breaks(BODY)
    assert "it was cut off" in refusal(archive, tmp_path / "log")


def test_a_server_that_falls_silent_is_given_up(archive: Archive, tmp_path: Path) -> None:
    archive.answers["/log"] = stalls(BODY, archive.over)
    assert "127.0.0.1 was silent for 0.2 s" in refusal(archive, tmp_path / "log", timeout_s=0.2)


def test_a_server_that_gives_byte_after_byte_is_given_up(archive: Archive, tmp_path: Path) -> None:
    archive.answers["/log"] = trickles(BODY, archive.over)
    assert "too slowly" in refusal(archive, tmp_path / "log", timeout_s=0.2)


def test_no_server_is_one_line(tmp_path: Path) -> None:
    with served() as gone:
        pass
    assert "no connection to 127.0.0.1" in refusal(gone, tmp_path / "log")


def test_a_name_that_nobody_knows_is_one_line(tmp_path: Path) -> None:
    # Names under .invalid exist nowhere (RFC 6761).
    assert "its name is not known here" in refusal(
        Archive("http://archive.invalid"), tmp_path / "log"
    )


@pytest.mark.parametrize(
    "url", ["archive.org", "ftp://archive.org/", "file:///etc", "http://[", ""]
)
def test_an_address_must_be_one_of_the_web(url: str) -> None:
    with pytest.raises(UsageError, match="no address of the web"):
        check_address(url)


def test_addresses_of_the_web_are_taken() -> None:
    check_address("http://127.0.0.1:8000")
    check_address("https://archive.org/logs/")


def test_a_password_in_an_address_is_refused_and_not_shown() -> None:
    with pytest.raises(UsageError, match="netrc") as refused:
        check_address("https://ann:secret@mirror.org/")
    assert "secret" not in str(refused.value)
