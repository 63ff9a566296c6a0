"""Slow logs in the JSON of what ships logs."""

from __future__ import annotations

import json

import pytest

from jobsim.errors import LogError
from jobsim.joblog import slowlog
from jobsim.joblog.slowlog.shipped import looks_like, unpacked


@pytest.fixture
def messages(entry):
    return [entry(time=f"2026-11-30T09:00:1{n}.000000Z", session=n) for n in range(2)]


def test_each_event_of_a_list_is_an_entry(file, messages):
    events = [{"timestamp": 1, "message": message, "ingestionTime": 2} for message in messages]
    path = file("events.json", json.dumps({"events": events}))
    log = slowlog.read(path)
    assert slowlog.looks_like(path.read_bytes())
    assert log.jobs["submit_s"].tolist() == [0, 1]
    assert log.jobs["kind"].tolist() == ["select orders"] * 2


def test_each_line_of_a_container_is_a_line_of_the_log(file, messages):
    lines = [{"log": f"{line}\n", "stream": "stdout"} for line in "\n".join(messages).split("\n")]
    path = file("container.log", "\n".join(map(json.dumps, lines)))
    assert slowlog.looks_like(path.read_bytes())
    assert len(slowlog.read(path)) == 2


def test_the_text_is_taken_in_the_order_of_the_file():
    assert unpacked('{"message": "a"}{"hits": [{"_source": {"@message": "b\\n"}}]}') == "a\nb\n"


@pytest.mark.parametrize(
    "text", ['{"message": "ready"}', '{"text": "# Time: 1"}', "# Time: 1", '["# Query_time: 1"]']
)
def test_other_json_is_not_claimed(text):
    assert not looks_like(text.encode())


def test_json_that_is_cut_off_is_refused(file, messages):
    text = json.dumps([{"message": message} for message in messages])
    with pytest.raises(LogError, match=r"is not JSON: .*the file as it was exported, whole"):
        slowlog.read(file("events.json", text[:-5]))
