"""A log without its names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import UsageError
from jobsim.joblog import own_csv, own_parquet, write
from jobsim.joblog.anonymise import NAME, REPLACED, anonymised
from jobsim.joblog.notes import KINDS, Note
from jobsim.joblog.readers import by_name
from jobsim.joblog.schema import BY_NAME, OUTCOMES
from jobsim.joblog.table import JobLog
from tests.unit.joblog.test_all_readers import SAMPLES, said

KEY = bytes(range(32))
PSEUDONYM = re.compile(r"(owner|kind|job)-[0-9a-f]{10,64}")


def log_of(**changed: Any) -> JobLog:
    columns = {
        "job_id": ["Mail#1", "Mail#2", "Bill#1"],
        "submit_s": [10.0, 20.0, 30.0],
        "start_s": [11.0, None, 30.0],
        "run_s": [1.0, 2.0, None],
        "kind": ["Mail", "Mail", "Bill"],
        "owner": ["Ann", None, "Ann"],
        "outcome": ["completed", "failed", "unknown"],
        "memory_mb": [5.0, None, 7.0],
        "priority": [1.0, None, -1.0],
    }
    with_it = {
        "name": "payroll",
        "source": "/home/ann/payroll.csv",
        "origin": datetime(2026, 3, 1, tzinfo=UTC),
        "workers": 3,
    }
    return JobLog.of(
        columns | {name: changed.pop(name) for name in [*changed] if name in columns},
        **(with_it | changed),
    )


def reasons(*said: str) -> list[str]:
    """The notes that are left of these, without the one on pseudonyms."""
    log = log_of(notes=tuple(Note(reason, 1) for reason in said))
    return [note.reason for note in anonymised(log, dates=True).notes if note.reason != REPLACED]


def test_equal_names_get_equal_pseudonyms_and_missing_ones_stay_missing() -> None:
    jobs = anonymised(log_of()).jobs
    assert jobs["owner"][0] == jobs["owner"][2]
    assert jobs["owner"].isna().tolist() == [False, True, False]
    assert jobs["kind"][0] == jobs["kind"][1] != jobs["kind"][2]
    assert jobs["job_id"].is_unique
    for column in ("owner", "kind", "job_id"):
        assert all(map(PSEUDONYM.fullmatch, jobs[column].dropna()))


def test_times_outcomes_and_numbers_stay() -> None:
    before, after = log_of(), anonymised(log_of(), dates=True)
    stays = ["submit_s", "start_s", "run_s", "outcome", "priority", "memory_mb", "attempts"]
    pd.testing.assert_frame_equal(before.jobs[stays], after.jobs[stays])
    assert after.workers == 3


def test_ids_that_are_numbers_stay() -> None:
    assert anonymised(log_of(job_id=[7, 8, 9])).jobs["job_id"].tolist() == [7, 8, 9]


def test_the_same_key_gives_the_same_pseudonyms_in_another_log() -> None:
    one = anonymised(log_of(), KEY).jobs
    other = anonymised(log_of(owner=["Zoe", "Ann", "Ben"]), KEY).jobs
    assert other["owner"][1] == one["owner"][0]
    assert anonymised(log_of(), KEY).jobs.equals(one)


def test_without_a_key_each_time_is_another() -> None:
    owners = {anonymised(log_of()).jobs["owner"][0] for _ in range(3)}
    assert len(owners) == 3


def test_names_that_may_stay_stay() -> None:
    jobs = anonymised(log_of(), keep=["kind"]).jobs
    assert jobs["kind"].tolist() == ["Mail", "Mail", "Bill"]
    assert jobs["owner"][0].startswith("owner-")
    assert anonymised(log_of(), keep=["job_id"]).jobs["job_id"][0] == "Mail#1"


def test_a_column_that_has_no_names_cannot_be_kept() -> None:
    with pytest.raises(UsageError, match="--keep kinds: did you mean kind"):
        anonymised(log_of(), keep=["kinds"])


def test_the_name_the_source_and_the_date_go_and_the_clock_begins_at_0() -> None:
    shared = anonymised(log_of())
    assert (shared.name, shared.source, shared.origin) == (NAME, NAME, None)
    assert shared.jobs["submit_s"].tolist() == [0.0, 10.0, 20.0]


def test_the_date_stays_if_asked() -> None:
    shared = anonymised(log_of(), dates=True)
    assert shared.origin == datetime(2026, 3, 1, tzinfo=UTC)
    assert shared.jobs["submit_s"].tolist() == [10.0, 20.0, 30.0]


def test_a_clock_that_counts_from_1970_gives_no_date_away() -> None:
    shared = anonymised(log_of(submit_s=[1.7e9, 1.7e9 + 5, 1.7e9 + 9], start_s=[None] * 3))
    assert shared.jobs["submit_s"].tolist() == [0.0, 5.0, 9.0]
    (moved,) = (note.reason for note in shared.notes if note.reason.startswith("moved"))
    assert moved == "moved: the clock begins at the first submission ..."


def test_a_note_of_plain_words_stays() -> None:
    plain = "mended: started before it was submitted, start left missing"
    assert reasons(plain) == [plain]


@pytest.mark.parametrize(
    ("reason", "left"),
    [
        ("guessed: owner is the column 'Ann'", "guessed: owner is the column ..."),
        ("mended: run time unknown (-1), left missing", "mended: run time unknown ..."),
        ("marked: only queries over 1 s", "marked: only queries over ..."),
        ("marked: only those of Bill", "marked: only those of ..."),
        ("guessed: submit is created_at", "guessed: submit is ..."),
        ("marked: all of bill and others", "marked: a note that quotes the log, left out"),
        ("marked: billed twice", "marked: a note that quotes the log, left out"),
        ("dropped: 'Bill'", "dropped: a note that quotes the log, left out"),
        ("what Ann did", "marked: a note that quotes the log, left out"),
    ],
)
def test_a_note_is_cut_before_what_may_quote_the_log(reason: str, left: str) -> None:
    assert reasons(reason) == [left]


def test_notes_that_are_the_same_when_cut_are_added_up() -> None:
    shared = anonymised(log_of(notes=(Note("marked: of 'A'", 1), Note("marked: of 'B'", 2))))
    assert Note("marked: of ...", 3) in shared.notes


def test_it_is_noted_that_names_were_replaced() -> None:
    assert Note(REPLACED, 3) in anonymised(log_of()).notes
    bare = log_of(job_id=[1, 2, 3], kind=[None] * 3, owner=["Ann", None, None])
    assert Note(REPLACED, 1) in anonymised(bare).notes


def test_it_can_be_done_twice() -> None:
    once = anonymised(log_of())
    twice = anonymised(once)
    assert not set(once.jobs["job_id"]) & set(twice.jobs["job_id"])


FEW = settings(max_examples=12)
"""Each example makes, checks and writes some tables, which takes a tenth of a second."""

# Letters that no word of the files' own has: what is found of them comes from the log.
SECRET = st.text("ÄÖÜßжщ漢字QXZ", min_size=3, max_size=12)
TIMES = st.floats(0, 1e6)
NOTES = st.sampled_from(
    [
        "guessed: owner is the column {!r}",
        "marked: only {}",
        "{}",
        "{}: left out",
        "mended: {} that is no instant",
        "dropped: of ({}), a second row",
        "assumed: a run time of {} s",
    ]
)


@st.composite
def secret_logs(draw: st.DrawFn) -> tuple[JobLog, set[str]]:
    """Logs whose names are told from all other text, and those names."""
    size = draw(st.integers(1, 6))
    ids = draw(st.lists(SECRET, min_size=size, max_size=size, unique=True))
    names = draw(st.lists(SECRET, min_size=2, max_size=4, unique=True))
    some = st.lists(st.none() | st.sampled_from(names), min_size=size, max_size=size)
    words = st.sampled_from([*ids, *names])
    notes = [Note(draw(NOTES).format(draw(words)), 1) for _ in range(draw(st.integers(0, 3)))]
    log = JobLog.of(
        {
            "job_id": ids,
            "kind": draw(some),
            "owner": draw(some),
            "submit_s": draw(st.lists(TIMES, min_size=size, max_size=size)),
            "run_s": draw(st.lists(TIMES, min_size=size, max_size=size)),
        },
        name=draw(words),
        source=f"/home/{draw(words)}.csv",
        notes=tuple(notes),
    )
    return log, {*ids, *names}


@settings(FEW, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=secret_logs())
def test_no_name_is_in_the_files(found: tuple[JobLog, set[str]], tmp_path: Path) -> None:
    log, names = found
    shared = anonymised(log)
    csv, parquet = tmp_path / "log.csv", tmp_path / "log.parquet"
    write(shared, csv)
    write(shared, parquet)
    table = pq.read_table(parquet)
    texts = [
        csv.read_text(),
        json_unescaped(csv.read_text()),
        str(table.to_pydict()),
        json_unescaped(str(table.schema.metadata)),
        parquet.read_bytes().decode(errors="replace"),
        f"{shared!r} {shared.source} {shared.notes}",
    ]
    for name in names:
        for text in texts:
            assert name not in text


def json_unescaped(text: str) -> str:
    """With letters in the place of JSON's escapes of them."""
    return re.sub(r"\\+u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)


@settings(FEW)
@given(found=secret_logs(), other=st.lists(SECRET, min_size=12, max_size=12, unique=True))
def test_nothing_in_the_file_depends_on_what_the_names_are(
    found: tuple[JobLog, set[str]], other: list[str]
) -> None:
    log, names = found
    new = dict(zip(sorted(names), other, strict=False))
    renamed = {
        column: log.jobs[column].astype("object").map(new, na_action="ignore")
        for column in ("job_id", "kind", "owner")
    }
    notes = tuple(Note(_replaced(note.reason, new), note.count) for note in log.notes)
    twin = replace(JobLog.of(log.jobs.assign(**renamed), name="x"), notes=notes)
    assert _normal(anonymised(log)) == _normal(anonymised(twin))


def _replaced(text: str, new: dict[str, str]) -> str:
    for name in sorted(new, key=len, reverse=True):
        if name in text:
            return text.replace(name, new[name])
    return text


def _normal(log: JobLog) -> str:
    """A log as text, its pseudonyms numbered as they come."""
    numbers: dict[str, str] = {}
    text = f"{log.jobs.to_csv()}{log.notes}{log.name}{log.source}{log.origin}"
    return PSEUDONYM.sub(
        lambda found: numbers.setdefault(found[0], f"{found[1]}-{len(numbers)}"), text
    )


@settings(FEW, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_log_can_be_anonymised_and_reads_back_the_same(
    data: st.DataObject,
    logs: st.SearchStrategy[JobLog],
    assert_same: Callable[[JobLog, JobLog], None],
    tmp_path: Path,
) -> None:
    shared = anonymised(data.draw(logs))
    write(shared, tmp_path / "log.csv")
    write(shared, tmp_path / "log.parquet")
    assert_same(own_csv.read(tmp_path / "log.csv"), shared)
    assert_same(own_parquet.read(tmp_path / "log.parquet"), shared)


OWN_WORDS = {
    *BY_NAME,
    *OUTCOMES,
    *KINDS,
    *("version", "name", "origin", "workers", "notes", "reason", "count", "null"),
    *("column", "cron", "list", "log", "query", "time", "times"),
}
"""What a file and what we write may both say."""


@pytest.mark.parametrize("name", SAMPLES)
def test_of_no_format_a_word_comes_through_and_a_key_makes_the_same_again(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / "secret-payroll.log"
    path.write_bytes(SAMPLES[name])
    reader = by_name(name)
    log = reader.read(path, said(reader))
    written = [tmp_path / f"{k}.csv" for k in (1, 2)]
    for file in written:
        write(anonymised(log, KEY), file)
    text = written[0].read_text()
    assert text == written[1].read_text()
    words = {word.lower() for word in re.findall(r"[A-Za-z]{3,}", text)}
    theirs = re.findall(r"[A-Za-z]{3,}", f"{path.name} {SAMPLES[name].decode('latin1')}")
    # A pseudonym is of the digits a to f, and may have such a word by chance.
    leaked = {word.lower() for word in theirs if re.search("[g-z]", word.lower())} & words
    assert leaked <= {part for word in OWN_WORDS for part in word.split("_")}
    assert "20" not in {day[:2] for day in re.findall(r"[0-9]{4}-[0-9]{2}", text)}
