"""Runs as pictures: colour means the policy, line style the driver."""

from jobsim.plots.draw import PLOTS, backlog_over_time, lock_waits, save_all, stuck, waits
from jobsim.plots.look import colour

__all__ = ["PLOTS", "backlog_over_time", "colour", "lock_waits", "save_all", "stuck", "waits"]
