"""The short way to `wrap`, for the command line that crontabs hold.

The command line of jobsim takes a few tenths of a second to load, which no cron job should wait
for. What is not plainly such a line (``--help``, a slip, another command) takes the long way, which
knows all options and says what is wrong.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing would be loaded for nothing
if TYPE_CHECKING:
    from collections.abc import Sequence


TAKES = ("--append", "--kind", "--submitted")


def shortcut(argv: Sequence[str]) -> int | None:
    """Wrap the command that a command line names; None if it is not plainly of that form."""
    if list(argv[:2]) != ["record", "run"]:
        return None
    said, command = _parsed(argv[2:])
    if not command or not said.get("--append"):
        return None
    from jobsim.record.wrap import wrap

    return wrap(command, said["--append"], said.get("--kind"), said.get("--submitted"))


def _parsed(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The options that come first, with their values, and the command after them."""
    said: dict[str, str] = {}
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "--":
        name, sign, value = rest.pop(0).partition("=")
        if name not in TAKES or not (sign or rest):
            return {}, []
        said[name] = value if sign else rest.pop(0)
    return said, rest[1:] if rest[:1] == ["--"] else rest
