"""How many jobs are at work at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jobsim.joblog.describe.times import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Running:
    """When jobs begin and when jobs end, each ascending."""

    begin_s: Floats
    end_s: Floats

    @classmethod
    def of(cls, begin_s: Floats, run_s: Floats) -> Running:
        """Of these jobs, those of which both are known."""
        both = ~(np.isnan(begin_s) | np.isnan(run_s))
        return cls(np.sort(begin_s[both]), np.sort((begin_s + run_s)[both]))

    def at(self, t_s: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many are at work at each of these instants; one that ends there no longer is."""
        begun = np.searchsorted(self.begin_s, t_s, side="right")
        return begun - np.searchsorted(self.end_s, t_s, side="right")

    def peak(self) -> int | None:
        """The most at once; None where no job is known."""
        if not len(self.begin_s):
            return None
        # Jobs that take no time are at work at no instant, yet someone must do them.
        begun = np.arange(1, len(self.begin_s) + 1)
        return int((begun - np.searchsorted(self.end_s, self.begin_s, side="right")).max())

    def mean(self, edges_s: Floats) -> Floats:
        """The mean number at work between each edge and the next."""
        area = _passed(self.begin_s, edges_s) - _passed(self.end_s, edges_s)
        return np.asarray(np.diff(area) / np.diff(edges_s))


def _passed(instants_s: Floats, t_s: Floats) -> Floats:
    """The time since each of the instants, added up, at each of `t_s`."""
    count = np.searchsorted(instants_s, t_s, side="right")
    return np.asarray(count * t_s - np.append(0.0, np.cumsum(instants_s))[count])
