"""A list of commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobsim.errors import LogError, UsageError
from jobsim.record.command_file import read_commands


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "commands.txt"


def test_each_line_is_a_job_for_the_shell_by_when_it_is_submitted(file: Path) -> None:
    file.write_text("# nightly\n@90s /usr/bin/php a.php > log\n\n  A=1 B=x zip -r b c\n")
    first, second = read_commands(file)
    assert (first.argv, first.submit_s, first.kind) == (
        ("/bin/sh", "-c", "A=1 B=x zip -r b c"), 0, "zip",
    )  # fmt: skip
    assert (second.argv[2], second.submit_s, second.kind) == ("/usr/bin/php a.php > log", 90, "php")
    assert {job.kind for job in read_commands(file, kind="night")} == {"night"}


def test_every_line_that_is_no_command_is_listed(file: Path) -> None:
    file.write_text("true\necho 'open\n@soon true\n@5s\n")
    with pytest.raises(LogError) as raised:
        read_commands(file)
    assert [fault.line for fault in raised.value.faults] == [2, 3, 4]


def test_a_file_without_commands_or_none_at_all_is_refused(file: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_commands(file)
    file.write_text("# nothing\n")
    with pytest.raises(LogError, match="no command in it"):
        read_commands(file)
