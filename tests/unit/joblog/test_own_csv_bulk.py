"""jobsim's own CSV in bulk."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import own_csv
from jobsim.joblog.files import read_text_bytes

HEADER = "job_id,kind,submit_s,start_s,run_s,outcome"
CELLS = st.one_of(
    st.sampled_from(
        ["", "1", "7.5", "-1", "nan", "inf", "1e400", "+2", " 3", "1_0", "completed", "a b", '"x"']
    ),
    st.text(max_size=4),
    st.floats().map(str),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.lists(CELLS, min_size=6, max_size=6).map(",".join), min_size=1, max_size=4),
    st.sampled_from(["", "# a note\n", "\n \n"]),
)
def test_what_is_read_in_bulk_a_careful_look_reads_alike(file, rows, above):
    text = above + "\n".join([HEADER, "9,x,0,1,2,failed", *rows]) + "\n"
    path = file("a.csv", text.encode(errors="replace"))
    with contextlib.suppress(LogError):
        data = read_text_bytes(path)
        bulk = own_csv._read_fast(path, data)
        if bulk is not None:
            careful = own_csv._read_carefully(path, data)
            assert bulk.jobs.equals(careful.jobs)
            assert bulk.jobs.dtypes.astype(str).equals(careful.jobs.dtypes.astype(str))


@pytest.mark.parametrize(
    "row",
    ["1,a,x,,1,failed", "1,a,0,,nan,failed", "1, a,0,,1,failed", '1,"a",0,,1,failed', "1,a,0"],
)
def test_what_is_unusual_is_left_to_the_careful_look(file, row):
    path = file("a.csv", HEADER, row)
    assert own_csv._read_fast(path, read_text_bytes(path)) is None


def test_a_plain_log_is_read_in_bulk(file):
    path = file("b.csv", HEADER, "a-1,b,0.5,,2,", "a-2,,1,3,4,failed")
    log = own_csv._read_fast(path, read_text_bytes(path))
    assert log is not None
    assert log.jobs["outcome"].tolist() == ["unknown", "failed"]
