"""Files as readers want them: whole, unpacked and known to be text; or a clear LogError."""

from __future__ import annotations

import gzip
import zlib
from codecs import BOM_UTF8
from pathlib import Path

from jobsim.joblog.faultlist import refuse

GZIP = b"\x1f\x8b"
HEAD_BYTES = 64 * 1024


def read_bytes(path: Path, at_most: int = -1) -> bytes:
    """The file's bytes, unpacked if it is gzip (whatever its name), without a byte order mark.

    Raises
    ------
    LogError
        The file cannot be read, or its compressed data is cut off or damaged.
    """
    try:
        with path.open("rb") as plain:
            packed = plain.read(len(GZIP)) == GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            return file.read(at_most).removeprefix(BOM_UTF8)
    except EOFError:
        refuse(str(path), "the compressed data is cut off", "fetch or copy the file again")
    except (gzip.BadGzipFile, zlib.error) as error:
        refuse(str(path), f"the compressed data is damaged ({error})", "fetch the file again")
    except OSError as error:
        refuse(str(path), f"cannot be read: {error.strerror}", "a file that you may read")


def read_text_bytes(path: Path) -> bytes:
    """Like `read_bytes`, of a file that must hold text: refused if empty or binary."""
    data = read_bytes(path)
    if not data or data.isspace():
        refuse(str(path), "the file is empty", "one line for each job")
    if looks_binary(data[:HEAD_BYTES]):
        refuse(str(path), "the file is binary, not text", "a text file, plain or gzip")
    return data


def looks_binary(head: bytes) -> bool:
    """Whether this is no text: a zero byte, or a tenth of it control characters."""
    control = len(head) - len(head.translate(None, bytes({*range(32), 127} - {9, 10, 12, 13})))
    return b"\0" in head or control > len(head) / 10


def log_name(path: Path) -> str:
    """A log's short name: the file's, without ``.gz`` and the format's ending."""
    name = path.name.removesuffix(".gz")
    return Path(name).stem if Path(name).suffix else name
