"""Errors as people and scripts want them: one line on stderr, and an exit status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import typer

from jobsim.errors import JobsimError

INTERRUPTED = 130
REFUSED: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")
"""Any wrong use of the command line; typer brings its own click, or uses the one beside it."""


class Guard:
    """Runs the command line, and turns what it raises into an exit status.

    0 ok; 1 it ran, and what was asked does not hold; 2 usage, scenario or log; 3 the database;
    130 interrupted. With ``debug`` a fault's traceback is shown.
    """

    debug = False

    def __call__(self, app: Callable[..., Any]) -> int:
        signal.signal(signal.SIGTERM, _as_interrupt)
        try:
            status = app(standalone_mode=False)
        except JobsimError as error:
            return self._said(error, error.exit_code)
        except REFUSED as error:
            error.show()
            return int(error.exit_code)
        except (KeyboardInterrupt, typer.Abort):
            status = INTERRUPTED
        except BrokenPipeError:
            return self._closed()
        except Exception as error:
            if self.debug:
                raise
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            print(f"jobsim: unexpected {what} (--debug shows where)", file=sys.stderr)
            return 1
        if status == INTERRUPTED:  # also where typer has caught the interrupt
            print("interrupted; what was started is stopped", file=sys.stderr)
        return status if isinstance(status, int) else 0

    def _said(self, error: JobsimError, status: int) -> int:
        if self.debug:
            raise error
        print(f"jobsim: {error}", file=sys.stderr)
        return status

    @staticmethod
    def _closed() -> int:
        """Whoever read stdout has gone: say no more."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _as_interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


guarded = Guard()
