"""Process lists of MySQL and MariaDB: each statement at work in one, or in several, is a job."""

from jobsim.joblog.processlist.lists import looks_like
from jobsim.joblog.processlist.log import read

__all__ = ["looks_like", "read"]
