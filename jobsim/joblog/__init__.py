"""Job logs: real (or drawn) jobs from any source as one validated, tidy table.

`read_log` is the way in; `JobLog` is what comes out. A `LogSpec` says which log, and how to read
it, before it is read.
"""

from jobsim.joblog.notes import Note
from jobsim.joblog.read import read_log, write
from jobsim.joblog.reading import Reading
from jobsim.joblog.spec import LogSpec
from jobsim.joblog.table import JobLog

__all__ = ["JobLog", "LogSpec", "Note", "Reading", "read_log", "write"]
