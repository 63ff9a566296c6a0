"""The XML of tasks: in the encodings that Windows writes, and safe against bombs."""

from __future__ import annotations

import pytest

from jobsim.errors import LogError
from jobsim.joblog.schedule.task_xml import decoded, tasks

NAMESPACE = 'xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task"'
TASK = f"<Task {NAMESPACE}>\n<Settings>\n<Enabled> true </Enabled>\n</Settings>\n</Task>"
DECLARED = f'<?xml version="1.0" encoding="UTF-16"?>\n{TASK}'


@pytest.fixture
def read(tmp_path):
    def read_tasks(content):
        path = tmp_path / "task.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(tasks(path))

    return read_tasks


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8", "utf-8-sig"])
def test_a_task_is_read_in_any_encoding_whatever_its_declaration_says(read, encoding):
    (task,) = read(DECLARED.encode(encoding))
    assert task.said("Settings/Enabled") == "true"


def test_utf_16_of_either_byte_order_is_known_by_its_mark():
    assert decoded(b"\xfe\xff\0<\0T") == decoded(b"\xff\xfe<\0T\0") == "<T"


def test_what_is_not_there_has_the_default(read):
    (task,) = read(TASK)
    assert task.said("Settings/Priority", "7") == "7"
    assert task.child("Triggers") is None
    assert task.texts("Settings/Enabled") == ["true"]


def test_several_tasks_in_one_document_or_in_one_after_the_other(read):
    assert len(read(f"<Tasks>\n<!-- \\a -->\n{TASK}\n<!-- \\b -->\n{TASK}\n</Tasks>")) == 2
    assert len(read(f"{DECLARED}\n{DECLARED}\n")) == 2


def test_a_comment_before_a_task_is_at_hand(read):
    first, second = read(f"<Tasks><!-- \\a -->{TASK}{TASK}</Tasks>")
    assert (first.comment, second.comment) == ("\\a", "")


def test_lines_are_those_of_the_file(read):
    one, two = read(f"{DECLARED}\n{DECLARED}\n")
    assert [one.child("Settings").line, two.child("Settings").line] == [3, 9]


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
STEAL = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize("doctype", [BOMB, STEAL])
def test_entities_are_refused_before_anything_is_parsed(read, doctype):
    with pytest.raises(LogError, match="declares a document type or entities"):
        read(f"{doctype}<Task {NAMESPACE}>&b;&f;</Task>")


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("<Task>\n<Triggers>\n</Task>", r"task.xml:3: this is no XML"),
        ("", "there is no task"),
        ("<Other/>", "there is no task"),
        ("plain text", "this is no XML"),
        (b"\xff\xfe<", "this is no XML"),
        ("<a>" * 5000, "this is no XML"),
    ],
)
def test_what_holds_no_task_is_refused(read, content, wrong):
    with pytest.raises(LogError, match=wrong):
        read(content)
