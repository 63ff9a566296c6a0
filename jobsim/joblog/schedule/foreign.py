"""Schedules of other systems that look like crontabs and are none."""

from __future__ import annotations

import re

AS_LINES = "write its times as lines of a crontab: */5 * * * * NAME"

FOREIGN = {
    "a Kubernetes CronJob": (rb"^[ \t]*kind:[ \t]*[\"']?CronJob\b", AS_LINES),
    "a GitHub workflow": (rb"^[ \t]*(?:-[ \t]+)?cron:[ \t]*\S", AS_LINES),
    "a Jenkins pipeline": (
        rb"\btriggers\s*\{\s*(?:cron|pollSCM)\b|\bpipelineTriggers\b",
        AS_LINES,
    ),
    "a schedule for Quartz, with seconds and ?": (
        rb"^(?:[0-9*/,-]+[ \t]+){3}(?:[0-9*/,-]+[ \t]+[0-9A-Za-z*/,-]+[ \t]+)?\?(?:\s|$)",
        AS_LINES,
    ),
    "an anacrontab, which says every how many days but not at what time": (
        rb"^(?:\d+|@\w+)[ \t]+\d+[ \t]+cron\.(?:daily|weekly|monthly)\s",
        "the log in which anacron writes when its jobs started and ended (--format cron)",
    ),
}
"""How each is told, and what can be read in its place."""


def foreign(text: bytes) -> tuple[str, str] | None:
    """What a file is if it is such a schedule, and what would be right."""
    for what, (pattern, right) in FOREIGN.items():
        if re.search(pattern, text, re.MULTILINE):
            return what, right
    return None
