"""jobsim: replay a real job log under any queue, lease or query killer, simulated and live."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than a recorded cron job may wait
if TYPE_CHECKING:
    from typing import Any

    from jobsim.experiment import Comparison, compare, live, make_scenario, simulate
    from jobsim.faults import Fault
    from jobsim.joblog import JobLog, Reading, read_log
    from jobsim.joblog.describe import describe
    from jobsim.result import Result
    from jobsim.scenario import Scenario

_WHERE = {
    "Comparison": "jobsim.experiment",
    "Fault": "jobsim.faults",
    "JobLog": "jobsim.joblog",
    "Reading": "jobsim.joblog",
    "Result": "jobsim.result",
    "Scenario": "jobsim.scenario",
    "compare": "jobsim.experiment",
    "describe": "jobsim.joblog.describe",
    "live": "jobsim.experiment",
    "read_log": "jobsim.joblog",
    "make_scenario": "jobsim.experiment",
    "simulate": "jobsim.experiment",
}

__all__ = [
    "Comparison",
    "Fault",
    "JobLog",
    "Reading",
    "Result",
    "Scenario",
    "compare",
    "describe",
    "live",
    "make_scenario",
    "read_log",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first used: the libraries behind them are slow."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return __all__
