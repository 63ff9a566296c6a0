"""``jobsim log fetch``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from jobsim.cli.options import Json
from jobsim.errors import UsageError
from jobsim.units import parse_duration_s

if TYPE_CHECKING:
    from jobsim.joblog.download import Progress
    from jobsim.joblog.fetch import Fetched

TRUSTED = {
    "user": "its SHA-256 is the one that you say",
    "catalogue": "its SHA-256 is the one that jobsim knows",
    "earlier": "its SHA-256 is the one kept when it was first fetched",
    "nobody": "no SHA-256 of it was known: what came is trusted, and from now on checked against",
}
"""What each answer to who knows the digest means for the user."""


def fetch(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A log of the Parallel Workloads Archive, as kth-sp2.",
            show_default=False,
        ),
    ] = None,
    catalogue: Annotated[
        bool, typer.Option("--list", help="List the logs that there are.")
    ] = False,
    archive: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="URL",
            envvar="JOBSIM_ARCHIVE_URL",
            help="A mirror of the archive [default: the archive itself].",
        ),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option(
            "--sha256",
            metavar="DIGEST",
            help="What the file's SHA-256 must be, over what is known of it; this also takes a "
            "file that the archive has changed.",
        ),
    ] = None,
    timeout: Annotated[
        str, typer.Option(metavar="DURATION", help="How long the server may be silent.")
    ] = "30s",
    as_json: Json = False,
) -> None:
    """Fetch a log of the Parallel Workloads Archive.

    It goes into the cache, and its path is printed. The file is checked against its SHA-256 each
    time, and kept with its terms: whom to acknowledge when you use it. Where no digest is known,
    that of the first fetch holds from then on. The cache is the user's, or $JOBSIM_CACHE.
    """
    if catalogue:
        _print_list(as_json)
        return
    if name is None:
        raise UsageError("jobsim log fetch NAME: which log? jobsim log fetch --list has all")
    from jobsim.joblog import fetch as fetching
    from jobsim.joblog.download import Downloader

    timeout_s = parse_duration_s(timeout)
    if not timeout_s:
        raise UsageError("--timeout 0: a duration above 0")
    with _progress(name) as told:
        got = fetching.fetch(name, archive, sha256, Downloader(timeout_s, told))
    _print(got, as_json)


def _print(got: Fetched, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(_described(got), indent=1))
        return
    typer.echo(f"{got.log.stem} {'fetched' if got.downloaded else 'is in the cache'}", err=True)
    typer.echo(f"{TRUSTED[got.known_by]}: {got.sha256}", err=True)
    typer.echo(f"terms, and whom to acknowledge: {got.terms}", err=True)
    typer.echo(f"go on with: jobsim log describe {got.path}", err=True)
    typer.echo(str(got.path))


def _described(got: Fetched) -> dict[str, object]:
    return {
        "name": got.log.name,
        "path": str(got.path),
        "terms": str(got.terms),
        "sha256": got.sha256,
        "known_by": got.known_by,
        "downloaded": got.downloaded,
    }


def _print_list(as_json: bool) -> None:
    from jobsim.joblog.archive import LOGS
    from jobsim.joblog.fetch import in_cache

    if as_json:
        rows = [
            {
                "name": log.name,
                "archive_name": log.stem,
                "what": log.what,
                "since": log.since,
                "jobs": log.jobs,
                "cached": in_cache(log),
                "page": log.page,
            }
            for log in LOGS
        ]
        typer.echo(json.dumps(rows, indent=1))
        return
    for log in LOGS:
        jobs = "?" if log.jobs is None else f"{log.jobs:,}"
        mark = "cached" if in_cache(log) else ""
        typer.echo(f"{log.name:<17} {log.since} {jobs:>9} jobs  {log.what:<34} {mark}".rstrip())


@contextmanager
def _progress(name: str) -> Iterator[Progress]:
    """A bar on stderr while bytes come, where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(
        *columns,
        TransferSpeedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
