"""Runs as pictures: colour means the policy, line style the driver. Logs as pictures: `joblog`."""

from jobsim.plots import joblog
from jobsim.plots.draw import PLOTS, backlog_over_time, lock_waits, save_all, stuck, waits
from jobsim.plots.joblog import LOG_PLOTS
from jobsim.plots.look import colour

__all__ = [
    "LOG_PLOTS",
    "PLOTS",
    "backlog_over_time",
    "colour",
    "joblog",
    "lock_waits",
    "save_all",
    "stuck",
    "waits",
]
