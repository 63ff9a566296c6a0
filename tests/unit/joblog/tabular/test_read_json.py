"""JSON lines and lists."""

import json

import pytest

from jobsim.errors import LogError
from jobsim.joblog.tabular import read_json

JOBS = [
    {
        "id": 1,
        "created_at": "2024-05-13T10:00:00Z",
        "took_ms": 500,
        "by": {"user": {"name": "ann"}},
    },
    {"id": 2, "created_at": "2024-05-13T10:01:00Z", "took_ms": None, "tags": ["a"]},
]


@pytest.fixture
def read(file):
    return lambda *lines: read_json.read(file("a.jsonl", *lines))


@pytest.mark.parametrize(
    "lines",
    [
        [json.dumps(job) for job in JOBS],
        [json.dumps(job, indent=1) for job in JOBS],
        [json.dumps(JOBS, indent=1)],
        [json.dumps({"total": 2, "items": JOBS}, indent=1)],
        [json.dumps({"items": [job]}) for job in JOBS],
    ],
)
def test_lines_lists_and_pages_say_the_same(read, lines):
    log = read(*lines)
    assert log.jobs["run_s"].tolist()[0] == 0.5
    assert log.jobs["run_s"].isna().tolist() == [False, True]


def test_objects_within_become_columns(file):
    from jobsim.joblog.reading import Reading

    path = file("a.json", json.dumps(JOBS))
    log = read_json.read(path, Reading(columns={"owner": "by.user.name"}))
    assert log.jobs["owner"].tolist()[0] == "ann"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['{"created_at": 1}', "nonsense"], "a.jsonl:2: 'nonsense' is no JSON object"),
        (['{"created_at": 1}', "[1]"], "a.jsonl:2"),
        (["[{}, 1]"], "element 2"),
        (['[{"a": 1}'], "not JSON"),
        (["[" * 100_000], "not JSON"),
        (["[]"], "no job"),
    ],
)
def test_what_is_no_object_is_refused_with_its_line(read, lines, message):
    with pytest.raises(LogError) as refused:
        read(*lines)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        *[('{"a": 1}\n{"a": 2}', True), ('[\n{"a":', True), ('{\n  "a": [', True)],
        *[("[section]", False), ("a,b", False), ("{a: 1}", False)],
    ],
)
def test_json_is_known_by_its_beginning(head, is_one):
    assert read_json.looks_like(head.encode()) is is_one
