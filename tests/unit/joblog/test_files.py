"""Files come whole and unpacked, or not at all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from jobsim.errors import LogError
from jobsim.joblog.files import log_name, looks_binary, read_bytes, read_text_bytes


def test_packed_and_plain_files_read_alike_whatever_their_name(file):
    assert read_bytes(file("a.swf.gz", "text")) == read_bytes(file("a.swf", "text")) == b"text\n"
    assert read_bytes(file("b.swf", gzip.compress(b"packed"))) == b"packed"


def test_a_byte_order_mark_is_taken_off(file):
    assert read_bytes(file("a.csv", b"\xef\xbb\xbftext")) == b"text"


def test_only_the_head_can_be_read(file):
    assert read_bytes(file("a.gz", b"0123456789"), 3) == b"012"


@pytest.mark.parametrize("kept", [2, 12, 40])
def test_compressed_data_that_is_cut_off_is_refused(file, kept):
    whole = gzip.compress(bytes(range(256)))
    with pytest.raises(LogError, match="cut off"):
        read_bytes(file("a.swf", whole[:kept]))


def test_damaged_compressed_data_is_refused(file):
    packed = bytearray(gzip.compress(b"0123456789" * 20))
    packed[15] ^= 0xFF
    with pytest.raises(LogError, match=r"damaged|cut off"):
        read_bytes(file("a.swf", bytes(packed)))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(LogError, match="cannot be read: No such file"):
        read_bytes(tmp_path / "none.swf")


@pytest.mark.parametrize("content", [b"", b" \n\n", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(file, content):
    with pytest.raises(LogError, match="the file is empty"):
        read_text_bytes(file("a.swf", content))


@pytest.mark.parametrize("content", [b"ab\0c", bytes(range(256)), "text".encode("utf-16")])
def test_a_binary_file_is_refused(file, content):
    with pytest.raises(LogError, match="binary"):
        read_text_bytes(file("a.swf", content))


def test_text_of_any_encoding_is_not_binary():
    assert not looks_binary("größer\t1\r\n".encode())
    assert not looks_binary("größer".encode("latin-1"))


@pytest.mark.parametrize(
    ("name", "short"),
    [("a-2.1-cln.swf.gz", "a-2.1-cln"), ("b.parquet", "b"), ("c.csv.gz", "c"), ("plain", "plain")],
)
def test_a_log_is_named_by_its_file(name, short):
    assert log_name(Path("/somewhere") / name) == short
