"""The simulated driver: performs scripts in SimPy against a modelled server."""

from jobsim.sim.driver.play import SimRecord, play

__all__ = ["SimRecord", "play"]
