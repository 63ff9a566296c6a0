"""Formats are recognised by content first, and by name where content says nothing."""

from __future__ import annotations

import gzip

import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog import readers

ONES = " ".join(["1"] * 18)


@pytest.mark.parametrize(
    ("name", "content", "known_as"),
    [
        ("a.txt", f"; header\n{ONES}", "swf"),
        ("a.csv", ONES, "swf"),
        ("a.swf", "submit_s,run_s\n0,1", "csv"),
        ("a.txt", "# jobsim job log {}", "csv"),
        ("a.log", b"PAR1\x00\x00", "parquet"),
        ("a.swf.gz", "; only a header", "swf"),
        ("a.swf-ext", "1 2 3", "swf"),
        ("a.csv.gz", "when,how\n0,1", "table"),
        ("a.txt", "created_at,run_s\n0,1", "table"),
        ("a.txt", '{"created_at": 1}', "json"),
        ("a.parquet", "no parquet", "parquet"),
    ],
)
def test_a_file_is_known_by_its_content_or_else_by_its_name(file, name, content, known_as):
    assert readers.recognise(file(name, content)).name == known_as


def test_packed_content_is_looked_at_unpacked(file):
    assert readers.recognise(file("a", gzip.compress(ONES.encode()))).name == "swf"


def test_what_nobody_knows_is_refused_with_the_names_of_the_formats(file):
    with pytest.raises(
        LogError, match=r"not recognised; say which with --format: parquet, csv, .*, table, json"
    ):
        readers.recognise(file("a.txt", "hello world"))


def test_a_database_file_is_refused_with_its_url(file):
    path = file("app.db", b"SQLite format 3\0" + bytes(100))
    with pytest.raises(LogError, match=r"SQLite database; say its URL: sqlite:///.*app\.db"):
        readers.recognise(path)


def test_a_binary_file_of_no_format_is_called_binary(file):
    with pytest.raises(LogError, match="is binary, and of no format that is known"):
        readers.recognise(file("a.bin", bytes(range(256)) * 4))


def test_an_empty_file_is_refused(file):
    with pytest.raises(LogError, match="the file is empty"):
        readers.recognise(file("a.swf"))


def test_an_unknown_format_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"no log format 'parket'; did you mean parquet\?"):
        readers.by_name("parket")


def test_every_reader_says_what_it_reads_under_a_name_of_its_own():
    assert len({reader.name for reader in readers.READERS}) == len(readers.READERS)
    assert all(reader.what for reader in readers.READERS)
