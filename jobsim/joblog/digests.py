"""SHA-256 digests of files, kept beside them: ``FILE.sha256``, as ``sha256sum -c`` reads it."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import NamedTemporaryFile

from jobsim.joblog.faultlist import refuse


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 digest in hexadecimal digits."""
    return re.fullmatch(r"[0-9a-fA-F]{64}", text) is not None


def digest_of(path: Path) -> str:
    """The digest of a file."""
    import pooch

    return str(pooch.file_hash(str(path)))


def beside(path: Path) -> Path:
    """The file that keeps the digest of the file at `path`."""
    return path.with_name(f"{path.name}.sha256")


def kept(path: Path) -> str | None:
    """The digest that is kept of a file, or None.

    Raises
    ------
    LogError
        What should keep it holds something else.
    """
    try:
        digest = beside(path).read_text(encoding="utf-8", errors="replace").partition(" ")[0]
    except FileNotFoundError:
        return None
    if not is_digest(digest):
        refuse(str(beside(path)), "there is no SHA-256 in it", "delete it, and fetch the log again")
    return digest.lower()


def keep(path: Path, digest: str) -> None:
    """Keep this digest of a file, and no other."""
    if kept(path) != digest:
        write_whole(beside(path), _line(path, digest))


def keep_first(path: Path, digest: str) -> str:
    """Keep the digest of a file unless one is kept already; gives the one that is kept.

    Of several that come at a time one is kept, and all are told which.
    """
    new = _written(beside(path), _line(path, digest))
    try:
        beside(path).hardlink_to(new)
    except FileExistsError:
        return kept(path) or digest
    finally:
        new.unlink()
    return digest


def write_whole(path: Path, text: str) -> None:
    """Write a text so that readers find the old one or the new one, never a part."""
    _written(path, text).replace(path)


def _line(path: Path, digest: str) -> str:
    return f"{digest}  {path.name}\n"


def _written(path: Path, text: str) -> Path:
    """A new file of this text, in the folder of `path`."""
    with NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        new = Path(file.name)
        try:
            file.write(text)
            file.flush()
        except OSError:
            new.unlink()
            raise
    return new
