"""Words of messages."""

import pytest

from jobsim.words import closest, counted, nearest


def test_the_nearest_words_are_offered_as_they_are_written() -> None:
    assert closest("media-bach", ["Media-Batch", "swf"]) == ["Media-Batch"]
    assert nearest("parket", ["parquet", "csv"]) == "did you mean parquet?"


def test_where_none_is_near_all_are_offered() -> None:
    assert nearest("zzz", ["parquet", "csv"]) == "one of parquet, csv"


def test_several_near_ones_are_offered_nearest_first_each_with_its_prefix() -> None:
    words = ["reclaim", "reclaim_s", "batch"]
    assert nearest("reclaim_sec", words, "queue.") == (
        "did you mean queue.reclaim_s or queue.reclaim?"
    )


@pytest.mark.parametrize(("count", "said"), [(0, "0 jobs"), (1, "1 job"), (2331, "2,331 jobs")])
def test_one_of_a_thing_is_said_as_one(count: int, said: str) -> None:
    assert counted(count, "job") == said
