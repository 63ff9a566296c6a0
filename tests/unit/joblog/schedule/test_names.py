"""Short names for long commands."""

from __future__ import annotations

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.schedule.names import LENGTH, short_name, short_names


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("/usr/bin/backup", "backup"),
        ("php /srv/app/bin/x.php --all >/dev/null 2>&1", "php x.php --all"),
        ("cd /srv/app && php artisan schedule:run >> /var/log/x.log", "php artisan schedule:run"),
        ("[ -x /usr/bin/tidy ] && /usr/bin/tidy &", "tidy"),
        ("test -x /sbin/x || ( cd / && run-parts /etc/cron.daily )", "run-parts cron.daily"),
        ("LANG=C TZ=UTC report", "report"),
        ("curl -s https://host/cron.php?all=1 &>/dev/null", "curl -s https://host/cron.php?all=1"),
        ("a  \t b", "a b"),
        ("cd /srv", "cd srv"),
        (">/dev/null", ">/dev/null"),
        ("bell\a", "bell?"),
    ],
)
def test_a_name_is_the_work_without_folders_and_redirections(command, name):
    assert short_name(command) == name


def test_different_commands_never_share_a_name():
    names = short_names(["/a/x", "/b/x", "x #2", "/a/x", "/c/x"])
    assert names["/a/x"] == "x"
    assert len(set(names.values())) == len(names) == 4


@given(st.lists(st.text(min_size=1), max_size=20))
def test_names_are_short_printable_and_as_many_as_the_commands(commands):
    names = short_names(commands)
    assert len(set(names.values())) == len(set(commands))
    for name in names.values():
        assert name.isprintable()
        assert name == name.strip() != ""
        assert len(name) <= LENGTH + 4


@pytest.mark.parametrize("word", ["1", "A=1 ", "cd x;", "[ ]&&", "> ", "2>&1 ", "/a", "("])
def test_a_hostile_command_takes_no_longer(word):
    begin = monotonic()
    short_name(word * (60_000 // len(word)))
    assert monotonic() - begin < 1
