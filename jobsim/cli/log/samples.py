"""``jobsim log list``."""

from __future__ import annotations

import json

import typer

from jobsim.cli.options import Json


def list_samples(as_json: Json = False) -> None:
    """List the recorded samples (logs to fetch: jobsim log fetch --list)."""
    from jobsim.joblog import read_log, samples

    rows = []
    for name in samples.paths():
        read = read_log(name)
        span_s = float(read.jobs["submit_s"].max())
        rows.append({"name": name, "jobs": len(read), "span_s": round(span_s, 3)})
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        typer.echo(f"{row['name']:<16} {row['jobs']} jobs over {row['span_s']:.0f} s")
