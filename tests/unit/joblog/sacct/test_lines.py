"""Lines of sacct's output as cells under their fields' names."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.errors import LogError
from jobsim.joblog.notes import Note, Notes
from jobsim.joblog.sacct.lines import rows_of


def rows(*lines, notes=None):
    return rows_of("\n".join(lines).encode(), "jobs.txt", notes or Notes())


def test_cells_come_under_the_names_of_their_fields():
    found = rows("JobID|State|Submit|ReqMem", "7|COMPLETED|x|4Gn", "", "8|FAILED|y|")
    assert found.named
    assert found.cells.to_dict("list") == {
        "jobid": ["7", "8"],
        "state": ["COMPLETED", "FAILED"],
        "submit": ["x", "y"],
        "reqmem": ["4Gn", ""],
    }
    assert np.array_equal(found.line, [2, 4])


def test_the_last_delimiter_of_parsable_output_is_no_field_of_worth():
    found = rows("JobID|State|Submit|", "7|COMPLETED|x|")
    assert found.cells["submit"].tolist() == ["x"]


def test_fields_renamed_by_slurm_have_one_name():
    found = rows("JobID|Reserved|ResvCPURAW|State", "7|1|2|FAILED")
    assert {"planned", "plannedcpuraw"} <= set(found.cells)


def test_of_a_field_asked_for_twice_the_first_is_taken():
    assert rows("JobID|State|JobID|Submit", "7|x|8|y").cells["jobid"].tolist() == ["7"]


@pytest.mark.parametrize("delimiter", ["\t", ",", ";", "@@", "☃"])
def test_another_delimiter_is_seen_by_the_header(delimiter):
    lines = (line.replace("|", delimiter) for line in ("JobID|State|Submit", "7|FAILED|x"))
    assert rows(*lines).cells["state"].tolist() == ["FAILED"]


@pytest.mark.parametrize("delimiter", ["\t", ",", "^", "☃"])
def test_another_delimiter_is_seen_without_a_header_too(delimiter):
    job = "7|2024-03-05T10:00:00|2024-03-05T10:00:30||00:01:30|FAILED"
    assert rows(job.replace("|", delimiter)).cells["5"].tolist() == ["FAILED"]


def test_headers_of_files_put_together_are_left_out():
    notes = Notes()
    found = rows("JobID|State|Submit", "7|x|y", "JobID|State|Submit", "8|x|y", notes=notes)
    assert found.cells["jobid"].tolist() == ["7", "8"]
    assert notes.taken == (Note("dropped: the header again, of files that were put together", 1),)


def test_a_separator_within_the_one_field_that_people_fill_is_part_of_it():
    notes = Notes()
    found = rows("JobID|JobName|State|Submit", "7|a|b|c|FAILED|x", "8|d|FAILED|y", notes=notes)
    assert found.cells["jobname"].tolist() == ["a|b|c", "d"]
    assert found.cells["state"].tolist() == ["FAILED", "FAILED"]
    assert notes.taken == (Note("mended: separators within a name, taken as part of it", 1),)


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("JobID|JobName|State|Submit", "7|a|FAILED"),
        ("JobID|State|Submit", "7|FAILED|x|y"),
        ("JobID|JobName|State|Comment", "7|a|b|FAILED|x"),
    ],
)
def test_a_line_with_another_number_of_cells_is_told(header, line):
    right = header.replace("JobID", "9")
    with pytest.raises(LogError, match="as in the header") as error:
        rows(header, line, right, line)
    assert [fault.line for fault in error.value.faults] == [2, 4]


def test_without_a_header_most_lines_say_how_many_cells_there_are():
    found = rows("7|x", "8|y")
    assert not found.named
    assert found.cells.to_dict("list") == {"0": ["7", "8"], "1": ["x", "y"]}
    with pytest.raises(LogError, match=r"jobs.txt:2: 3 cells; 2 cells, as in the other lines"):
        rows("7|x", "8|y|z", "9|z")


def test_windows_lines_and_names_in_an_old_encoding_are_read():
    notes = Notes()
    data = b"JobID|JobName|Submit\r\n7|M\xfcller|x\r\n8|b|y\r\n"
    found = rows_of(data, "jobs.txt", notes)
    assert found.cells["jobname"].tolist() == ["M\ufffdller", "b"]
    assert found.cells["submit"].tolist() == ["x", "y"]
    assert [note.count for note in notes.taken] == [1]


def test_columns_of_fixed_width_have_the_same_cells():
    notes = Notes()
    table = ("JobID  State     User", "------ --------- ----", "7      COMPLETED  ann")
    assert rows(*table, *table, notes=notes).cells.to_dict("list") == {
        "jobid": ["7", "7"],
        "state": ["COMPLETED", "COMPLETED"],
        "user": ["ann", "ann"],
    }
    assert notes.taken == (Note("dropped: the header again, of files that were put together", 1),)


def test_only_a_header_is_no_log():
    with pytest.raises(LogError, match="only a header"):
        rows("JobID|State|Submit")


def test_a_line_break_within_what_people_fill_is_part_of_it():
    notes = Notes()
    found = rows(
        "JobID|SubmitLine|State|Submit",
        "7|sbatch --wrap=a",
        "b",
        "|c|x",
        "8|d|FAILED|y",
        "9|sbatch",
        "e|FAILED|z",
        notes=notes,
    )
    assert found.cells["jobid"].tolist() == ["7", "8", "9"]
    assert found.cells["submitline"].tolist() == ["sbatch --wrap=a b ", "d", "sbatch e"]
    assert found.line.tolist() == [2, 5, 6]
    assert notes.taken == (Note("mended: lines that a line break in a name parted, joined", 5),)


def test_a_line_break_in_the_last_cell_goes_on_on_the_next_line():
    found = rows("JobID|State|Submit|SubmitLine", "7|c|x|sbatch", "a", "", "8|d|y|e", "f")
    assert found.cells["submitline"].tolist() == ["sbatch a", "e f"]
    assert found.line.tolist() == [2, 5]


@pytest.mark.parametrize("broken", [("7|a|b",), ("7|a", "8|b|FAILED|x"), ("7|a", "b")])
def test_parts_that_make_no_line_are_told_as_they_are(broken):
    with pytest.raises(LogError, match=r"jobs.txt:2: . cells"):
        rows("JobID|JobName|State|Submit", *broken)


def test_many_short_lines_take_no_more_time_each():
    with pytest.raises(LogError):
        rows("JobID|JobName|State|Submit", *["7"] * 100_000)
