"""Any Parquet."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobsim.errors import LogError
from jobsim.joblog.reading import Reading
from jobsim.joblog.tabular import read_parquet


def test_columns_of_other_names_are_guessed(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame(
        {
            "created_at": pd.to_datetime(["2024-05-13 10:00", "2024-05-13 10:01"], utc=True),
            "duration": pd.to_timedelta([1.5, 2.5], unit="s"),
            "tags": [["a"], ["b"]],
        }
    ).to_parquet(path)
    assert read_parquet.read(path).jobs["run_s"].tolist() == [1.5, 2.5]


def test_a_file_without_rows_or_cut_off_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"created_at": [], "duration": []}).to_parquet(path)
    with pytest.raises(LogError, match="no job"):
        read_parquet.read(path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(LogError, match="Parquet"):
        read_parquet.read(path)


def test_bytes_are_text_and_in_hex_where_they_are_none(tmp_path):
    path = tmp_path / "a.parquet"
    written = [b"2024-05-13 10:00:00", b"2024-05-13 10:01:00"]
    pd.DataFrame({"id": [b"\xff\x01", b"ab"], "created_at": written}).to_parquet(path)
    jobs = read_parquet.read(path, Reading(columns={"id": "id"})).jobs
    assert jobs["job_id"].tolist() == ["ff01", "6162"]
    assert jobs["submit_s"].tolist() == [0, 60]


def test_what_pandas_adds_to_a_file_is_not_needed(tmp_path):
    path = tmp_path / "a.parquet"
    table = pa.table({"created_at": ["2024-05-13 10:00:00"], "took_s": [3]})
    damaged = table.replace_schema_metadata({"pandas": '{"columns": 7}'})
    pq.write_table(damaged, path)
    assert read_parquet.read(path).jobs["run_s"].tolist() == [3]


def test_a_named_index_of_pandas_is_a_column(tmp_path):
    path = tmp_path / "a.parquet"
    index = pd.Index(["x", "y"], name="job_id")
    pd.DataFrame({"created_at": ["2024-05-13", "2024-05-14 01:00"]}, index).to_parquet(path)
    assert read_parquet.read(path).jobs["job_id"].tolist() == ["x", "y"]
