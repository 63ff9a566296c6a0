"""``jobsim policies``: every policy by name."""

from __future__ import annotations

import json
from typing import Any

import typer

from jobsim.cli.options import Json


def add_to(app: typer.Typer) -> None:
    app.command(short_help="List every policy and its parameters.")(policies)


def policies(as_json: Json = False) -> None:
    """List every policy: its family, what it does, its parameters, the server that it needs."""
    from jobsim.policies.registry import POLICIES

    if as_json:
        typer.echo(json.dumps([_document(policy) for policy in POLICIES], indent=1))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("family", "policy", "what it does", "needs"):
        table.add_column(heading, overflow="fold")
    for policy in POLICIES:
        needs = ", ".join(f"{server} {least}" for server, least in policy.needs.items())
        table.add_row(policy.family, policy.name, policy.summary, needs or "any server")
    console = Console()
    console.print(table)
    for family in dict.fromkeys(policy.family for policy in POLICIES):
        _print_parameters(console, family)


def _print_parameters(console: Any, family: str) -> None:
    from jobsim.policies.registry import POLICIES

    members = [policy for policy in POLICIES if policy.family == family]
    console.print(f"\n{family} parameters and their defaults:", highlight=False)
    for name in members[0].parameters():
        values = {policy.name: policy.parameters()[name] for policy in members}
        usual = members[0].parameters()[name]
        others = ", ".join(f"{v!r} with {k}" for k, v in values.items() if v != usual)
        note = f"  ({others})" if others else ""
        console.print(f"  {family}.{name} = {usual!r}{note}", highlight=False)


def _document(policy: Any) -> dict[str, Any]:
    return {
        "name": policy.name,
        "family": policy.family,
        "summary": policy.summary,
        "parameters": policy.parameters(),
        "needs": dict(policy.needs),
    }
