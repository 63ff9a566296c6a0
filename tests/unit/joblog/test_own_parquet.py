"""jobsim's Parquet: exact there and back, and clear about tables that are no log."""

from __future__ import annotations

from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import own_parquet
from jobsim.joblog.schema import schema


@pytest.fixture
def read(tmp_path):
    """Reads a Parquet file of these columns, made by somebody else."""

    def read_columns(metadata=None, **columns):
        path = tmp_path / "theirs.parquet"
        pq.write_table(pa.table(columns).replace_schema_metadata(metadata), path)
        return own_parquet.read(path)

    return read_columns


@settings(max_examples=15)
@given(data=st.data())
def test_what_is_written_is_read_exactly(data, logs, assert_same, tmp_path_factory):
    log = data.draw(logs)
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    own_parquet.write_parquet(log, path)
    assert_same(own_parquet.read(path), log)


def test_a_table_of_somebody_else_is_read_with_its_own_types(read):
    log = read(
        submit_s=pa.array([3, 1], pa.int32()),
        run_s=pa.array([None, 0.5], pa.float32()),
        job_id=pa.array(["b", "a"]),
        kind=pa.array([None, None], pa.null()),
        owner=pa.array(["x", "x"]).dictionary_encode(),
        outcome=pa.array([None, "failed"]),
    )
    assert log.name == "theirs"
    assert log.jobs["job_id"].tolist() == ["a", "b"]
    assert log.jobs["outcome"].tolist() == ["failed", "unknown"]
    assert log.jobs["kind"].isna().all()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"submit_s": ["a"], "run_s": [1]}, "column submit_s: it holds string; seconds since"),
        ({"submit_s": [0], "run_s": [[1]]}, "column run_s: it holds list"),
        ({"submit_s": [True], "run_s": [1]}, "column submit_s: it holds bool"),
        ({"submit_s": [0], "run_s": [1], "kind": [5]}, "column kind: it holds int64; printable"),
        ({"submit_s": [0], "run_s": [1], "job_id": [0.5]}, "column job_id: it holds double"),
        ({"submit_s": [0], "run_s": [1], "job_id": pa.array([None], pa.int64())}, "is missing"),
        ({"submit_s": [0, 1], "run_s": [1, -1]}, "column run_s: row 2: '-1.0' is below 0"),
        ({"submit_s": [0]}, "there is no column run_s"),
        ({"submit_s": [0], "run_s": [1], "x": [1]}, "unknown column 'x'"),
        ({"submit_s": pa.array([], pa.float64()), "run_s": pa.array([], pa.float64())}, "no job"),
    ],
)
def test_a_table_that_is_no_log_is_refused_by_column_and_row(read, columns, message):
    with pytest.raises(LogError, match=message):
        read(**columns)


def test_damaged_metadata_is_refused(read):
    with pytest.raises(LogError, match="is damaged"):
        read(metadata={b"jobsim": b"\xff{"}, submit_s=[0], run_s=[1])


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" + b"\0" * 50, b"PAR1 text PAR1", b""])
def test_what_is_no_parquet_is_refused(file, content):
    with pytest.raises(LogError, match="cannot be read as Parquet"):
        own_parquet.read(file("a.parquet", content))


@settings(max_examples=15)
@given(data=st.data())
def test_any_spoilt_file_gives_a_right_table_or_a_clear_error(data, logs, tmp_path_factory):
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    own_parquet.write_parquet(data.draw(logs), path)
    spoilt = bytearray(path.read_bytes())
    for at in data.draw(st.lists(st.integers(0, len(spoilt) - 1), min_size=1, max_size=3)):
        spoilt[at] = data.draw(st.integers(0, 255))
    path.write_bytes(spoilt)
    with suppress(LogError):
        schema().validate(own_parquet.read(path).jobs, lazy=True)


@settings(max_examples=15)
@given(data=st.data())
def test_a_file_cut_off_anywhere_is_refused(data, logs, tmp_path_factory):
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    own_parquet.write_parquet(data.draw(logs), path)
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(LogError, match="cannot be read as Parquet"):
        own_parquet.read(path)
