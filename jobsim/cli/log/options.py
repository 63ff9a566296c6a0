"""The options by which a user says how a log is to be read."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Format: TypeAlias = Annotated[
    str | None, typer.Option("--format", help="The file's format, where it is not recognised.")
]
