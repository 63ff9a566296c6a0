"""The terms that are kept beside a log of the archive."""

from __future__ import annotations

from pathlib import Path

from jobsim.joblog.archive import find
from jobsim.joblog.archive_terms import header, terms
from tests.unit.joblog.server import packed_log


def written(tmp_path: Path, header_lines: str) -> Path:
    path = tmp_path / "log.swf.gz"
    path.write_bytes(packed_log(header=header_lines))
    return path


def test_the_comment_lines_of_a_log_are_taken_with_those_that_continue_them(tmp_path: Path) -> None:
    path = written(tmp_path, "; Acknowledge: Ada\n\n;   and others  \r\n;Note: caf\u00e9\n")
    assert header(path) == "; Acknowledge: Ada\n;   and others\n;Note: café\n"


def test_comments_between_the_jobs_are_no_header(tmp_path: Path) -> None:
    assert header(written(tmp_path, "; one\n1 2 3\n; two\n")) == "; one\n"


def test_the_text_says_whom_to_acknowledge_and_where_it_came_from(tmp_path: Path) -> None:
    log = find("kth-sp2")
    text = terms(log, written(tmp_path, "; Acknowledge: Ada\n"), "http://mirror/x", "ab" * 32)
    for part in ("; Acknowledge: Ada\n", "http://mirror/x", log.page, "ab" * 32, "no part of"):
        assert part in text


def test_a_log_without_a_header_refers_to_its_page(tmp_path: Path) -> None:
    log = find("ricc")
    assert "the log's page says it" in terms(log, written(tmp_path, ""), log.url(), "ab" * 32)
