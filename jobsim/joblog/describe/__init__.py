"""What a person wants to know of a job log before trusting it."""

from jobsim.joblog.describe.answers import Answer, check_answers
from jobsim.joblog.describe.arrivals import Arrivals, Peak
from jobsim.joblog.describe.description import SHORT_S, Description, Kind, describe
from jobsim.joblog.describe.gaps import Gap
from jobsim.joblog.describe.page import page
from jobsim.joblog.describe.sections import sections
from jobsim.joblog.describe.sign import Sign
from jobsim.joblog.describe.table import describe_table
from jobsim.joblog.describe.tail import Tail
from jobsim.joblog.describe.words import duration, number, percent

__all__ = [
    "SHORT_S",
    "Answer",
    "Arrivals",
    "Description",
    "Gap",
    "Kind",
    "Peak",
    "Sign",
    "Tail",
    "check_answers",
    "describe",
    "describe_table",
    "duration",
    "number",
    "page",
    "percent",
    "sections",
]
