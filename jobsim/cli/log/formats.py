"""``jobsim log formats``."""

from __future__ import annotations

import json

import typer

from jobsim.cli.options import Json


def formats(as_json: Json = False) -> None:
    """List the formats that are read, and which options each takes."""
    from jobsim.joblog.readers import READERS
    from jobsim.joblog.reading import OPTION_OF

    rows = [
        {
            "name": reader.name,
            "what": reader.what,
            "endings": list(reader.endings),
            "options": sorted(OPTION_OF[name] for name in reader.takes),
        }
        for reader in READERS
    ]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        typer.echo(f"{row['name']:<15} {row['what']}")
        if row["options"]:
            typer.echo(f"{'':<15} {', '.join(row['options'])}")
