"""What is measured of a run, one group of metrics a file; all of it from the attempt records."""

from jobsim.outcomes.facts import Facts
from jobsim.outcomes.killer import Limits
from jobsim.outcomes.logged import as_logged, logged_facts
from jobsim.outcomes.measure import Metrics, measure
from jobsim.outcomes.regime import Regime, regime_of
from jobsim.outcomes.replications import replicated

__all__ = [
    "Facts",
    "Limits",
    "Metrics",
    "Regime",
    "as_logged",
    "logged_facts",
    "measure",
    "regime_of",
    "replicated",
]
