"""Pseudonyms: short names that stand for names, and that only the holder of a key can make again.

A pseudonym is a keyed hash (BLAKE2b, RFC 7693) of the name. Without the key nobody can find the
name by hashing all names that there may be, which plain hashes allow.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from jobsim.errors import UsageError

KEY_BYTES = 32
LEAST_KEY_BYTES = 16
DIGITS = (10, 20, 64)
"""How long a pseudonym's number is: short, but longer where two names would share one."""


def pseudonyms(names: Iterable[str], prefix: str, key: bytes) -> dict[str, str]:
    """A pseudonym for each name, as ``prefix-3f9a2c41d0``; no two names have the same.

    With the same key and prefix a name gets the same pseudonym each time, among other names too
    (but for two of a million names, of which the longer number depends on both being there).
    """
    numbers = {
        name: blake2b(
            name.encode(errors="surrogatepass"), key=key, person=prefix.encode(), digest_size=32
        ).hexdigest()
        for name in names
    }
    found: dict[str, str] = {}
    for digits in DIGITS:
        shares = Counter(number[:digits] for number in numbers.values())
        alone = {name: n[:digits] for name, n in numbers.items() if shares[n[:digits]] == 1}
        found |= {name: f"{prefix}-{short}" for name, short in alone.items()}
        numbers = {name: number for name, number in numbers.items() if name not in alone}
    return found


def new_key() -> bytes:
    """A key that nobody can guess."""
    return secrets.token_bytes(KEY_BYTES)


def kept_key(path: Path) -> bytes:
    """The key in a file; where there is no such file, a new key is made and kept in it.

    The file is made so that only its owner can read it.

    Raises
    ------
    UsageError
        The file cannot be read or written, or holds no key.
    """
    try:
        if not path.exists():
            path.touch(mode=0o600, exist_ok=False)
            path.write_text(f"{new_key().hex()}\n")
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except OSError as error:
        raise UsageError(f"--key {path}: {error.strerror}") from error
    except ValueError:
        key = b""
    if not LEAST_KEY_BYTES <= len(key) <= blake2b.MAX_KEY_SIZE:
        right = f"{2 * LEAST_KEY_BYTES} to {2 * blake2b.MAX_KEY_SIZE} digits from 0 to f are right"
        raise UsageError(f"--key {path}: there is no key in it; {right}, or a new file")
    return key
