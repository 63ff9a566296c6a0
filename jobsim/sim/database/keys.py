"""Keys of index records."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Key: TypeAlias = "tuple[Any, ...]"
"""The index's columns, then the row's id; or a beginning of that."""

SUPREMUM: Final[Key] = ("supremum",)
"""The pseudo-record after the last one of an index; compare it with nothing."""
