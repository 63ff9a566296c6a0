"""What a person does with a log: simulate it, run it live, compare policies.

Everything that the command line does is one call of a function here.
"""

from jobsim.experiment.comparing import compare
from jobsim.experiment.comparison import Comparison
from jobsim.experiment.options import Log, On, Progress, make_scenario
from jobsim.experiment.play import live, simulate

__all__ = [
    "Comparison",
    "Log",
    "On",
    "Progress",
    "compare",
    "live",
    "make_scenario",
    "simulate",
]
