"""What XES events say of jobs, on small logs with the quirks of public ones."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from time import monotonic

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import xes
from jobsim.joblog.notes import Note
from jobsim.joblog.reading import Reading
from jobsim.joblog.schema import schema

PREVIOUS_END = (
    "marked: no schedule of its own, submitted when the work before it on the same activity of"
    " the case ended"
)
END_ALONE = "dropped: an end without a start or a schedule before it, which has no duration"


@pytest.fixture
def read(file, a_log, a_trace, an_event):
    """Reads a log of one trace with these events; a text is a trace as it stands."""

    def read_events(*events, name="log.xes", reading=None, **more):
        traces = [event for event in events if isinstance(event, str)]
        rest = [an_event(*event) for event in events if not isinstance(event, str)]
        path = file(name, a_log(*traces, a_trace("c1", *rest) if rest else "", **more))
        return xes.read(path, reading) if reading else xes.read(path)

    return read_events


def reasons(log):
    return {note.reason: note.count for note in log.notes if not note.reason.startswith("moved")}


def known(log, row=0):
    return log.jobs.iloc[row].dropna().to_dict()


def test_a_scheduled_item_waits_until_its_start_and_runs_until_its_end(read):
    log = read(
        ("Check", "SCHEDULE", "09:00", "112"),
        ("Check", "START", "09:10", "10862"),
        ("Check", "COMPLETE", "09:15", "10862"),
    )
    assert known(log) == {
        "job_id": "c1/Check/1",
        "kind": "Check",
        "submit_s": 0.0,
        "start_s": 600.0,
        "run_s": 300.0,
        "outcome": "completed",
        "owner": "10862",
    }
    assert log.origin == datetime(2024, 3, 1, 8, 0, tzinfo=UTC)
    assert reasons(log) == {}


def test_transitions_may_be_in_any_case(read):
    log = read(("A", "schedule", "09:00"), ("A", "Start", "09:01"), ("A", " COMPLETE ", "09:02"))
    assert log.jobs["run_s"].tolist() == [60]


def test_every_start_of_one_schedule_is_a_job_submitted_when_the_one_before_ended(read):
    log = read(
        ("Call", "SCHEDULE", "09:00"),
        ("Call", "START", "09:10"),
        ("Call", "COMPLETE", "09:11"),
        ("Call", "START", "10:00"),
        ("Call", "COMPLETE", "10:05"),
    )
    assert log.jobs[["submit_s", "start_s", "run_s"]].values.tolist() == [
        [0, 600, 60],
        [660, 3600, 300],
    ]
    assert reasons(log) == {PREVIOUS_END: 1}


def test_a_schedule_that_comes_while_the_work_before_goes_on_is_answered_by_the_next_start(read):
    log = read(
        ("Call", "START", "09:00"),
        ("Call", "SCHEDULE", "09:05"),
        ("Call", "COMPLETE", "09:06"),
        ("Call", "START", "09:07"),
        ("Call", "COMPLETE", "09:08"),
    )
    assert log.jobs["submit_s"].tolist() == [0, 300]
    assert log.jobs["start_s"].isna().tolist() == [True, False]


def test_work_whose_submission_is_not_logged_has_no_wait_instead_of_a_wait_of_zero(read):
    log = read(("A", "START", "09:00"), ("A", "COMPLETE", "09:01"))
    assert known(log)["submit_s"] == 0
    assert pd.isna(log.jobs["start_s"][0])
    assert reasons(log) == {"marked: submission times are not logged, starts stand for them": 1}


def test_an_assignment_stands_for_a_schedule_that_is_not_logged(read):
    log = read(
        ("A", "ASSIGN", "09:00"),
        ("A", "REASSIGN", "09:01"),
        ("A", "START", "09:02"),
        ("A", "COMPLETE", "09:03"),
        ("B", "SCHEDULE", "09:00"),
        ("B", "ASSIGN", "09:01"),
        ("B", "START", "09:02"),
        ("B", "COMPLETE", "09:03"),
    )
    assert log.jobs[["submit_s", "start_s"]].values.tolist() == [[0, 120], [0, 120]]
    reason = "marked: no schedule before the start, the assignment stands for the submission"
    assert reasons(log) == {reason: 1}


def test_time_suspended_is_no_run_time(read):
    log = read(
        ("A", "START", "09:00"),
        ("A", "SUSPEND", "09:10"),
        ("A", "RESUME", "09:30"),
        ("A", "SUSPEND", "09:40"),
        ("A", "COMPLETE", "09:50"),
    )
    assert log.jobs["run_s"].tolist() == [20 * 60]
    assert reasons(log)["mended: time suspended, left out of the run time"] == 1


@pytest.mark.parametrize("end", ["ATE_ABORT", "PI_ABORT"])
def test_work_that_is_aborted_ran_until_then_and_is_cancelled(read, end):
    log = read(("A", "SCHEDULE", "09:00"), ("A", "START", "09:01"), ("A", end, "09:05"))
    assert (log.jobs["outcome"][0], log.jobs["run_s"][0]) == ("cancelled", 240)


@pytest.mark.parametrize("end", ["WITHDRAW", "MANUALSKIP", "PI_ABORT"])
def test_what_is_withdrawn_before_its_start_has_no_run_time(read, end):
    log = read(("A", "SCHEDULE", "09:00"), ("A", end, "09:05"))
    assert (log.jobs["outcome"][0], log.jobs["run_s"].isna()[0]) == ("cancelled", True)
    assert reasons(log) == {"mended: no start is logged, run time left missing": 1}


def test_what_the_system_skipped_was_no_work(read):
    log = read(("A", "AUTOSKIP", "09:00"), ("B", "START", "09:00"), ("B", "COMPLETE", "09:01"))
    assert log.jobs["kind"].tolist() == ["B"]
    assert reasons(log)["dropped: skipped by the system, there was no work"] == 1


def test_a_start_without_an_end_has_no_run_time(read):
    log = read(("A", "SCHEDULE", "09:00"), ("A", "START", "09:01"))
    assert known(log)["start_s"] == 60
    assert (log.jobs["outcome"][0], pd.isna(log.jobs["run_s"][0])) == ("unknown", True)
    assert reasons(log) == {"mended: no end is logged, run time left missing": 1}


def test_what_is_scheduled_and_never_started_is_a_job_that_never_ran(read):
    log = read(("A", "SCHEDULE", "09:00"), ("B", "START", "09:01"), ("B", "COMPLETE", "09:02"))
    assert log.jobs["run_s"].isna().tolist() == [True, False]
    assert reasons(log)["marked: neither a start nor an end is logged, no run time"] == 1


def test_events_that_are_an_end_only_are_left_out_and_counted(read):
    log = read(
        ("Sent", "COMPLETE", "09:00"),
        ("Paid", "COMPLETE", "09:00"),
        ("A", "START", "09:00"),
        ("A", "COMPLETE", "09:01"),
        ("A", "COMPLETE", "09:02"),
    )
    assert log.jobs["kind"].tolist() == ["A"]
    assert reasons(log)[END_ALONE] == 3


@pytest.mark.parametrize(
    ("transitions", "what"),
    [
        (["COMPLETE"] * 2, "its transitions are 'complete'"),
        ([None] * 2, "it has no lifecycle:transition"),
        (["Open", "In Progress"], "its transitions are 'open', 'in progress'"),
        ([f"step {n}" for n in range(9)], "'step 4', ..."),
    ],
)
def test_a_log_without_durations_is_refused_with_the_way_to_a_better_one(read, transitions, what):
    with pytest.raises(LogError, match=r"nothing has a duration.*jobsim record run") as error:
        read(*(("Sent", transition, "09:00") for transition in transitions))
    assert f"{what})" in str(error.value)


def test_transitions_of_another_model_are_left_out_and_counted(read):
    log = read(
        ("A", "START", "09:00"),
        ("A", "Awaiting Assignment", "09:01"),
        ("A", None, "09:02"),
        ("A", "COMPLETE", "09:03"),
    )
    assert log.jobs["run_s"].tolist() == [180]
    foreign = "dropped: events whose lifecycle:transition is missing or none of the standard model"
    assert reasons(log)[foreign] == 2


def test_of_several_at_work_at_once_the_oldest_ends_first_and_it_is_said(read):
    log = read(
        ("A", "START", "09:00"),
        ("A", "START", "09:01"),
        ("A", "COMPLETE", "09:05"),
        ("A", "COMPLETE", "09:07"),
    )
    assert log.jobs["run_s"].tolist() == [300, 360]
    assert reasons(log)["guessed: of several at work at once, the oldest ended first"] == 1


def test_instances_tell_work_on_one_activity_apart(read, a_trace, an_event):
    log = read(
        a_trace(
            "c1",
            an_event("A", "START", "09:00", concept__instance="i1"),
            an_event("A", "START", "09:01", concept__instance="i2"),
            an_event("A", "COMPLETE", "09:02", concept__instance="i2"),
            an_event("A", "COMPLETE", "09:09", concept__instance="i1"),
        )
    )
    assert log.jobs["run_s"].tolist() == [540, 60]
    assert log.jobs["job_id"].tolist() == ["c1/A/1", "c1/A/2"]


def test_instances_that_only_number_the_events_tell_nothing_apart(read, a_trace, an_event):
    log = read(
        a_trace(
            "c1",
            an_event("A", "START", "09:00", concept__instance="1"),
            an_event("B", "START", "09:01", concept__instance="2"),
            an_event("A", "COMPLETE", "09:02", concept__instance="3"),
        )
    )
    assert log.jobs["run_s"].tolist()[:1] == [120]
    reason = "marked: concept:instance numbers events, not pieces of work; left out"
    assert reasons(log)[reason] == 3


@pytest.mark.parametrize("transition", [None, "complete"])
def test_an_event_with_its_start_is_a_piece_of_work_of_its_own(read, a_trace, an_event, transition):
    def piece(began, ended):
        began = f"2024-03-01T{began}+01:00"
        return an_event("A", transition, ended, start_timestamp=began)

    log = read(a_trace("c1", piece("09:00", "09:20"), piece("09:05", "09:06")))
    assert log.jobs["submit_s"].tolist() == [0, 300]
    assert log.jobs["run_s"].tolist() == [1200, 60]
    assert log.jobs["start_s"].isna().all()
    assert reasons(log) == {"marked: submission times are not logged, starts stand for them": 2}


def test_cases_of_one_name_stay_apart_and_one_without_a_name_gets_its_number(
    read, a_trace, an_event
):
    start, end = an_event("A", "START", "09:00"), an_event("A", "COMPLETE", "09:01")
    log = read(a_trace("x", start, end), a_trace("x", end, start, end), a_trace(None, start, end))
    assert sorted(log.jobs["job_id"]) == ["trace-3/A/1", "x/A/1", "x/A/2"]


def test_the_name_of_a_case_may_stand_behind_its_events(read, an_event):
    events = an_event("A", "START", "09:00") + an_event("A", "COMPLETE", "09:01")
    name = '<string key="concept:name" value="late"/>'
    log = read(f"<trace>{events}{name}</trace>", f"<trace>{name}{events}</trace>")
    assert log.jobs["job_id"].tolist() == ["late/A/1", "late/A/2"]


def test_offsets_that_change_with_the_clocks_are_kept_apart(read):
    log = read(
        ("A", "START", "2011-10-30T02:50:00.000+02:00"),
        ("A", "COMPLETE", "2011-10-30T02:10:00.000+01:00"),
    )
    assert log.jobs["run_s"].tolist() == [20 * 60]


def test_times_without_an_offset_are_those_of_the_zone_that_the_user_says(read):
    events = ("A", "START", "2024-07-01T09:00:00"), ("A", "COMPLETE", "2024-07-01T09:01:00")
    log = read(*events, reading=Reading(zone="Europe/Berlin"))
    assert log.origin == datetime(2024, 7, 1, 7, 0, tzinfo=UTC)
    marked = "marked: times name no zone, taken as UTC (--zone says another)"
    assert reasons(read(*events))[marked] == 2


def test_events_out_of_order_are_put_in_the_order_of_time(read):
    log = read(("A", "COMPLETE", "09:05"), ("A", "START", "09:01"), ("A", "SCHEDULE", "09:00"))
    assert log.jobs[["submit_s", "start_s", "run_s"]].values.tolist() == [[0, 60, 240]]


def test_the_owner_is_the_resource_of_the_start_or_else_of_the_end(read):
    log = read(
        ("A", "START", "09:00", "ann"),
        ("A", "COMPLETE", "09:01", "bob"),
        ("B", "START", "09:00"),
        ("B", "COMPLETE", "09:01", "bob"),
        ("C", "START", "09:00", "UNKNOWN"),
        ("C", "COMPLETE", "09:01"),
    )
    owners = log.jobs.set_index("kind")["owner"].astype(object)
    assert owners[["A", "B"]].tolist() == ["ann", "bob"]
    assert pd.isna(owners["C"])


def test_a_time_that_is_the_declared_default_is_no_time(read):
    log = read(
        ("A", "START", "09:00"),
        ("A", "COMPLETE", "1970-01-01T00:00:00.000+01:00"),
        ("A", "COMPLETE", "09:03"),
        ("A", "COMPLETE", None),
    )
    assert log.jobs["run_s"].tolist() == [180]
    assert reasons(log)["dropped: events without a time or a name of what was done"] == 2


def test_attributes_without_a_value_say_nothing(read, a_trace, an_event):
    blank = '<global scope="event"><string key="org:resource"/></global>'
    start = an_event("A", "START", "09:00", "ann").replace(
        "</event>", "<string/><int key='x'/></event>"
    )
    end = an_event("A", "COMPLETE", "09:01").replace(
        "</event>", '<date key="org:resource"/></event>'
    )
    log = read(a_trace("c", start, end), first=blank)
    assert (log.jobs["run_s"][0], log.jobs["owner"][0]) == (60, "ann")


def test_a_time_that_is_none_is_a_fault_with_its_line(read):
    with pytest.raises(LogError, match=r"log\.xes:\d+: time:timestamp 'soon' is no instant"):
        read(("A", "START", "soon"), ("A", "COMPLETE", "09:01"))


def test_names_are_made_printable(read):
    log = read((" A\tb ", "START", "09:00", " x "), (" A\tb ", "COMPLETE", "09:01"))
    assert known(log)["kind"] == "A b"
    assert known(log)["owner"] == "x"


def test_a_log_without_a_namespace_and_packed_reads_the_same(read):
    events = ("A", "SCHEDULE", "09:00"), ("A", "START", "09:01"), ("A", "COMPLETE", "09:02")
    plain = read(*events)
    packed = read(*events, name="other.xes.gz", namespace="")
    prefixed = 'xes.version="1.0" xmlns:x="http://example.org/other"'
    pd.testing.assert_frame_equal(plain.jobs, packed.jobs)
    pd.testing.assert_frame_equal(plain.jobs, read(*events, root=prefixed).jobs)
    assert packed.name == "other"


@pytest.mark.parametrize(
    ("head", "is_xes"),
    [
        (b'<?xml version="1.0"?>\n<!-- <x> -->\n<log xes.version="1.0">', True),
        (b'<log xmlns="http://www.xes-standard.org/">', True),
        (b"<log>\n<trace>", True),
        (b'<log openxes.version="1.0RC7">', True),
        (b"<log><entry/></log>", False),
        (b"<logs><trace>", False),
        (b"<Task xmlns='http://schemas.microsoft.com/windows/2004/02/mit/task'>", False),
        (b"# <log xes.version='1.0'>", False),
        (b"job_id,submit_s,run_s\n1,2,3\n", False),
        (b"<!--" * 20_000, False),
        (b" " * 65_536, False),
    ],
)
def test_xes_is_known_by_its_first_element(head, is_xes):
    begin = monotonic()
    assert xes.looks_like(head) is is_xes
    assert monotonic() - begin < 1


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_events_give_a_right_table_or_a_clear_error(
    data, an_event, a_trace, a_log, tmp_path_factory
):
    steps = ["schedule", "assign", "start", "suspend", "resume", "complete", "ate_abort"]
    steps += ["withdraw", "manualskip", "autoskip", "pi_abort", "strange", None]
    local = ["2024-03-01T09:30:00", "2024-03-31T02:30:00", "0001-01-01T00:00:00"]
    times = st.sampled_from(["09:00", "09:01", *local, "never", None]) | st.integers(0, 59).map(
        lambda minute: f"10:{minute:02}"
    )
    event = st.builds(
        an_event,
        st.sampled_from(["A", "B", " ", None]),
        st.sampled_from(steps),
        times,
        st.sampled_from(["ann", "", None]),
    )
    traces = st.lists(
        st.builds(a_trace, st.sampled_from(["c", None]), st.lists(event).map("".join))
    )
    path = tmp_path_factory.mktemp("xes") / "a.xes"
    path.write_text(a_log(*data.draw(traces)))
    with suppress(LogError):
        log = xes.read(path, Reading(zone="Europe/Berlin"))
        schema().validate(log.jobs, lazy=True)
        assert log.jobs["submit_s"].iloc[0] == 0
        assert all(one <= next_ for one, next_ in pairwise(log.jobs["submit_s"]))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_a_clear_error_or_a_right_table(
    data, an_event, a_trace, a_log, tmp_path_factory
):
    whole = a_log(a_trace("c", an_event("A", "START", "09:00"), an_event("A", "COMPLETE", "09:01")))
    text = whole.encode()
    cut = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.binary(max_size=20) | st.sampled_from([b"</trace>", b"<event>", b"&x;"]))
    path = tmp_path_factory.mktemp("xes") / "a.xes"
    path.write_bytes(text[:cut] + junk + text[data.draw(st.integers(cut, len(text))) :])
    with suppress(LogError):
        schema().validate(xes.read(path).jobs, lazy=True)


def test_notes_count_jobs_not_lines(read):
    log = read(("A", "START", "09:00"), ("A", "COMPLETE", "09:01"))
    assert log.notes[-1] == Note(
        "moved: the clock begins at the first submission (was at 1709280000 s)", 1
    )
