"""The command line: thin commands over the public functions.

Results go to stdout, progress and faults to stderr. Heavy libraries are imported inside the
command that needs them, so that ``--help`` answers at once; and the commands themselves only when
one is asked for that is not a cron job's ``record run``.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jobsim.cli.application import app as app


def run() -> None:
    """The console script: every error as one line, and its exit status."""
    from jobsim.record.shortcut import shortcut

    status = shortcut(sys.argv[1:])
    if status is not None:
        os._exit(status)  # all is written, and taking the interpreter down takes 2 ms
    from jobsim.cli.application import app
    from jobsim.cli.guard import guarded

    sys.exit(guarded(app))


def __getattr__(name: str) -> object:
    """The whole command line, ``app``, when somebody asks for it."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jobsim.cli.application import app

    return app
