"""Any Parquet."""

import pandas as pd
import pytest

from jobsim.errors import LogError
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
