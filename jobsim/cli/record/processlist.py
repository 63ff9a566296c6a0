"""``jobsim record processlist``."""

from __future__ import annotations

from jobsim.cli.options import seconds
from jobsim.cli.record.options import Database, Every, For, Output, log_path, say
from jobsim.cli.record.table import finish


def processlist(database: Database, output: Output, every: Every = "1s", for_: For = None) -> None:
    """Watch a server's process list and write a job log of the statements seen, for a killer.

    Each look is one SELECT on information_schema.processlist of MariaDB or MySQL; it needs the
    PROCESS privilege. A statement runs from now minus its age until it is last seen, so a run time
    is too short by less than --every, and a statement that is shorter than --every is mostly not
    seen. Its kind is its verb and its tables; its text is not kept.

    With -o jobs.csv, statements that are over are on disk in jobs.transitions.csv. The log is
    written after --for, or at Ctrl-C (exit status 130).
    """
    from jobsim.record.processlist import ServerWatch, record_processlist

    watch = ServerWatch(database, every_s=seconds(every) or 0.0, for_s=seconds(for_))
    finish(record_processlist(watch, log_path(output), say), output)
