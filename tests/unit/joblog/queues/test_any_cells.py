"""Whatever the cells of a system's tables hold: a right log, or a refusal that says why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog.queues.systems import SYSTEMS
from jobsim.joblog.reading import Reading

WORDS = [
    *("", " ", "0", "1", "2", "-1", "1e400", "nan", "1772359200", "1772359200000", "t", "\x00"),
    *("0000-00-00 00:00:00", "2026-03-01", "2026-03-01 10:00:00", "2026-03-01 10:00:09.5+02"),
    *("1950-01-01 00:00:00", "9999-12-31 23:59:59", "2262-05-01 00:00:00", "infinity"),
    *("2026-03-29 02:30:00", "2026-10-25 02:30:00", "action started via x", "action complete"),
    *("completed", "failed", "running", "started", "deferred", "scheduled", "Enqueued"),
    *("Processing", "Succeeded", "SUCCESS", "{", '{"PerformanceDuration": "-5"}', "é\u2028"),
]
cell = st.none() | st.sampled_from(WORDS) | st.text(max_size=5)


def tables(system):
    """Tables of a system with rows of any cells."""

    def table(part):
        columns = sorted(part.needs | part.uses)
        return st.lists(st.fixed_dictionaries(dict.fromkeys(columns, cell)), min_size=1, max_size=6)

    return st.fixed_dictionaries(
        {part.ends or "job": table(part) for part in system.parts.values()}
    )


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
@settings(max_examples=8)
@given(data=st.data())
def test_any_cells_give_a_right_log_or_a_refusal(log_of, system, data):
    zone = data.draw(st.sampled_from([None, "Europe/Berlin"]))
    said = Reading(table=system.name, zone=zone)
    try:
        log = log_of(said, **data.draw(tables(system)))
    except LogError as error:
        what = str(error)
    else:
        what = "record" if log.jobs["submit_s"].min() == 0 else "the clock does not begin at 0"
    assert "record" in what
