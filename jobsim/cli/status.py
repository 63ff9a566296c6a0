"""``jobsim doctor``: what is installed, what is missing, and what mends it."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from jobsim.cli.options import Json


def add_to(app: typer.Typer) -> None:
    app.command(short_help="Say what is installed, and how to get what is missing.")(doctor)


def doctor(as_json: Json = False) -> None:
    """Say what is installed, which servers were found, and the command for what is missing."""
    from jobsim.doctor import doctor_table, examine

    findings = examine()
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=1, default=str))
        return
    from rich.console import Console

    Console().print(doctor_table(findings))
