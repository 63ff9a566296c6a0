"""XES files made of a few words."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

import pytest

NAMESPACE = ' xmlns="http://www.xes-standard.org/"'
GLOBALS = """<global scope="trace"><string key="concept:name" value="UNKNOWN"/></global>
<global scope="event">
  <date key="time:timestamp" value="1970-01-01T00:00:00.000+01:00"/>
  <string key="org:resource" value="UNKNOWN"/>
  <string key="lifecycle:transition" value="complete"/>
</global>"""


def _an_event(activity, transition, time, resource=None, **more):
    """An event; what is None is left out. Times are of 1 March 2024 unless they have a date."""
    time = f"2024-03-01T{time}+01:00" if time and len(time) == 5 else time
    pairs = {
        "concept:name": activity,
        "lifecycle:transition": transition,
        "time:timestamp": time,
        "org:resource": resource,
        **{key.replace("__", ":"): value for key, value in more.items()},
    }
    cells = "".join(
        f"<{'date' if key.startswith('time') else 'string'} key={quoteattr(key)}"
        f" value={quoteattr(value)}/>"
        for key, value in pairs.items()
        if value is not None
    )
    return f"<event>{cells}</event>\n"


def _a_trace(name, *events):
    named = "" if name is None else f'<string key="concept:name" value={quoteattr(name)}/>'
    return f"<trace>{named}{''.join(events)}</trace>\n"


def _a_log(*traces, root='xes.version="1.0"', namespace=NAMESPACE, above="", first=GLOBALS):
    """The text of a log of these traces."""
    head = f'<?xml version="1.0" encoding="UTF-8" ?>\n<!-- made by hand -->\n{above}'
    return f"{head}<log {root}{namespace}>\n{first}\n{''.join(traces)}</log>\n"


@pytest.fixture(scope="session")
def an_event():
    return _an_event


@pytest.fixture(scope="session")
def a_trace():
    return _a_trace


@pytest.fixture(scope="session")
def a_log():
    return _a_log
