"""Schedules of other systems are told by their own words, crontabs are not taken for them."""

from __future__ import annotations

from time import monotonic

import pytest

from jobsim.joblog.schedule.foreign import foreign


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('kind: "CronJob"\n', "a Kubernetes CronJob"),
        ("items:\n  - spec: {}\n    kind: CronJob\n", "a Kubernetes CronJob"),
        ("    - cron: '0 0 * * *'\n", "a GitHub workflow"),
        ("  triggers {\n    pollSCM 'H/5 * * * *'\n  }\n", "a Jenkins pipeline"),
        ("0 0/5 14,18 * * ? com.acme.Five\n", "a schedule for Quartz"),
        ("0 15 10 ? * MON-FRI com.acme.Ten\n", "a schedule for Quartz"),
        ("@monthly 45 cron.monthly nice x\n", "an anacrontab"),
    ],
)
def test_it_is_named_with_what_would_be_right(text, what):
    named, right = foreign(text.encode()) or ("", "")
    assert named.startswith(what)
    assert "crontab" in right or "anacron" in right


@pytest.mark.parametrize(
    "text",
    [
        "* * * * * kubectl create job --from=cronjob/x y\n",
        "# kind: CronJob\n0 0 * * * x\n",
        "5 4 * * * cron: x\n",
        "1 5 * * * cron.daily x\n",
        "0 3 * * ? one-field-wrong\n",
        "* * * * * node -e 'cron(\"x\")' ?\n",
        "",
    ],
)
def test_a_crontab_is_none(text):
    assert foreign(text.encode()) is None


@pytest.mark.parametrize("text", [" " * 200_000, "\n" * 200_000, "1 " * 100_000, "- " * 100_000])
def test_hostile_text_takes_no_longer(text):
    begin = monotonic()
    assert foreign(text.encode()) is None
    assert monotonic() - begin < 1
