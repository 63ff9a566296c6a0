"""Short names for long command lines, so that a table of kinds can be read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

LENGTH = 60

REDIRECTION = re.compile(r"\s*(?:\d{0,3}|&)>{1,2}\s*(?:&\d|\S+)|\s*(?<!\S)<\s*\S+")
PREAMBLE = re.compile(
    r"""^(?:
        cd\s+\S+\s*(?:&&|;)                             # cd /srv/app && php x.php
      | (?:\[\s[^]]*\]|test\s[^|&;]*)\s*(?:&&|\|\|)     # [ -x /usr/bin/x ] && x
      | [A-Za-z_]\w*=\S*\s                              # LANG=C x
    )\s*""",
    re.VERBOSE,
)
PATH_WORD = re.compile(r"(?<!\S)/(?:[^\s/]+/)*(?=[^\s/])")


def short_name(command: str) -> str:
    """A command line without redirections, folders and what only comes before the work.

    ``cd /srv/app && php /srv/app/bin/x.php --all >/dev/null 2>&1`` is ``php x.php --all``.
    """
    text = printable(command)
    bare = _bare(REDIRECTION.sub("", text))
    while (match := PREAMBLE.match(bare)) and match.end() < len(bare):
        bare = _bare(bare[match.end() :])
    bare = PATH_WORD.sub("", bare).strip()
    return cut(bare or text)


def short_names(commands: Iterable[str]) -> dict[str, str]:
    """The short name of each different command; where two would be alike, they are numbered."""
    name_of: dict[str, str] = {}
    alike: Counter[str] = Counter()
    for command in dict.fromkeys(commands):
        plain = name = short_name(command)
        while alike[name]:
            alike[plain] += 1
            name = f"{plain} #{alike[plain]}"
        alike[name] += 1
        name_of[command] = name
    return name_of


def printable(text: str) -> str:
    """On one line, with single blanks, and a question mark for what no terminal shows."""
    shown = "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
    return shown.strip() or "?"


def cut(text: str) -> str:
    """At most `LENGTH` characters, with dots where there were more."""
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 3].rstrip()}..."


def _bare(text: str) -> str:
    """Without what a shell sets around a command."""
    bare = text.strip(" &;")
    return bare.strip("() ") if bare.startswith("(") else bare
