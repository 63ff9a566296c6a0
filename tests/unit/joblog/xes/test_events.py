"""XES files that mean harm, and files that are none: refused in bounded time and memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
from time import monotonic

import pytest

from jobsim.errors import LogError
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN
from jobsim.joblog.xes import events as xes_events
from jobsim.joblog.xes.events import read_events

LAUGHS = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "ha">' for n in range(12)
)


@pytest.fixture
def refused(tmp_path):
    """Reads a file of this text, which must be refused within 2 s, and gives the message."""

    def read(text, name="a.xes"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        begin = monotonic()
        with pytest.raises(LogError) as refusal:
            read_events(path, PLAIN, Notes())
        assert monotonic() - begin < 2
        return str(refusal.value)

    return read


def an_event_of(value):
    return f'<trace><event><string key="concept:name" value="{value}"/></event></trace>'


@pytest.mark.parametrize("body", [an_event_of("&l11;"), "<trace>&l11;</trace>"])
def test_an_entity_bomb_is_refused(refused, body):
    message = refused(f'<!DOCTYPE log [{LAUGHS}]><log xes.version="1.0">{body}</log>')
    assert "DOCTYPE" in message or "not well-formed" in message


@pytest.mark.parametrize(
    "declared",
    ['<!ENTITY x SYSTEM "file:///etc/passwd">', '<!ENTITY x SYSTEM "http://127.0.0.1:9/x">'],
)
@pytest.mark.parametrize("body", [an_event_of("A") + "&x;", an_event_of("&x;")])
def test_an_external_entity_is_never_fetched(refused, declared, body):
    message = refused(f'<!DOCTYPE log [{declared}]><log xes.version="1.0">{body}</log>')
    assert "root:" not in message
    assert "DOCTYPE" in message or "not well-formed" in message


def test_an_external_document_type_is_never_fetched(refused):
    text = f'<!DOCTYPE log SYSTEM "http://127.0.0.1:9/x.dtd"><log>{an_event_of("A")}</log>'
    assert "it declares a document type" in refused(text)


def test_a_deeply_nested_file_is_refused(refused):
    assert "not well-formed" in refused("<log>" + "<list>" * 100_000)


def test_a_huge_value_is_refused(refused):
    assert "not well-formed" in refused(f"<log>{an_event_of('x' * 11_000_000)}</log>")


def test_much_that_is_no_event_is_refused_before_it_fills_the_memory(refused, monkeypatch):
    monkeypatch.setattr(xes_events, "LARGEST_PART", 1 << 20)
    bomb = gzip.compress(b"<log><trace>" + b"<a/>" * 5_000_000)
    assert "over 1 MB without an event" in refused(bomb, "a.xes.gz")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"\x00\x01\x02" * 99, "not well-formed"),
        (b"job_id,submit_s,run_s\n1,2,3\n", "not well-formed"),
        (b"<log><trace><event>", "not well-formed"),
        (b"<log></log>", "no event in it"),
        (b"<log><trace></trace></log>", "no event in it"),
        (b"<log><event><string key='a' value='b'/></event></log>", "no event in it"),
        (b"<event><string key='a' value='b'/></event>", "no event in it"),
        (b"<trace><string key='a' value='b'/></trace>", "no event in it"),
        (b"<html><body/></html>", "no event in it"),
        (gzip.compress(b"<log></log>" * 99, mtime=0)[:-9], "cut off"),
        (gzip.compress(b"", mtime=0)[:10] + b"x" * 999, "damaged"),
    ],
)
def test_what_is_no_log_is_refused_in_its_words(refused, text, message):
    assert message in refused(text)


def test_data_cut_off_behind_the_head_is_refused_too(refused, an_event, a_trace, a_log):
    many = [
        a_trace(str(n), an_event(f"{n * 7919 % 9973}", "START", "09:00")) for n in range(20_000)
    ]
    packed = gzip.compress(a_log(*many).encode(), compresslevel=1)
    assert "cut off" in refused(packed[: len(packed) // 2])


def test_the_tree_of_a_long_file_is_never_held(tmp_path, an_event, a_trace, a_log):
    event = an_event("A", "START", "09:00", "ann", note="x" * 400)
    path = tmp_path / "long.xes.gz"
    path.write_bytes(gzip.compress(a_log(a_trace("c", *[event] * 60_000)).encode(), 1))
    code = (
        "import sys, tracemalloc, resource\n"
        "from pathlib import Path\n"
        "from jobsim.joblog.notes import Notes\n"
        "from jobsim.joblog.reading import PLAIN\n"
        "from jobsim.joblog.xes.events import read_events\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert len(read_events(Path(sys.argv[1]), PLAIN, Notes())) == 60_000\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, path], check=True, capture_output=True, text=True, timeout=60
    )
    assert float(found.stdout) < 30
