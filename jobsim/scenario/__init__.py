"""One run or one comparison as a value: what the command line, a file and a notebook say.

A scenario knows names and numbers as people give them, in log time. :func:`Scenario.resolve` makes
a :class:`jobsim.run.Run` of it for a given log, in run seconds.
"""

from jobsim.scenario.file import read_scenario
from jobsim.scenario.scenario import DEFAULT_QUEUE, Scenario
from jobsim.scenario.settings import As, DatabaseSettings, TriggerSettings, parse_assignments
from jobsim.scenario.trial import Trial, combined

__all__ = [
    "DEFAULT_QUEUE",
    "As",
    "DatabaseSettings",
    "Scenario",
    "Trial",
    "TriggerSettings",
    "combined",
    "parse_assignments",
    "read_scenario",
]
