"""What the world may throw into a script."""

from __future__ import annotations


class Thrown(Exception):  # noqa: N818 - what is thrown is not always a fault
    """Something a driver throws into a script at the step that met it."""


class Deadlock(Thrown):
    """Chosen as a deadlock's victim; the transaction is gone (MariaDB and MySQL error 1213)."""


class LockTimeout(Thrown):
    """A row lock was not had in time; the transaction is still open (error 1205)."""


class ChangedSinceRead(Thrown):
    """The row was changed since this transaction's snapshot; it is gone (error 1020)."""


class DuplicateKey(Thrown):
    """A unique key is taken (error 1062)."""


class Killed(Thrown):
    """Somebody killed the statement (error 1317)."""


class LimitExceeded(Thrown):
    """The statement ran longer than its limit (MariaDB error 1969, MySQL 3024)."""


class ConnectionLost(Thrown):
    """The connection is gone and with it the transaction (errors 2006 and 2013)."""


class Raised(Thrown):
    """An exception in the program itself: a fault that nothing was written to catch."""
