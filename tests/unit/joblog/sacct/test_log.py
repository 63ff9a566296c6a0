"""What sacct's fields mean for jobs, on small logs with the quirks of real ones."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import sacct
from jobsim.joblog.reading import UNFINISHED
from jobsim.joblog.schema import schema

HEADER = "JobID|JobName|User|Partition|Submit|Start|End|Elapsed|State|MaxRSS"


def test_a_job_has_all_that_its_row_says(read, job):
    header = "Priority|State|ElapsedRaw|JobID|User|JobName|Submit|Start|MaxRSS|Restarts"
    log = read(
        job(header, Priority="6831", ElapsedRaw="90", MaxRSS="2048K", Restarts="1"), header=header
    )
    assert log.jobs.iloc[0].to_dict() == {
        "job_id": 7,
        "kind": "render",
        "submit_s": 0.0,
        "start_s": 30.0,
        "run_s": 90.0,
        "outcome": "completed",
        "priority": 6831.0,
        "owner": "ann",
        "memory_mb": 2.0,
        "attempts": 2.0,
    }
    assert log.origin == datetime(2024, 3, 5, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ("COMPLETED", "completed"),
        ("FAILED", "failed"),
        ("NODE_FAIL", "failed"),
        ("OUT_OF_MEMORY", "failed"),
        ("BOOT_FAIL", "failed"),
        ("CANCELLED", "cancelled"),
        ("CANCELLED by 10001", "cancelled"),
        ("CANCELLED by ann", "cancelled"),
        ("CANCELLED+", "cancelled"),
        ("PREEMPTED", "cancelled"),
        ("TIMEOUT", "timeout"),
        ("DEADLINE", "timeout"),
        ("", "unknown"),
    ],
)
def test_the_state_says_how_a_job_ended(read, job, state, outcome):
    log = read(job(State=state))
    assert log.jobs["outcome"].tolist() == [outcome]
    assert log.jobs["run_s"].tolist() == [90]


def test_a_state_that_slurm_does_not_have_is_unknown_and_marked(read, job, noted):
    log = read(job(State="EVAPORATED"))
    assert log.jobs["outcome"].tolist() == ["unknown"]
    assert noted(log, "'EVAPORATED' is not known") == 1


def test_the_user_says_what_a_state_means(read, job):
    log = read(job(JobID="1", State="PREEMPTED"), outcomes={"preempted": "failed"})
    assert log.jobs["outcome"].tolist() == ["failed"]
    log = read(job(JobID="1", State="COMPLETED"), outcomes={"COMPLETED": UNFINISHED})
    assert log.jobs["run_s"].isna().all()


@pytest.mark.parametrize("state", ["RUNNING", "SUSPENDED", "COMPLETING"])
def test_a_job_that_had_not_ended_has_no_run_time(read, job, noted, state):
    log = read(job(State=state, End="Unknown"))
    assert log.jobs["start_s"].tolist() == [30]
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["outcome"].tolist() == ["unknown"]
    assert noted(log, "not ended when the log was made") == 1


@pytest.mark.parametrize("none", ["Unknown", "None", "N/A", "", "1970-01-01T01:00:00"])
def test_a_job_that_had_not_started_has_neither_start_nor_run_time(read, job, none):
    log = read(job(State="PENDING", Start=none, End=none, Elapsed="00:00:00"))
    assert log.jobs[["start_s", "run_s"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("header", "field", "sign"),
    [
        (HEADER, "MaxRSS", ""),
        (f"{HEADER}|NodeList", "NodeList", "None assigned"),
        (f"{HEADER}|AllocCPUS", "AllocCPUS", "0"),
    ],
)
def test_a_job_cancelled_before_it_started_did_not_run_no_time(
    read, job, noted, header, field, sign
):
    at = "2024-03-05T11:00:00"
    cancelled = {"State": "CANCELLED by 5", "Start": at, "End": at, "Elapsed": "00:00:00"}
    log = read(job(header, **cancelled, **{field: sign}), header=header)
    assert log.jobs[["start_s", "run_s"]].isna().all(axis=None)
    assert noted(log, "cancelled before it started") == 1


def test_a_job_that_failed_at_once_ran_no_time(read, job):
    header = f"{HEADER}|NodeList"
    failed = {"End": "2024-03-05T10:00:30", "Elapsed": "00:00:00", "NodeList": "n1"}
    log = read(
        job(header, State="FAILED", JobID="1", **failed),
        job(header, State="CANCELLED by 3", JobID="2", **failed),
        header=header,
    )
    assert log.jobs["run_s"].tolist() == [0, 0]


def test_elapsed_leaves_out_what_a_job_was_suspended(read, job, noted):
    log = read(job(Elapsed="00:01:00"))
    assert log.jobs["run_s"].tolist() == [60]
    assert noted(log, "suspended") == 1


def test_days_of_elapsed_count(read, job):
    log = read(job(End="2024-03-07T11:00:31", Elapsed="2-01:00:01"))
    assert log.jobs["run_s"].tolist() == [2 * 86_400 + 3_601]


def test_memory_asked_for_is_not_memory_used(read, job):
    header = f"{HEADER}|ReqMem"
    log = read(job(header, ReqMem="2147486448Mn"), header=header)
    assert log.jobs["memory_mb"].isna().all()


def test_local_times_are_those_of_the_zone(read, job, noted):
    log = read(job(Start="2024-03-31T01:59:00", Submit="2024-03-31T01:58:00"), zone="Europe/Berlin")
    assert log.origin == datetime(2024, 3, 31, 0, 58, tzinfo=UTC)
    assert noted(log, "no zone") == 0
    assert noted(read(job()), "times name no zone") == 1


@pytest.mark.parametrize(
    ("submit", "start"),
    [("1709632800", "1709632830"), ("2024-03-05 11:00:00+01:00", "2024-03-05 10:00:30Z")],
)
def test_times_in_another_format_are_instants_too(read, job, submit, start):
    log = read(job(Submit=submit, Start=start), zone="America/Lima")
    assert log.origin == datetime(2024, 3, 5, 10, tzinfo=UTC)
    assert log.jobs["start_s"].tolist() == [30]


def test_a_job_that_was_eligible_later_is_marked(read, job, noted):
    header = f"{HEADER}|Eligible"
    log = read(job(header, Eligible="2024-03-05T10:00:20"), header=header)
    assert log.jobs["submit_s"].tolist() == [0]
    assert noted(log, "eligible") == 1


def test_eligible_stands_for_a_submission_that_is_not_in_the_file(read, job, noted):
    header = "JobID|Eligible|Start|State"
    log = read(job(header, Eligible="2024-03-05T10:00:20"), header=header)
    assert log.jobs["start_s"].tolist() == [10]
    assert noted(log, "Eligible stands for them") == 1


def test_starts_that_stand_for_submissions_are_no_waits_of_zero(read, job, noted):
    header = "JobID|Start|Elapsed|State"
    log = read(job(header), header=header)
    assert log.jobs["start_s"].isna().all()
    assert noted(log, "Start stands for them") == 1


@pytest.mark.parametrize("name", ["Planned", "Reserved"])
def test_a_start_that_is_not_in_the_file_is_eligible_and_planned(read, job, noted, name):
    header = f"JobID|Submit|Eligible|{name}|Elapsed|State"
    log = read(job(header, Eligible="2024-03-05T10:00:05", **{name: "01:00:00"}), header=header)
    assert log.jobs["start_s"].tolist() == [3605]
    assert noted(log, "starts are Eligible and Planned") == 1


def test_without_start_end_and_id_waits_are_known_and_run_times_are_not(read, job, noted):
    header = "CPUTimeRAW|ReqCPUS|ReqMem|ResvCPURAW|Submit|Timelimit|State"
    wait = {"ReqCPUS": "4", "ResvCPURAW": "80", "ReqMem": "100Mc", "Timelimit": "UNLIMITED"}
    log = read(
        job(header, CPUTimeRAW="4000", **wait),
        job(header, CPUTimeRAW="0", State="CANCELLED by 9", **wait),
        job(header, CPUTimeRAW="0", State="FAILED", **wait),
        header=header,
    )
    assert log.jobs["start_s"].tolist() == pytest.approx([20, np.nan, 20], nan_ok=True)
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["job_id"].tolist() == [1, 2, 3]
    assert noted(log, "run times are not in the file (CPU times are") == 3
    assert noted(log, "jobs have no id") == 3


def test_cpu_time_over_allocated_cpus_is_a_run_time(read, job):
    header = "JobID|Submit|CPUTimeRAW|AllocCPUS|State"
    log = read(job(header, CPUTimeRAW="400", AllocCPUS="8"), header=header)
    assert log.jobs["run_s"].tolist() == [50]


def test_partitions_are_kinds_where_each_job_has_its_own_name(read, job):
    own = [job(JobID=str(n), JobName=f"run {n}", Partition="gpu") for n in range(4)]
    assert read(*own).jobs["kind"].tolist() == ["gpu"] * 4
    shared = [job(JobID=str(n), JobName=f"run {n % 2}") for n in range(4)]
    assert read(*shared).jobs["kind"].tolist() == ["run 0", "run 1"] * 2


def test_the_user_number_is_an_owner_too(read, job):
    header = "JobID|UID|Submit|State"
    assert read(job(header, UID="501"), header=header).jobs["owner"].tolist() == ["501"]


def test_times_that_cannot_be_are_left_missing(read, job, noted):
    header = "JobID|Submit|Start|End|State"
    log = read(
        job(header, JobID="1", Start="2024-03-05T09:59:00", End="2024-03-05T09:58:00"),
        job(header, JobID="2"),
        header=header,
    )
    assert log.jobs["start_s"].tolist() == pytest.approx([np.nan, 30], nan_ok=True)
    assert log.jobs["run_s"].tolist() == pytest.approx([np.nan, 90], nan_ok=True)
    assert noted(log, "ended before it started") == noted(log, "started before it was") == 1


def test_a_job_without_a_submission_is_dropped_and_counted(read, job, noted):
    log = read(job(JobID="1", Submit="Unknown"), job(JobID="2"))
    assert log.jobs["job_id"].tolist() == [2]
    assert noted(log, "dropped: when it was submitted is not known") == 1


def test_a_log_of_jobs_that_ended_in_a_time_is_marked(read, job, noted):
    def at(day, hour=0, minute=0, second=0):
        return f"2024-03-{day:02}T{hour:02}:{minute:02}:{second:02}"

    long = [
        job(
            JobID=f"{n}",
            Submit=at(n, 10),
            Start=at(n, 10),
            End=at(10, 0, 0, 5),
            Elapsed=f"{9 - n}-14:00:05",
        )
        for n in range(1, 5)
    ]
    short = [
        job(
            JobID=f"{100 + n}",
            Submit=at(10, *divmod(n * 2, 60)),
            Start=at(10, *divmod(n * 2, 60), 30),
            End=at(10, *divmod(n * 2 + 1, 60), 30),
            Elapsed="00:01:00",
        )
        for n in range(300)
    ]
    assert noted(read(*long, *short), "chosen by END time") == 5
    assert noted(read(*short), "chosen by END time") == 0


@pytest.mark.parametrize(
    ("field", "cell", "right"),
    [
        ("Submit", "2024-13-05T10:00:00", "an instant as 2024-06-24T12:33:26"),
        ("Submit", "12", "an instant as"),
        ("Elapsed", "1:75:00", "a duration as 1-02:03:04"),
    ],
)
def test_a_cell_that_is_wrong_is_told_with_its_line(read, job, field, cell, right):
    with pytest.raises(LogError, match=rf"jobs.txt:2: column {field.lower()}: '{cell}'.*{right}"):
        read(job(**{field: cell}))


def test_every_wrong_cell_is_told(read, job):
    with pytest.raises(LogError) as error:
        read(job(Elapsed="x"), job(), job(Elapsed="y", Submit="z"))
    assert [fault.line for fault in error.value.faults] == [2, 4, 4]


@pytest.mark.parametrize("header", ["JobID|State|ExitCode|User", "JobID|End|Elapsed|State"])
def test_a_file_that_cannot_answer_is_refused_with_the_command_for_a_good_one(read, job, header):
    with pytest.raises(
        LogError, match=r"no field says when jobs were submitted.*sacct -P .*Submit"
    ):
        read(job(header), header=header)


def test_a_log_of_which_no_job_was_submitted_is_refused(read, job):
    with pytest.raises(LogError, match="no row says when a job was submitted"):
        read(job(Submit="Unknown"))


@st.composite
def a_log(draw):
    """Lines, and what reading them must give: id, submission, start, run time."""
    lines, jobs = [], []
    for number in range(draw(st.integers(1, 20))):
        submit = draw(st.integers(1_600_000_000, 1_700_000_000))
        wait, run = draw(st.integers(0, 200_000)), draw(st.integers(1, 200_000))
        start = submit + wait
        started, ended = draw(st.sampled_from([(True, True), (True, False), (False, False)]))
        when = [
            f"{np.datetime64(at, 's')}" if known else "Unknown"
            for at, known in ((submit, True), (start, started), (start + run, ended))
        ]
        long = run if started else 0
        elapsed = f"{long // 86400}-" if long >= 86400 else ""
        elapsed += f"{long // 3600 % 24:02}:{long // 60 % 60:02}:{long % 60:02}"
        state = "COMPLETED" if ended else ("RUNNING" if started else "PENDING")
        lines.append("|".join([str(number), "n", "u", "p", *when, elapsed, state, ""]))
        jobs.append((number, submit, start if started else np.nan, run if ended else np.nan))
    return lines, jobs


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(written=a_log(), shuffle=st.randoms())
def test_what_sacct_writes_reads_back(read, written, shuffle):
    lines, jobs = written
    shuffle.shuffle(lines)
    log = read(*lines)
    schema().validate(log.jobs)
    first_s = log.origin.timestamp()
    table = log.jobs.sort_values("job_id")
    found = zip(
        table["job_id"], table["submit_s"] + first_s, table["start_s"] + first_s, table["run_s"],
        strict=True,
    )  # fmt: skip
    assert [*map(tuple, found)] == [pytest.approx(job, nan_ok=True) for job in jobs]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_are_refused_or_give_a_right_table(tmp_path, job, data):
    ruled = data.draw(st.booleans())
    above = [] if ruled else data.draw(st.sampled_from([[HEADER], []]))
    lines = [*above, *(job(JobID=str(n)) for n in range(5))]
    if ruled:
        lines = in_columns(HEADER, *lines)
    text = bytearray("\n".join(data.draw(st.permutations(lines))), "ascii")
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    text = text[: data.draw(st.integers(1, len(text) + 1))]
    path = tmp_path / "log.txt"
    path.write_bytes(text)
    with suppress(LogError):
        schema().validate(sacct.read(path).jobs)


@pytest.mark.parametrize(
    "data", [b"", b"\0\1\2", b"||||\n||||\n", b"<xml/>\n", b"[1]\n", b"a,b\n1,2\n", b"\x1f\x8b\x08"]
)
def test_other_files_are_refused(tmp_path, data):
    path = tmp_path / "log.txt"
    path.write_bytes(data)
    with pytest.raises(LogError):
        sacct.read(path)


def in_columns(*lines):
    """The lines in columns of fixed width, a ruler below the first."""
    cells = [line.split("|") for line in lines]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    texts = [" ".join(map(str.rjust, row, widths)) for row in cells]
    return [texts[0], " ".join("-" * width for width in widths), *texts[1:]]


def test_columns_of_fixed_width_say_what_separated_ones_say(read, job):
    lines = [HEADER, job(), job(JobID="7.batch", MaxRSS="2048K"), job(JobID="8", State="FAILED")]
    assert read(*in_columns(*lines), header="").jobs.equals(read(*lines, header="").jobs)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_json_is_refused_or_gives_a_right_table(read, data):
    number = st.integers(0, 2**33) | st.fixed_dictionaries(
        {"set": st.booleans(), "number": ANYTHING}
    )
    cell = number | ANYTHING
    time = st.fixed_dictionaries(dict.fromkeys(("submission", "start", "end", "elapsed"), cell))
    names = ("job_id", "name", "user", "state", "priority", "array", "het", "steps", "nodes")
    job = st.fixed_dictionaries({"time": time | ANYTHING, **dict.fromkeys(names, cell)})
    text = json.dumps({"submission": 1, "jobs": data.draw(st.lists(job, max_size=3))})
    with suppress(LogError):
        schema().validate(read(text, header="").jobs)


@pytest.mark.parametrize(
    ("state", "outcome"),
    [("OUT_OF_ME+", "failed"), ("CANCELLED+", "cancelled"), ("REQUEUE_F+", "unknown")],
)
def test_a_state_cut_off_is_known_by_its_beginning(read, job, noted, state, outcome):
    log = read(job(State=state))
    assert log.jobs["outcome"].tolist() == [outcome]
    assert not noted(log, "is not known")


def test_json_says_what_a_row_says(read, job):
    start_s = 1709632830
    of_json = {
        "job_id": 7,
        "name": "render",
        "user": "ann",
        "partition": "short",
        "time": {"submission": start_s - 30, "start": start_s, "end": start_s + 90, "elapsed": 90},
        "state": {"current": ["COMPLETED"]},
        "nodes": "n1",
    }
    log = read(json.dumps({"jobs": [of_json]}), header="")
    assert log.jobs.equals(read(job()).jobs)
    assert log.origin == datetime(2024, 3, 5, 10, tzinfo=UTC)
    assert [note.reason.split(":")[0] for note in log.notes] == ["moved"]


def test_a_wrong_cell_of_json_is_told_without_a_line(read):
    text = json.dumps({"jobs": [{"job_id": 7, "time": {"submission": "soon"}}]})
    with pytest.raises(LogError, match=r"jobs.txt: column submit: 'soon' is wrong"):
        read(text, header="")
