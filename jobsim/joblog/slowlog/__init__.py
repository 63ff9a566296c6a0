"""The slow query logs of MySQL, Percona Server and MariaDB: each statement in one is a job."""

from jobsim.joblog.slowlog.log import looks_like, read

__all__ = ["looks_like", "read"]
