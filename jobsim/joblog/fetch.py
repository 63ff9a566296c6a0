"""Logs of the Parallel Workloads Archive in the user's cache: fetched once, checked each time.

Beside ``LOG.swf.gz`` the cache keeps ``LOG.swf.gz.sha256``, the digest that the file must have
(``sha256sum -c`` reads it), and ``LOG.txt``, its terms. A digest comes from the user, from the
catalogue, or else from the first fetch; what was once kept holds from then on.
"""

from __future__ import annotations

import gzip
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from jobsim.errors import UsageError
from jobsim.joblog import swf
from jobsim.joblog.archive import ARCHIVE_URL, ArchiveLog, find, named
from jobsim.joblog.archive_terms import terms
from jobsim.joblog.digests import beside, digest_of, is_digest, keep, keep_first, kept, write_whole
from jobsim.joblog.download import Downloader, check_address
from jobsim.joblog.faultlist import refuse
from jobsim.joblog.files import HEAD_BYTES

CACHE = "JOBSIM_CACHE"
ARCHIVE = "JOBSIM_ARCHIVE_URL"

KnownBy: TypeAlias = Literal["user", "catalogue", "earlier", "nobody"]
RIGHT = "the log as the archive keeps it (--from URL names a mirror)"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A log of the archive in the cache.

    Attributes
    ----------
    path
        Its file.
    terms
        The text of its terms.
    sha256
        The digest of the file.
    known_by
        Who says that this is the right digest: ``user``, ``catalogue``; ``earlier`` where it is
        that of the first fetch; ``nobody`` where this is the first.
    downloaded
        Whether it came now, and was not in the cache.
    """

    log: ArchiveLog
    path: Path
    terms: Path
    sha256: str
    known_by: KnownBy
    downloaded: bool


def folder() -> Path:
    """Where the logs are kept: in $JOBSIM_CACHE, or in the user's cache."""
    from platformdirs import user_cache_path

    said = os.environ.get(CACHE)
    return (Path(said) if said else user_cache_path("jobsim")) / "archive"


def in_cache(log: ArchiveLog) -> bool:
    """Whether the log was fetched."""
    path = folder() / log.file
    return path.is_file() and beside(path).is_file()


def cached(name: str) -> Path | None:
    """The file of a fetched log by name; None where no log has this name or it was not fetched.

    Raises
    ------
    LogError
        The file is not what was fetched.
    """
    log = named(name)
    if log is None or not in_cache(log):
        return None
    path = folder() / log.file
    if digest_of(path) != kept(path):
        refuse(str(path), "it has changed since it was fetched", f"jobsim log fetch {log.name}")
    return path


def fetch(
    name: str,
    archive: str | None = None,
    sha256: str | None = None,
    download: Downloader | None = None,
) -> Fetched:
    """A log of the archive, from the cache or else from the network.

    Parameters
    ----------
    name
        jobsim's name of the log, or the archive's.
    archive
        The address of a mirror; None: $JOBSIM_ARCHIVE_URL, or the archive itself.
    sha256
        The digest that its file must have, over what the catalogue and the cache say.
    download
        How it is downloaded.

    Raises
    ------
    UsageError
        No log has this name, an argument cannot be taken, or the cache cannot be written.
    LogError
        The file does not come, or what comes is not the log.
    """
    log = find(name)
    archive = archive or os.environ.get(ARCHIVE) or ARCHIVE_URL
    check_address(archive)
    if sha256 is not None and not is_digest(sha256):
        raise UsageError(f"--sha256 {sha256}: 64 digits from 0 to f are right")
    try:
        return _fetched(log, log.url(archive), sha256 and sha256.lower(), download or Downloader())
    except OSError as error:
        place, why = error.filename or folder(), error.strerror or error
        raise UsageError(
            f"{place}: the cache cannot be used: {why}; set {CACHE} to a folder that can be written"
        ) from error


def _fetched(log: ArchiveLog, url: str, said: str | None, download: Downloader) -> Fetched:
    import pooch

    path = folder() / log.file
    path.parent.mkdir(parents=True, exist_ok=True)
    expected, known_by = _expected(log, path, said)
    came = False

    def checked(url: str, output_file: str, pooch: object) -> None:
        nonlocal came
        download(url, output_file)
        check_log(Path(output_file), url)
        _check_digest(Path(output_file), path, url, expected)
        came = True

    pooch.get_logger().setLevel("WARNING")
    pooch.retrieve(url, expected, fname=path.name, path=path.parent, downloader=checked)
    if not expected and not came:
        check_log(path, str(path))
    digest = digest_of(path)
    keep(path, digest)
    about = path.parent / f"{log.stem}.txt"
    if came or not about.is_file():
        write_whole(about, terms(log, path, url, digest))
    return Fetched(log, path, about, digest, known_by, came)


def _expected(log: ArchiveLog, path: Path, said: str | None) -> tuple[str | None, KnownBy]:
    """The digest that the file must have, and who says so."""
    before = kept(path)
    if said is not None:
        return said, "user"
    if log.sha256 is not None and before in (None, log.sha256):
        return log.sha256, "catalogue"
    return before, "nobody" if before is None else "earlier"


def _check_digest(new: Path, path: Path, url: str, expected: str | None) -> None:
    """Refuse a new file that is not the right one; where none is known, its digest is kept."""
    digest = digest_of(new)
    # Of two first fetches at a time only one's digest is kept, and holds for both.
    right = expected or keep_first(path, digest)
    if digest != right:
        refuse(
            url,
            f"its SHA-256 is {digest}, not {right}",
            f"if you know that the archive has changed it: --sha256 {digest}",
        )


def check_log(path: Path, place: str) -> None:
    """Refuse what is no whole, packed log; `place` is where it comes from, for the message."""
    try:
        with gzip.open(path) as file:
            head = file.read(HEAD_BYTES)
            while file.read(1024 * 1024):
                pass
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        refuse(place, f"this is no whole gzip file ({error})", RIGHT)
    if not swf.looks_like(head):
        refuse(place, "this is no log in the Standard Workload Format", RIGHT)
