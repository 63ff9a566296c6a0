"""Tables as database clients draw them: MySQL's boxes, psql's columns, Markdown."""

from __future__ import annotations

import csv
import io
import re

_COUNT = re.compile(r"\([0-9]+ rows?\)|[0-9]+ rows? in set\b.*")


def is_framed(text: str) -> bool:
    """Whether a text that begins like this is such a table: a rule is above or below its header."""
    lines = [line.strip() for line in text.splitlines() if line.strip()][:3]
    rules = [_is_rule(line) for line in lines]
    header = lines[rules.index(False)] if False in rules else ""
    return rules[:2].count(True) == 1 and "|" in header


def unframed(text: str) -> str:
    """The table as CSV with bars between its cells; each row stays on its line."""
    found = io.StringIO()
    writer = csv.writer(found, delimiter="|", lineterminator="\n")
    for line in text.splitlines():
        row = line.strip()
        drawn = not row or _is_rule(row) or _COUNT.fullmatch(row)
        writer.writerow([] if drawn else [cell.strip() for cell in _within(row).split("|")])
    return found.getvalue()


def _is_rule(row: str) -> bool:
    return ("--" in row or "==" in row) and set(row) <= set(" |+:=-")


def _within(row: str) -> str:
    return row.removeprefix("|").removesuffix("|") if row.startswith("|") else row
