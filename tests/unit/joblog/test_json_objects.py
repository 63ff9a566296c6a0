"""Objects in JSON of any kind."""

from __future__ import annotations

import pytest

from jobsim.joblog.json_objects import is_json, json_objects


def test_an_object_knows_the_line_of_its_value():
    assert [line for _, line in json_objects('{}\n\n{"a": {}},\n{}')] == [1, 3, 3, 4]


@pytest.mark.parametrize("text", ['[{"id": 1,', '{"a": 1}}', "[{" * 100_000, '[{"a":' * 5_000])
def test_json_that_cannot_be_read_is_refused(text):
    with pytest.raises(ValueError, match="JSON"):
        list(json_objects(text))


def test_deep_json_is_read_as_far_as_the_parser_goes():
    assert len(list(json_objects('{"a":' * 400 + "1" + "}" * 400))) == 400


@pytest.mark.parametrize("text", ["[root@db ~]# mysql", "{ date; }", "[mysqld]", ""])
def test_a_prompt_is_no_json(text):
    assert not is_json(text)
