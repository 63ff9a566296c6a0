"""SQL dumps as tables: what the statements of a dump would put into a database, without one.

`open_dump` is the way in; a `Dump` knows its tables and gives the rows of those asked for.
"""

from jobsim.joblog.sqldump.dump import Dump, looks_like, open_dump

__all__ = ["Dump", "looks_like", "open_dump"]
