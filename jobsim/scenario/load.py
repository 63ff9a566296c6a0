"""The rows of logs as a run meets them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from jobsim.effects import WIDEST
from jobsim.joblog.describe import check_answers
from jobsim.run import FIRING, JOB, STATEMENT, Load, seed_streams
from jobsim.scenario.settings import As

if TYPE_CHECKING:
    from jobsim.joblog import JobLog


def make_load(
    logs: Mapping[As, JobLog], denser: float, speedup: float, touching: float, seed: int
) -> Load:
    """The rows of the logs in run seconds, merged by when they fall due.

    Raises
    ------
    LogError
        A log answers nothing, or has no row with a run time.
    """
    tables = [_usable(what, log) for what, log in logs.items()]
    rows = pd.concat(tables) if len(tables) > 1 else tables[0]
    rows = rows.sort_values("submit_s", kind="stable", ignore_index=True)
    kinds, owners = (rows[name].astype("category").cat for name in ("kind", "owner"))
    what = rows["what"].to_numpy(dtype=np.int8)
    return Load(
        submit_s=rows["submit_s"].to_numpy(dtype=float) / denser / speedup,
        run_s=rows["run_s"].to_numpy(dtype=float) / speedup,
        fails=rows["fails"].to_numpy(dtype=bool),
        kind=kinds.codes.to_numpy(),
        kinds=tuple(map(_short, map(str, kinds.categories))),
        what=what,
        owner=owners.codes.to_numpy(),
        owners=tuple(map(str, owners.categories)),
        touches=_touches(what, kinds.codes.to_numpy(), touching, seed),
    )


def _usable(what: As, log: JobLog) -> pd.DataFrame:
    """The rows of a log that can be replayed, its first submission at 0."""
    check_answers(log)
    jobs = log.runnable().jobs
    return pd.DataFrame(
        {
            "submit_s": jobs["submit_s"] - jobs["submit_s"].iloc[0],
            "run_s": jobs["run_s"],
            "fails": (jobs["outcome"] == "failed").fillna(False).astype(bool),
            "kind": _named(jobs["kind"]),
            "owner": _named(jobs["owner"]),
            "what": np.int8({"jobs": JOB, "firings": FIRING, "statements": STATEMENT}[what]),
        }
    )


def _named(names: pd.Series[Any]) -> pd.Series[Any]:
    """Names as a category, those of unnamed rows empty; a million texts are never made."""
    known = names.astype("category").cat.remove_unused_categories()
    if known.hasnans and "" not in known.cat.categories:
        known = known.cat.add_categories("")
    return known.fillna("").cat.reorder_categories(sorted(known.cat.categories))


def _short(kind: str) -> str:
    """A kind that fits its column: a command line may be longer, and must differ from others."""
    if len(kind) <= WIDEST:
        return kind
    digest = sha256(kind.encode(errors="replace")).hexdigest()[:8]
    return f"{kind[: WIDEST - 9]}~{digest}"


def _touches(what: Any, kinds: Any, touching: float, seed: int) -> Any:
    """Which shared row each statement locks: that of its kind, for a drawn share of them."""
    drawn = np.random.default_rng(seed_streams(seed)["touches"]).random(len(what)) < touching
    touches, touching_one = np.zeros(len(what), dtype=np.int32), (what == STATEMENT) & drawn
    touches[touching_one] = kinds[touching_one] + np.int32(1)
    return touches
