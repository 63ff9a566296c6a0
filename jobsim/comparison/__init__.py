"""Runs side by side, for people: the table, the regime, and what the numbers mean in words."""

from jobsim.comparison.closeness import how_close, how_close_table
from jobsim.comparison.frame import comparison_frame
from jobsim.comparison.regime import regime
from jobsim.comparison.sentences import sentences
from jobsim.comparison.table import comparison_table

__all__ = [
    "comparison_frame",
    "comparison_table",
    "how_close",
    "how_close_table",
    "regime",
    "sentences",
]
