"""One file over HTTP: whole, as its server keeps it, and in bounded time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import refuse

if TYPE_CHECKING:
    from requests import Response

CHUNK_BYTES = 64 * 1024
SLOWEST_BYTES_PER_S = 1000.0
"""Who sends less, once the time-out is over, is given up, so that no download lasts for ever."""

HEADERS = {"User-Agent": "jobsim", "Accept-Encoding": "identity"}
MEND = "try again later, or a mirror (--from URL)"
BROWSER = (
    "save it with a browser and name that file instead of the log, or name a mirror (--from URL)"
)

Progress = Callable[[int, int | None], None]
"""Told how many bytes there are, and how many there will be, or None where that is unknown."""


@dataclass(frozen=True, slots=True)
class Downloader:
    """Downloads a file, as pooch asks its downloaders to.

    Attributes
    ----------
    timeout_s
        How long the server may be silent.
    progress
        Told of each piece that has come.
    """

    timeout_s: float = 30.0
    progress: Progress | None = None

    def __call__(self, url: str, output_file: str, pooch: object = None) -> None:
        """Write what is at `url` to a file.

        Raises
        ------
        LogError
            It did not come, or not as a whole.
        OSError
            The file cannot be written.
        """
        import requests
        from urllib3.exceptions import HTTPError

        try:
            with requests.get(url, stream=True, timeout=self.timeout_s, headers=HEADERS) as answer:
                answer.raise_for_status()
                self._take(url, answer, Path(output_file))
        except (requests.RequestException, HTTPError) as error:
            refuse(url, *self._why(error, urlsplit(url).hostname or url))

    def _take(self, url: str, answer: Response, path: Path) -> None:
        length = answer.headers.get("content-length", "")
        total = int(length) if length.isdigit() else None
        begun_s, done = time.monotonic(), 0
        with path.open("wb") as file:
            # Undecoded: servers that call a packed file an encoding of the plain one mean no other.
            while piece := answer.raw.read1(CHUNK_BYTES, decode_content=False):
                file.write(piece)
                done += len(piece)
                passed_s = time.monotonic() - begun_s
                if passed_s > self.timeout_s and done < SLOWEST_BYTES_PER_S * passed_s:
                    refuse(url, f"it came too slowly: {done:,} bytes in {passed_s:.0f} s", MEND)
                if self.progress:
                    self.progress(done, total)
        if total is not None and done != total:
            refuse(url, f"it was cut off after {done:,} of {total:,} bytes", MEND)

    def _why(self, error: Exception, host: str) -> tuple[str, str]:
        """What went wrong, and what would be right."""
        import requests
        from urllib3 import exceptions

        if isinstance(error, requests.HTTPError) and error.response is not None:
            code = error.response.status_code
            return (
                f"the server says {code} {error.response.reason}",
                BROWSER if code < 500 else MEND,
            )
        causes = [error, *error.args, *(getattr(cause, "reason", None) for cause in error.args)]
        if any(
            isinstance(cause, exceptions.IncompleteRead | ConnectionResetError) for cause in causes
        ):
            return "it was cut off", MEND
        if any(isinstance(cause, exceptions.NameResolutionError) for cause in causes):
            return f"no way to {host}: its name is not known here (no network?)", MEND
        if isinstance(error, requests.Timeout | exceptions.ReadTimeoutError):
            return f"{host} was silent for {self.timeout_s:g} s", MEND
        if isinstance(error, requests.ConnectionError):
            return f"no connection to {host} (no network?)", MEND
        return f"it cannot be fetched ({str(error).splitlines()[0]})", MEND


def check_address(url: str) -> None:
    """Raise a UsageError unless this is an address of the web, without a password in it."""
    try:
        found = urlsplit(url)
        fits = found.scheme in ("http", "https") and bool(found.hostname)
    except ValueError:
        fits = False
    if fits and found.username is not None:
        # It would be shown and kept with the file.
        raise UsageError("--from: no user and password in an address; they belong into ~/.netrc")
    if not fits:
        raise UsageError(f"--from {url}: no address of the web; http://... or https://... is right")
