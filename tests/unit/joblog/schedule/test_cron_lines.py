"""The lines of a crontab, and its column of users."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobsim.errors import LogError
from jobsim.joblog.faultlist import FaultList
from jobsim.joblog.schedule.cron_lines import (
    Line,
    Settings,
    entry_lines,
    has_users,
    spool_owner,
    user_and_command,
)

HOME = Path("home/crontab.txt")


def lines(text):
    faults = FaultList("crontab")
    found = list(entry_lines(text, faults))
    faults.raise_if_any()
    return found


def told(text, path=HOME):
    return has_users(path, text, lines(text))[0]


def test_comments_blank_lines_and_settings_are_no_entries():
    text = '# m h\n\n  \nSHELL=/bin/sh\n "MAIL TO"\n'
    assert lines('# m h\n\n  \nSHELL = /bin/sh\nMAILTO=""\n') == []
    with pytest.raises(LogError, match=r"crontab:5: '\"MAIL TO\"' is no line of a crontab"):
        lines(text)


def test_an_entry_is_when_and_the_rest_however_they_are_spaced():
    assert lines("\t*/5  * * *\t* \t/bin/x  a\r\n") == [
        Line(1, "*/5 * * * *", "/bin/x  a", Settings())
    ]


def test_a_shortcut_stands_for_all_five_fields():
    assert [line.when for line in lines("@daily x\n@REBOOT y z\n")] == ["@daily", "@REBOOT"]
    assert [line.at_boot for line in lines("@daily x\n@REBOOT y z\n")] == [False, True]


def test_settings_hold_for_what_comes_after_them():
    text = "* * * * * a\nCRON_TZ=Asia/Tokyo\n* * * * * b\nCRON_TZ=\nRANDOM_DELAY='5'\n* * * * * c\n"
    assert [line.settings for line in lines(text)] == [
        Settings(),
        Settings(cron_tz="Asia/Tokyo"),
        Settings(random_delay="5"),
    ]


def test_a_minus_before_an_entry_only_silences_it():
    assert lines("-*/5 * * * * x")[0].when == "*/5 * * * *"


def test_a_time_that_cron_draws_is_told():
    assert [line.random for line in lines("0~59 3 * * * x\n0 3 * * * x~\n")] == [True, False]


def test_the_place_tells_whether_there_is_a_column_of_users():
    text = "* * * * * root x\n"
    assert told(text, Path("etc/cron.d/app"))
    assert told("* * * * * a b\n", Path("/etc/crontab"))
    assert not told(text, Path("var/spool/cron/crontabs/root"))
    assert not told(text, Path("var/spool/cron/alice"))


@pytest.mark.parametrize(
    "comment",
    [
        "# m h dom mon dow user\tcommand",
        "#min hr dom month dow user-name cmd",
        "#m hour mday month wday who command",
    ],
)
def test_a_comment_that_names_the_column_tells_it(comment):
    assert told(f"{comment}\n* * * * * bob x\n")


def test_a_system_user_on_one_line_and_possible_users_on_all_tell_it():
    assert told("* * * * * root x\n0 * * * * bob y\n")
    assert not told("* * * * * root x\n0 * * * * /bin/y z\n")
    assert not told("* * * * * php x.php\n0 * * * * mysql -e 1\n")
    assert not told("* * * * * root\n")


def test_a_spool_file_is_the_users_whose_name_it_has():
    assert spool_owner(Path("/var/spool/cron/crontabs/bob")) == "bob"
    assert spool_owner(Path("/var/spool/cron/tabs/bob")) == "bob"
    assert spool_owner(Path("/var/spool/cron/bob")) == "bob"
    assert spool_owner(HOME) is None


@pytest.mark.parametrize(
    ("rest", "with_users", "expected"),
    [
        ("root  /bin/x a", True, ("root", "/bin/x a")),
        ("www-data\tx", True, ("www-data", "x")),
        ("root:wheel x", True, ("root:wheel", "x")),
        ("root x", False, (None, "root x")),
        ("mail bob%Hello%there", False, (None, "mail bob")),
        (r"date +\%F >x", False, (None, "date +%F >x")),
    ],
)
def test_a_command_ends_at_a_bare_percent_sign(rest, with_users, expected):
    faults = FaultList("crontab")
    assert user_and_command(Line(1, "@daily", rest, Settings()), with_users, faults) == expected
    faults.raise_if_any()


@pytest.mark.parametrize("rest", ["root", "/bin/x y", "*/5 x"])
def test_a_line_without_a_user_is_a_fault_where_there_has_to_be_one(rest):
    faults = FaultList("crontab")
    user_and_command(Line(3, "@daily", rest, Settings()), True, faults)
    with pytest.raises(LogError, match=r"crontab:3: .* has no user before the command"):
        faults.raise_if_any()
