"""The XML of the Windows Task Scheduler: exported tasks, one or many, safe to parse."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from jobsim.joblog.faultlist import refuse
from jobsim.joblog.files import read_bytes

NAMESPACE = "http://schemas.microsoft.com/windows/2004/02/mit/task"

RIGHT = "a task as Export-ScheduledTask, schtasks /query /xml or the Task Scheduler export it"

DECLARATION = re.compile(r"<\?xml[^>]*\?>")


@dataclass(frozen=True)
class Node:
    """An element, its parts named as in the Task Scheduler's schema.

    Attributes
    ----------
    lines_above
        Of the file, above the XML document that the element is in.
    """

    element: Any
    lines_above: int

    @property
    def name(self) -> str:
        """Its tag, without the namespace."""
        return str(etree.QName(self.element).localname)

    @property
    def line(self) -> int:
        """Where it stands in the file."""
        return int(self.element.sourceline) + self.lines_above

    @property
    def text(self) -> str:
        """What it holds, if that is text."""
        return (self.element.text or "").strip()

    @property
    def comment(self) -> str:
        """The comment right before it, in which schtasks names the task."""
        before = self.element.getprevious()
        named = before is not None and before.tag is etree.Comment
        return (before.text or "").strip() if named else ""

    def children(self, path: str = "*") -> Iterator[Node]:
        """The elements at a path such as ``Settings/Enabled``, in the order of the file."""
        prefixed = "/".join(step if step == "*" else f"{{*}}{step}" for step in path.split("/"))
        for element in self.element.iterfind(prefixed):
            if isinstance(element.tag, str):
                yield Node(element, self.lines_above)

    def child(self, path: str) -> Node | None:
        """The first of them."""
        return next(self.children(path), None)

    def said(self, path: str, default: str = "") -> str:
        """The text of the first of them, or what holds where there is none."""
        child = self.child(path)
        return child.text if child is not None and child.text else default

    def texts(self, path: str) -> list[str]:
        """The texts of all of them."""
        return [child.text for child in self.children(path)]


def decoded(data: bytes) -> str:
    """Text of the bytes, which Windows writes in UTF-16; its XML declaration is not believed."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    if data.startswith((b"<\0", b"\r\0", b"\n\0")):
        return data.decode("utf-16-le", errors="replace")
    return data.removeprefix(BOM_UTF8).decode(errors="replace")


def tasks(path: Path) -> Iterator[Node]:
    """The tasks of a file, which may hold several documents one after the other.

    Raises
    ------
    LogError
        It cannot be read, is no XML, has a DOCTYPE (no task has one, bombs do) or no task.
    """
    file, text = str(path), decoded(read_bytes(path))
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        refuse(file, "it declares a document type or entities, which no task does", RIGHT)
    found = 0
    for document, lines_above in _documents(text):
        root = Node(_parsed(document, lines_above, file), lines_above)
        for task in [root] if root.name == "Task" else root.children("Task"):
            found += 1
            yield task
    if not found:
        refuse(file, "there is no task in it", RIGHT)


def _documents(text: str) -> Iterator[tuple[str, int]]:
    """Each document without its declaration, and how many lines of the file are above it."""
    starts = [0, *(match.end() for match in DECLARATION.finditer(text))]
    lines = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        document = DECLARATION.sub("", text[start:end])
        if document.strip("\ufeff\0 \r\n\t"):
            yield document, lines
        lines += text.count("\n", start, end)


def _parsed(document: str, lines_above: int, file: str) -> Any:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(document.lstrip("\ufeff").encode(), parser)
    except etree.XMLSyntaxError as error:
        refuse(file, f"this is no XML: {error.msg}", RIGHT, (error.lineno or 1) + lines_above)
