"""The slow query logs of MySQL, Percona Server and MariaDB: each statement in one is a job."""

from jobsim.joblog.slowlog.entries import looks_like
from jobsim.joblog.slowlog.log import read

__all__ = ["looks_like", "read"]
