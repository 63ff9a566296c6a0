"""What an account must be allowed, to make a live run in a database of its own."""

from __future__ import annotations

from jobsim.live.database import Database

ON_DATABASE = ("CREATE", "DROP", "INDEX", "SELECT", "INSERT", "UPDATE", "DELETE")
FOR_COUNTING = ("PROCESS",)
"""Without it a run is made all the same: whether others are at work is then judged by less, and
deadlocks and lock timeouts are counted by the clients that met them."""


def grants(database: Database, account: str = "'jobsim'@'%'") -> list[str]:
    """The statements that give an account what it needs; the last may be left out.

    Killing a statement needs nothing more: a run kills its own sessions alone.
    """
    schema = str(database.url.database).replace("`", "``")
    return [
        f"GRANT {', '.join(ON_DATABASE)} ON `{schema}`.* TO {account}",
        f"GRANT {', '.join(FOR_COUNTING)} ON *.* TO {account}",
    ]
