"""Records become columns by the best member that they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobsim.errors import LogError
from jobsim.joblog.ci.export import Export, Shape, without_starts
from jobsim.joblog.reading import PLAIN

SHAPE = Shape(
    {
        "id": ("id",),
        "submit": ("made", "made_at"),
        "start": ("begun",),
        "end": ("done",),
        "run": ("took_ms",),
        "outcome": ("result", "state"),
        "owner": ("by.name", "by"),
    },
    "state",
    {"fine": "completed"},
)


def record(number=1, **members):
    return {"id": number, "made_at": "2026-05-04T10:00:00Z", "state": "completed"} | members


def export(*records):
    return Export(records, SHAPE, PLAIN, Path("runs.json"))


def test_of_several_members_the_best_that_holds_anything_is_taken():
    found = export(record(made=None, by={"name": "ann"}), record(2, made="", by="bob"))
    assert found.column["submit"] == "made_at"
    assert found.log().jobs["owner"].tolist()[0] == "ann"


def test_the_state_says_how_far_a_record_is_that_has_no_outcome():
    found = export(
        record(1, result="fine"), record(2, result=None, state="running"), record(3, result="none")
    )
    assert found.words().fillna("").tolist() == ["fine", "running", ""]
    assert found.log().jobs["outcome"].tolist() == ["completed", "unknown", "unknown"]


def test_a_run_time_has_the_unit_of_its_name():
    assert export(record(took_ms=1500)).log().jobs["run_s"].tolist() == [1.5]


def test_of_records_with_the_same_id_the_last_to_end_is_taken():
    ends = (f"2026-05-04T10:0{n}:00Z" for n in (2, 3, 1))
    begun = "2026-05-04T10:00:00Z"
    log = export(*(record(begun=begun, done=done, result="fine") for done in ends)).log()
    assert log.jobs["run_s"].tolist() == [180]
    assert "dropped: a run that comes a second time" in {note.reason for note in log.notes}


def test_starts_that_are_none_are_left_out_with_a_note():
    log = export(record(begun="2026-05-04T10:00:07Z")).log()
    assert log.jobs["start_s"].tolist() == [7]
    bare = without_starts(log, "marked: no starts")
    assert bare.jobs["start_s"].isna().all()
    assert bare.notes[-1].count == 1


def test_records_that_say_no_time_are_refused():
    with pytest.raises(
        LogError, match=r"runs.json: no run says when it was created; one of made, "
    ):
        export({"id": 1}).log()
