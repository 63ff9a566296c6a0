"""Columns of fixed width, as sacct prints them by default."""

from __future__ import annotations

import pytest

from jobsim.errors import LogError
from jobsim.joblog.notes import Note, Notes
from jobsim.joblog.sacct.ruled import parted

WIDTHS = {"JobID": 12, "JobName": 10, "Elapsed": 10, "State": 10, "Submit": 19}


def printed(*rows, left=True):
    """What sacct prints of rows of cells: cut off where too wide, counted in bytes."""

    def line(cells):
        widths = WIDTHS.values()
        return b" ".join(
            (cut.ljust(width) if left and place == 0 else cut.rjust(width))
            for place, (cut, width) in enumerate(map(cut_off, cells, widths))
        )

    def cut_off(cell, width):
        data = cell.encode()
        return (data if len(data) <= width else data[: width - 1] + b"+"), width

    ruler = b" ".join(b"-" * width for width in WIDTHS.values())
    return b"\n".join([line(WIDTHS), ruler, *map(line, rows)]) + b"\n"


def cells_of(data, notes=None):
    lines = parted(data, b"|", "jobs.txt", notes or Notes()).splitlines()
    assert len(lines) == len(data.splitlines())
    return [line.decode().split("|") for line in lines if line]


def test_cells_are_what_stands_below_the_dashes():
    header, job, step = cells_of(
        printed(
            ("7", "two words", "00:01:30", "COMPLETED", "2024-03-05T10:00:00"),
            ("7.batch", "batch", "", "COMPLETED", ""),
        )
    )
    assert header == list(WIDTHS)
    assert job == ["7", "two words", "00:01:30", "COMPLETED", "2024-03-05T10:00:00"]
    assert step == ["7.batch", "batch", "", "COMPLETED", ""]


def test_columns_are_counted_in_bytes():
    data = printed(("7", "Größe", "00:01:30", "FAILED", "2024-03-05T10:00:00"))
    assert cells_of(data)[1][1:3] == ["Größe", "00:01:30"]


def test_lines_that_lost_the_blanks_at_their_end_or_all_moved_right_are_read():
    data = printed(("7", "a", "00:01:30", "FAILED", ""), left=False)
    lines = data.splitlines()
    for each in (
        b"\n".join(map(bytes.rstrip, lines)),
        b"\n".join(b"    " + each for each in lines),
    ):
        assert cells_of(each)[1] == ["7", "a", "00:01:30", "FAILED", ""]


def test_names_and_states_cut_off_stay_and_other_cells_are_left_missing():
    notes = Notes()
    data = printed(
        ("7", "a-long-job-name", "12-03:04:05", "CANCELLED by 10001", "2024-03-05T10:00:00"),
        ("8.extern-step", "extern", "00:00:01", "OUT_OF_MEMORY", "2024-03-05T10:00:00"),
    )
    _, job, step = cells_of(data, notes)
    assert job[1:4] == ["a-long-jo+", "", "CANCELLED+"]
    assert step[0] == "8.extern-st+"
    assert notes.taken == (
        Note("marked: names cut off at the end of their column (+)", 1),
        Note("mended: cells cut off at the end of their column (+), left missing", 1),
    )


def test_a_job_id_cut_off_could_be_anothers():
    data = printed(("12345678901_23", "a", "", "", ""), ("12+1", "a", "", "", ""))
    with pytest.raises(LogError, match=r"jobs.txt:3: '12345678901\+' is cut off"):
        parted(data, b"|", "jobs.txt", Notes())


def test_the_header_again_stands_in_its_own_columns():
    data = printed(("7", "a", "", "", ""))
    assert cells_of(data + data) == cells_of(data) * 2


def test_cells_beside_their_columns_are_told_line_by_line():
    good = printed(("7", "a", "", "", ""))
    beside = b"8  a\n" + b"9".ljust(11) + b"an_important_job\n"
    with pytest.raises(LogError, match="do not stand below") as error:
        parted(good + beside, b"|", "jobs.txt", Notes())
    assert [fault.line for fault in error.value.faults] == [4, 5]


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"JobID State Submit\n7  FAILED x\n", "without the line of dashes"),
        (b"JobID St\xe4te\n----- ----- ------\n7  FAILED x\n", "2 names stand above 3 columns"),
    ],
)
def test_without_columns_the_command_for_a_good_file_is_told(data, wrong):
    with pytest.raises(LogError, match=rf"{wrong}.*sacct -P"):
        parted(data, b"|", "jobs.txt", Notes())


def test_a_long_line_of_dashes_costs_no_more_than_its_length():
    data = b"JobID State\n" + b"- " * 50_000 + b"-" * 100_000 + b"x\n"
    with pytest.raises(LogError, match="without the line of dashes"):
        parted(data, b"|", "jobs.txt", Notes())
