"""The catalogue of the archive."""

from __future__ import annotations

import re

import pytest

from jobsim.errors import UsageError
from jobsim.joblog.archive import LOGS, SHA256, find, named


def test_every_log_has_names_of_its_own_and_an_address() -> None:
    names = [name for log in LOGS for name in (log.name, log.stem.lower())]
    assert len(set(names)) == 2 * len(LOGS) == 80
    for log in LOGS:
        assert re.fullmatch(r"[a-z0-9-]+", log.name)
        assert re.fullmatch(r"l_[a-z0-9_]+", log.folder)
        assert 1993 <= log.since <= 2016
        assert log.jobs is None or log.jobs > 1000


def test_every_digest_is_of_a_log_that_there_is() -> None:
    known = {log.name: log.sha256 for log in LOGS if log.sha256}
    assert known == SHA256
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in known.values())


def test_the_address_of_a_log_is_in_the_archive_or_in_a_mirror() -> None:
    log = find("kth-sp2")
    assert log.url() == (
        "https://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz"
    )
    assert log.url("http://mirror/pwa") == "http://mirror/pwa/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz"
    assert log.page.endswith("/workload/l_kth_sp2/index.html")


@pytest.mark.parametrize(
    "name", ["kth-sp2", "KTH-SP2", "KTH-SP2-1996-2.1-cln", "kth-sp2-1996-2.1-cln.swf.gz"]
)
def test_a_log_is_found_by_jobsims_name_and_by_the_archives(name: str) -> None:
    assert find(name).name == "kth-sp2"


def test_a_name_that_no_log_has_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no log 'kth-sp'.*did you mean kth-sp2"):
        find("kth-sp")
    with pytest.raises(UsageError, match="--list"):
        find("zzzzzzzz")
    assert named("media-batch") is None
