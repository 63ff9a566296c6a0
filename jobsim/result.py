"""What one run gave: its metrics, and the records that they were computed from."""

from __future__ import annotations

import json
import platform
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jobsim.outcomes import Facts, Metrics, as_logged, logged_facts
from jobsim.outcomes.facts import ENDS
from jobsim.units import format_duration

if TYPE_CHECKING:
    import pandas as pd

PACKAGES = ("numpy", "pandas", "simpy", "sqlalchemy", "pymysql")
"""Whose versions are kept beside a saved run: those that may change what it gives."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """One run, measured. All instants are float seconds since the run began.

    Attributes
    ----------
    metrics
        The document that ``--json`` prints.
    facts
        What the metrics were computed from.
    run
        What the driver was given.
    settings
        What else decided the outcome: the server and its settings, the costs.
    warnings
        What to be careful with when reading the numbers.
    """

    metrics: Metrics
    facts: Facts
    run: Any = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, facts: Facts, metrics: Metrics, **rest: Any) -> Result:
        """The result of a run that was measured."""
        return cls(metrics, facts, **rest)

    @classmethod
    def as_logged(cls, jobs: pd.DataFrame) -> Result | None:
        """The run that a log tells of, to plot beside others; None without start times."""
        metrics, facts = as_logged(jobs), logged_facts(jobs)
        return None if metrics is None or facts is None else cls(metrics, facts)

    @property
    def name(self) -> str:
        """The policy's name."""
        return str(self.metrics["name"])

    @property
    def driver(self) -> str:
        """``sim``, ``live`` or ``log``."""
        return str(self.metrics["driver"])

    @property
    def attempts(self) -> pd.DataFrame:
        """One row an attempt."""
        return self.facts.attempts

    @property
    def events(self) -> pd.DataFrame:
        """One row an event out of the ordinary; ``t_s`` is when."""
        return self.facts.events

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row a job: when it was due, first started and final, how it ended, how often run."""
        import pandas as pd

        facts = self.facts
        started = facts.at[facts.attempts["started_s"].notna().to_numpy()]
        return facts.jobs.assign(
            started_s=_known(facts.first_start_s),
            final_s=_known(facts.final_s),
            outcome=pd.Categorical.from_codes(facts.end, pd.Index(ENDS)),
            attempts=np.bincount(started, minlength=len(facts.jobs)),
        )

    def __repr__(self) -> str:
        told = ", ".join(f"{label} {value}" for label, value in self._figures() if value != "-")
        return f"<{self.name} ({self.driver}): {told}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(label)}</th><td>{escape(value)}</td></tr>"
            for label, value in self._figures()
        )
        return f"<table><caption>{escape(self.name)} ({self.driver})</caption>{rows}</table>"

    def _figures(self) -> list[tuple[str, str]]:
        m = self.metrics
        return [
            ("jobs done", _count(m["jobs"]["completed"])),
            ("wait p95", format_duration(m["wait"]["p95_s"])),
            ("backlog max", _count(m["backlog"]["max"])),
            ("lock waits", _count(m["contention"]["lock_waits"])),
            ("deadlocks", _count(m["contention"]["deadlocks"])),
            ("stuck", format_duration(m["stuck"]["total_s"])),
            ("duplicates", _count(m["integrity"]["duplicates"])),
            ("took", format_duration(m["makespan_s"])),
        ]

    def save(self, folder: str | Path, command: str = "") -> list[Path]:
        """Write attempts, events and jobs as Parquet, the metrics and a manifest as JSON.

        Every file is complete before it gets its name, the manifest last. Returns the files.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        writing = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
        try:
            for name in ("attempts", "events", "jobs"):
                getattr(self, name).to_parquet(writing / f"{name}.parquet", index=False)
            _write(writing / "metrics.json", self.metrics)
            _write(writing / "manifest.json", self.manifest(command))
            names = sorted((path.name for path in writing.iterdir()), key=_manifest_last)
            return [_moved(writing / name, folder / name) for name in names]
        finally:
            shutil.rmtree(writing)

    def manifest(self, command: str = "") -> dict[str, Any]:
        """What is needed to make the run again: versions, seed, settings, and the command."""
        return {
            "name": self.name,
            "driver": self.driver,
            "seed": self.metrics["seed"],
            "command": command or " ".join(sys.argv),
            "saved_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "jobsim": version("jobsim-lab"),
            "python": platform.python_version(),
            "packages": {name: version(name) for name in PACKAGES},
            "platform": platform.platform(),
            "settings": dict(self.settings),
            "warnings": list(self.warnings),
        }


def _known(t_s: Any) -> Any:
    """Instants, with what never came missing."""
    return np.where(np.isinf(t_s), np.nan, t_s)


def _count(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _write(path: Path, document: Any) -> None:
    path.write_text(json.dumps(document, indent=1, default=str) + "\n")


def _moved(path: Path, to: Path) -> Path:
    return path.replace(to)


def _manifest_last(name: str) -> tuple[bool, str]:
    return name == "manifest.json", name
