"""A simulated InnoDB: ordered indexes, row locks, read views. Pure state, to be copied freely."""

from jobsim.sim.database.engine import Engine
from jobsim.sim.database.plan import Plan
from jobsim.sim.database.session import BLOCKED, Blocked, Session
from jobsim.sim.database.watch import Watch

__all__ = ["BLOCKED", "Blocked", "Engine", "Plan", "Session", "Watch"]
