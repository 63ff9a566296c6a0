"""The events of an XES file, streamed: one row an event, and never the tree of the whole file.

XES (IEEE 1849) is XML: a ``log`` of ``trace`` elements (cases), each with ``event`` elements, whose
attributes are children that carry ``key`` and ``value``. It has no document type, so that a file
that declares one is refused before an entity of its can do harm.
"""

from __future__ import annotations

import gzip
import math
import re
import zlib
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from lxml import etree

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import GZIP, HEAD_BYTES, read_bytes
from jobsim.joblog.localtime import epoch_s
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading
from jobsim.joblog.schedule.names import printable
from jobsim.joblog.schema import category

ACTIVITY, TRANSITION, TIME = "concept:name", "lifecycle:transition", "time:timestamp"
RESOURCE, INSTANCE = "org:resource", "concept:instance"
BEGAN = "start_timestamp"
"""Where pm4py keeps the start of work that it has only one event for, at its end."""

NOT_ELEMENTS = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
ROOT = re.compile(rb"<(?:\w+:)?log(?=[\s>])([^>]*)>")
SIGNS = re.compile(rb"xes|<(?:\w+:)?(?:trace|extension|classifier)[\s>]", re.IGNORECASE)

PARSER = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
"""With these libxml2 bounds depth, text and what entities grow to, and fetches nothing."""

TAGS = ("{*}global", "{*}trace", "{*}event")
LARGEST_PART = 16 << 20

WELL_FORMED = "the whole file, as it was exported"


def begins_like_xes(head: bytes) -> bool:
    """Whether the first element is an XES ``log``."""
    place = 0
    while match := NOT_ELEMENTS.match(head, place):
        place = match.end()
    root = ROOT.match(head, place)
    return root is not None and SIGNS.search(head, root.start(1)) is not None


def read_events(path: Path, reading: Reading, notes: Notes) -> pd.DataFrame:
    """Every event that says when it was, in the order of the file; two where it has a start too.

    Returns
    -------
    DataFrame
        ``trace``, numbered from 0; text columns ``case`` (the trace's name, which others may
        have too), ``activity``, ``instance``, ``transition`` (in lower case), ``resource``, as
        categories, missing where the event does not say; ``t_s``, in seconds since 1970;
        ``line``.

    Raises
    ------
    LogError
        The file is not well-formed, declares a document type, or has times that are none.
    """
    events = _Events(FaultList(str(path)))
    with _unpacked(path) as file:
        try:
            _stream(file, events)
        except etree.XMLSyntaxError as error:
            wrong = f"this is not well-formed XML ({printable(str(error.msg))})"
            refuse(str(path), wrong, WELL_FORMED, error.lineno)
    events.faults.raise_if_any()
    notes.add("dropped: events without a time or a name of what was done", events.unknown)
    notes.add("dropped: events that belong to no trace", events.outside)
    if not len(events):
        wrong = "no event in it says what was done and when"
        refuse(str(path), wrong, f"events with {ACTIVITY} and {TIME}")
    return events.table(reading, notes)


def _stream(file: _Metered, events: _Events) -> None:
    checked = False
    for _, element in etree.iterparse(file, events=("end",), tag=TAGS, **PARSER):
        if not checked:
            _check_prolog(element, events.faults.file)
            checked = True
        name = element.tag.rpartition("}")[2]
        if name == "event":
            events.add(element)
        elif name == "trace":
            events.end_case(element)
        else:
            events.defaults(element)
        _free(element, events)
        file.since = 0


def _check_prolog(element: Any, file: str) -> None:
    if element.getroottree().docinfo.doctype:
        wrong = "it declares a document type (DOCTYPE), which XES does not have"
        refuse(file, wrong, "the file without the declaration, if you trust where it is from")


def _free(element: Any, events: _Events) -> None:
    """Empty an element that was read, and take all before it out of the tree.

    The parser still needs the element itself, until it has come to the next.
    """
    element.clear()
    parent = element.getparent()
    while parent is not None and (before := element.getprevious()) is not None:
        if before.get("key") == ACTIVITY:
            events.name_case(before.get("value"))
        parent.remove(before)


class _Metered:
    """A file of which only so much may be read between two elements that are then freed."""

    def __init__(self, file: Any, name: str) -> None:
        self.since = 0
        self._file, self._name = file, name

    def read(self, at_most: int = -1) -> Any:
        data = self._file.read(at_most)
        self.since += len(data)
        if self.since > LARGEST_PART:
            wrong = f"over {LARGEST_PART >> 20} MB without an event or the end of a trace"
            refuse(self._name, wrong, "an XES log")
        return data


def _attributes(element: Any) -> dict[str, str]:
    """The direct attributes of a log, trace or event; the last of a repeated key counts."""
    return {child.get("key"): child.get("value") for child in element}


def _start_and_end(event: dict[str, str], number: int) -> list[dict[str, str]]:
    """An event that says when its work began as two, with an instance of their own."""
    is_end = (event.get(TRANSITION) or "complete").lower() == "complete"
    if not event.get(BEGAN) or not is_end:
        return [event]
    own = event | {INSTANCE: f"{BEGAN} {number}"}
    return [own | {TRANSITION: "start", TIME: event[BEGAN]}, own | {TRANSITION: "complete"}]


class _Words:
    """Text that comes again and again, as a number for each word; -1 is missing."""

    def __init__(self) -> None:
        self._code_of: dict[str | None, int] = {None: -1, "": -1}
        self._codes = array("l")

    def __len__(self) -> int:
        return len(self._codes)

    def add(self, word: str | None) -> None:
        code = self._code_of.get(word)
        if code is None:
            self._code_of[word] = code = len(self._code_of) - 2
        self._codes.append(code)

    def cells(self, change: Callable[[str], str] = str) -> pd.Series[Any]:
        """The words as names, changed. Those that are then alike are one; blank is missing."""
        words = [word for word in self._code_of if word]
        names = pd.Series(
            [change(printable(word)) if word.strip() else None for word in words], dtype=str
        )
        same, found = pd.factorize(names)
        codes = np.append(same, -1)[np.array(self._codes, dtype="int64")]
        return pd.Series(category(codes, list(found)))


class _Events:
    """The events read so far, packed; `unknown` and `outside` count those left out."""

    def __init__(self, faults: FaultList) -> None:
        self.faults = faults
        self.unknown = self.outside = 0
        self._texts = {key: _Words() for key in (ACTIVITY, INSTANCE, TRANSITION, RESOURCE)}
        self._cases, self._name = _Words(), ""
        self._trace, self._line = array("l"), array("l")
        self._t_s, self._local = array("d"), array("b")
        self._default: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._t_s)

    def defaults(self, element: Any) -> None:
        """Keep what events hold where nothing is known of them, by a declaration of the log."""
        if element.get("scope") == "event":
            found = _attributes(element)
            self._default |= {key: found[key] for key in (TIME, RESOURCE) if found.get(key)}

    def add(self, element: Any) -> None:
        """Keep an event, of the trace that ends next."""
        parent = element.getparent()
        if parent is None or not parent.tag.endswith("trace"):
            self.outside += 1
            return
        found = _attributes(element)
        for key, value in self._default.items():
            if found.get(key) == value:
                found[key] = ""
        if not found.get(TIME) or not (found.get(ACTIVITY) or "").strip():
            self.unknown += 1
            return
        for event in _start_and_end(found, len(self)):
            self._add_instant(event[TIME], element.sourceline)
            self._trace.append(len(self._cases))
            for key, words in self._texts.items():
                words.add(event.get(key))

    def name_case(self, name: str | None) -> None:
        """Name the trace that ends next."""
        self._name = (name or "").strip()

    def end_case(self, element: Any) -> None:
        """Name the trace of the events that were added since the one before ended."""
        self.name_case(_attributes(element).get(ACTIVITY, self._name))
        self._cases.add(self._name or f"trace-{len(self._cases) + 1}")
        self.name_case(None)

    def table(self, reading: Reading, notes: Notes) -> pd.DataFrame:
        trace = np.array(self._trace, dtype="int64")
        return pd.DataFrame(
            {
                "trace": trace,
                "case": self._cases.cells().iloc[trace].array,
                "activity": self._texts[ACTIVITY].cells(),
                "instance": self._texts[INSTANCE].cells(),
                "transition": self._texts[TRANSITION].cells(str.lower),
                "resource": self._texts[RESOURCE].cells(),
                "t_s": self._instants_s(reading, notes),
                "line": np.array(self._line),
            }
        )

    def _instants_s(self, reading: Reading, notes: Notes) -> Any:
        t_s, local = np.array(self._t_s), np.array(self._local, dtype=bool)
        if local.any():
            naive = pd.Series(pd.to_datetime(t_s[local], unit="s"))
            t_s[local] = epoch_s(naive, reading, notes)
        return t_s

    def _add_instant(self, text: str, line: int | None) -> None:
        """Seconds since 1970, be it in UTC or as a local clock showed them."""
        t_s, local = math.nan, False
        try:
            instant = datetime.fromisoformat(text.strip())
            local = instant.tzinfo is None
            t_s = (instant - (LOCAL_EPOCH if local else EPOCH)).total_seconds()
        except (ValueError, OverflowError):
            right = "an instant as 2012-03-14T09:00:00.000+01:00"
            self.faults.add(f"{TIME} {shown(text)} is no instant", right, line)
        self._t_s.append(t_s)
        self._local.append(local)
        self._line.append(line or 0)


LOCAL_EPOCH = datetime(1970, 1, 1)
EPOCH = LOCAL_EPOCH.replace(tzinfo=UTC)


@contextmanager
def _unpacked(path: Path) -> Iterator[_Metered]:
    """The file, unpacked as it is read; refused if it cannot be."""
    head = read_bytes(path, HEAD_BYTES)
    if not head or head.isspace():
        refuse(str(path), "the file is empty", WELL_FORMED)
    try:
        with path.open("rb") as plain:
            packed = plain.read(len(GZIP)) == GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            yield _Metered(file, str(path))
    except EOFError:
        refuse(str(path), "the compressed data is cut off", "fetch or copy the file again")
    except (gzip.BadGzipFile, zlib.error) as error:
        refuse(str(path), f"the compressed data is damaged ({error})", "fetch the file again")
    except OSError as error:
        refuse(str(path), f"cannot be read: {error.strerror}", "a file that you may read")
