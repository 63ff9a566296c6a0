"""Runs side by side, as a value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jobsim.experiment.options import Asked
from jobsim.joblog import JobLog, LogSpec, write
from jobsim.joblog.spec import beside
from jobsim.joblog.sqltables import is_url
from jobsim.result import Result
from jobsim.scenario import As, Scenario, Trial

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
    asked: Mapping[As, Asked]
    """The log of each sort of row, as it was asked for: read by the caller, or to be read."""
    logs: Mapping[As, JobLog]
    """The same, as they were played."""
    replications: int = 1
    costs: str = "default"

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
        of_runs = [f"{one.name} ({one.driver}): {w}" for one in self.results for w in one.warnings]
        return [*self._not_played(), *dict.fromkeys(of_runs)]

    def _not_played(self) -> list[str]:
        """How much of a log there is no run of."""
        unknown = {log: int(log.jobs["run_s"].isna().sum()) for log in self.logs.values()}
        return [
            f"{log.name}: {count:,} of {len(log):,} jobs have no run time and are not played;"
            " --assume-run states one for them"
            for log, count in unknown.items()
            if count
        ]

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
        from jobsim.joblog.describe import number

        told = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences())
        # A column a run: there are more metrics than a page is wide.
        table = self.frame().T.to_html(na_rep="-", float_format=number)
        return f"{table}<ul>{told}</ul>"

    def sentences(self) -> list[str]:
        """One sentence a policy that says what the numbers mean."""
        from jobsim.comparison import sentences

        return sentences(list(self.metrics))

    def save(self, folder: str | Path, command: str = "") -> list[str]:
        """Write every run with its records, the metrics, the scenario and the plots.

        Of a database or a log in memory, which no file can name, the jobs are kept as well. Where
        one scenario cannot say what is compared, there is one a policy. Returns the names.
        """
        from jobsim.plots import save_all

        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        saved = self._folders()
        for name, one in zip(saved, self.results, strict=True):
            one.save(folder / name, command)
        metrics = folder / "metrics.json"
        metrics.write_text(json.dumps(self.to_dict(), indent=1) + "\n")
        written = [metrics, *self._save_scenarios(folder), *save_all(list(self.results), folder)]
        return [*saved, *(path.name for path in written)]

    def _save_scenarios(self, folder: Path) -> list[Path]:
        """Write what ``jobsim run`` needs to play the same again."""
        kept = self._save_logs(folder)
        logs = {
            what: LogSpec(kept[what].name) if what in kept else self._named()[what]
            for what in self.logs
        }
        costs = beside(Path(), self.costs)
        trials = Trial(self.scenarios, logs, self.replications, costs).files()
        ends = [""] if len(trials) == 1 else [f"-{n}" for n in range(1, len(trials) + 1)]
        paths = [folder / f"scenario{end}.toml" for end in ends]
        for path, trial in zip(paths, trials, strict=True):
            path.write_text(trial.to_toml(), encoding="utf-8")
        return [*paths, *kept.values()]

    def _save_logs(self, folder: Path) -> dict[As, Path]:
        """Keep the jobs of a log that has no name by which they can be read again."""
        kept = {what: folder / f"log-{what}.parquet" for what in self.logs.keys() - self._named()}
        for what, path in kept.items():
            write(self.logs[what], path)
        return kept

    def _named(self) -> dict[As, LogSpec]:
        """The logs that can be read again: those of a file, a sample, or drawn ones."""
        return {
            what: one.in_full()
            for what, one in self.asked.items()
            if isinstance(one, LogSpec) and not is_url(one.log)
        }

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
