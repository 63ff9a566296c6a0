"""``jobsim explain``: what a policy does, step by step."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from jobsim.cli.options import Json, Set


class Dialect(StrEnum):
    """Whose SQL is shown."""

    mariadb = "mariadb"
    mysql = "mysql"
    postgresql = "postgresql"
    sqlite = "sqlite"
    mssql = "mssql"


def add_to(app: typer.Typer) -> None:
    app.command(short_help="Show the steps of a policy, and the SQL that they send.")(explain)


def explain(
    name: Annotated[
        str, typer.Argument(metavar="POLICY", help="Its name (jobsim policies lists all).")
    ],
    dialect: Annotated[Dialect, typer.Option(help="Whose SQL to show.")] = Dialect.mariadb,
    settings: Set = None,
    ddl: Annotated[bool, typer.Option("--ddl", help="Show the tables as well.")] = False,
    as_json: Json = False,
) -> None:
    """Show a policy's steps in order, with the labels that faults name and the SQL they send."""
    from jobsim.explain import explain_policy, table_ddl

    explained = explain_policy(name, dialect.value, list(settings or []))
    if as_json:
        typer.echo(json.dumps([asdict(step) for step in explained], indent=1))
        return
    part = ""
    for step in explained:
        if step.part != part:
            typer.echo(("\n" if part else "") + f"{step.part}:")
            part = step.part
        typer.echo(f"  {step.label:<16} {step.sql or step.asks}")
    if ddl:
        typer.echo("\n" + table_ddl(name, dialect.value, list(settings or [])))
