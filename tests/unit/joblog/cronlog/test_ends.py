"""Which session, CMDEND or error belongs to which command."""

from __future__ import annotations

import math
from time import monotonic

import pytest

from jobsim.joblog.cronlog.ends import Event, firings


def an_event(t_s, what, pid, user="root", command="", job_pid=-1, host="a"):
    return Event(t_s, 1, what, host, pid, user, command, job_pid)


def opened(t_s, pid, **more):
    return an_event(t_s, "opened", pid, **more)


def closed(t_s, pid, **more):
    return an_event(t_s, "closed", pid, **more)


def cmd(t_s, pid, command="x", **more):
    return an_event(t_s, "cmd", pid, command=command, **more)


def cmdend(t_s, pid, command="x", **more):
    return an_event(t_s, "cmdend", pid, command=command, **more)


def ends(*events):
    """When each firing ended, -1 where that is not told."""
    return [-1 if math.isnan(firing.end_s) else firing.end_s for firing in firings(events)]


@pytest.mark.parametrize("pid", [100, 101, 109])
def test_a_command_ends_with_its_session_which_has_its_pid_or_one_below(pid):
    assert ends(opened(0, 100), cmd(0, pid), closed(90, 100)) == [90]


def test_lines_of_one_second_may_be_out_of_order():
    assert ends(closed(5, 100), opened(5, 100), cmd(5, 101)) == [5]
    assert ends(cmd(5, 101), opened(5, 100), closed(9, 100)) == [9]


def test_pids_that_alternate_tell_several_sessions_apart():
    assert ends(
        *(opened(0, 100), cmd(0, 101, "x"), opened(0, 102), cmd(0, 103, "y")),
        *(closed(7, 102), closed(9, 100)),
    ) == [9, 7]


def test_sessions_that_could_each_be_the_parents_tell_nothing():
    assert ends(
        *(opened(0, 100), opened(0, 101), cmd(0, 102, "x"), cmd(0, 103, "y")),
        *(closed(7, 100), closed(9, 101)),
    ) == [-1, -1]


@pytest.mark.parametrize(
    "other", [{"user": "www"}, {"host": "b"}, {"pid": 500}, {"t_s": -60}], ids=str
)
def test_the_session_of_another_user_host_pid_or_time_is_not_taken(other):
    session = {"t_s": 0, "pid": 100, **other}
    ended = {**session, "t_s": 90}
    assert ends(opened(**session), cmd(0, 101), closed(**ended)) == [-1]


def test_a_session_that_was_closed_before_is_not_taken():
    assert ends(opened(0, 100), closed(3, 100), cmd(5, 101), closed(9, 100)) == [-1]


def test_a_session_ends_one_command_only():
    assert ends(opened(0, 100), cmd(0, 101), cmd(0, 103), closed(9, 100)) == [9, -1]


def test_cmdend_ends_the_command_of_its_child():
    assert ends(cmd(0, 101), cmd(60, 205), cmdend(70, 204), cmdend(90, 100)) == [90, 70]


def test_cmdend_counts_more_than_the_session():
    assert ends(opened(0, 100), cmd(0, 101), cmdend(8, 100), closed(9, 100)) == [8]


def test_cmdend_of_another_command_or_user_ends_nothing():
    assert ends(cmd(0, 101), cmdend(5, 100, "y"), cmdend(6, 100, user="www")) == [-1]


def test_an_end_that_was_lost_is_not_replaced_by_the_end_of_a_later_firing():
    assert ends(cmd(0, 101), cmd(3600, 301), cmdend(3605, 300)) == [-1, 3605]


def test_an_error_names_the_pid_of_the_command_that_failed():
    error = an_event(4, "failed", 100, user="", job_pid=101)
    (firing,) = firings([cmd(0, 101), error])
    assert (firing.failed_s, firing.end_s) == (4, 4)
    assert ends(cmd(0, 100, job_pid=101), error) == [4]


def test_what_names_no_process_opens_and_closes_nothing():
    assert ends(opened(0, -1), cmd(0, -1), closed(9, -1)) == [-1]


def test_many_at_once_take_no_more_time_each():
    many = [kind(0, pid) for pid in range(20_000) for kind in (opened, cmd, cmdend, closed)]
    begin = monotonic()
    assert len(ends(*many)) == 20_000
    assert monotonic() - begin < 4
