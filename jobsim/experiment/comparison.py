"""Runs side by side, as a value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jobsim.result import Result
from jobsim.scenario import As, Scenario

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Comparison:
    """Runs side by side: what the log itself says, then a run a policy and driver."""

    logged: dict[str, Any] | None
    results: tuple[Result, ...]
    metrics: tuple[dict[str, Any], ...]
    """The log's own first where it has start times; replications of a run are merged into one."""
    scenarios: tuple[Scenario, ...]
    log: str | Mapping[As, str]
    """The log's name or path, or one for each sort of row, as a scenario file says it."""

    def to_dict(self) -> dict[str, Any]:
        """The document that ``--json`` prints."""
        return {"runs": list(self.metrics)}

    def regime(self) -> str:
        """How near to its limits the queue's table was: empty where no queue was played."""
        from jobsim.comparison import regime

        run = self.results[0].run
        if run.queue is None:
            return ""
        load = run.load
        return regime(load.submit_s, load.run_s, run.workers, list(self.metrics))

    def warnings(self) -> list[str]:
        """What to be careful with, each once."""
        return list(
            dict.fromkeys(
                f"{one.name} ({one.driver}): {warning}"
                for one in self.results
                for warning in one.warnings
            )
        )

    def table(self) -> Any:
        """One row a policy and driver, for a terminal."""
        from jobsim.comparison import comparison_table

        return comparison_table(list(self.metrics))

    def frame(self) -> pd.DataFrame:
        """The same as a data frame, its columns named as the metrics are."""
        from jobsim.comparison import comparison_frame

        return comparison_frame(list(self.metrics))

    def how_close(self) -> pd.DataFrame:
        """Simulated over live, a row a metric and a column a policy; 1 is the same."""
        import pandas as pd

        from jobsim.comparison import how_close

        return pd.DataFrame(how_close(list(self.metrics))).dropna(how="all")

    def _repr_html_(self) -> str:
        told = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences())
        table = self.frame().round(3).to_html(na_rep="-")
        return f"{table}<ul>{told}</ul>"

    def sentences(self) -> list[str]:
        """One sentence a policy that says what the numbers mean."""
        from jobsim.comparison import sentences

        return sentences(list(self.metrics))

    def save(self, folder: str | Path, command: str = "") -> list[str]:
        """Write every run with its records, the metrics, the scenario and the plots."""
        from jobsim.plots import save_all

        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        saved = self._folders()
        for name, one in zip(saved, self.results, strict=True):
            one.save(folder / name, command)
        metrics = folder / "metrics.json"
        metrics.write_text(json.dumps(self.to_dict(), indent=1) + "\n")
        (folder / "scenario.toml").write_text(self.scenarios[0].to_toml(self.log))
        plots = save_all(list(self.results), folder)
        return [*saved, metrics.name, "scenario.toml", *(path.name for path in plots)]

    def _folders(self) -> list[str]:
        """A name a result; those of several scenarios of one policy are numbered."""
        names: list[str] = []
        seen = Counter[str]()
        for one in self.results:
            replication = one.metrics["replication"]
            name = f"{one.name}-{one.driver}" + (f"-{replication}" if replication else "")
            seen[name] += 1
            names.append(name if seen[name] == 1 else f"{name}-variant-{seen[name]}")
        return names
