"""Days of the calendar taken apart, many at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jobsim.joblog.schedule.period import Days

Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]


@dataclass(frozen=True)
class DayParts:
    """What a schedule may say of each of some days.

    Attributes
    ----------
    year, month, day
        As written, the month and the day from 1.
    to_end
        The day counted from the end of its month, the last being 1.
    weekday
        0 is Monday.
    week
        Numbers the weeks, each from Sunday to Saturday.
    """

    year: Numbers
    month: Numbers
    day: Numbers
    to_end: Numbers
    weekday: Numbers
    week: Numbers

    @classmethod
    def of(cls, days: Days) -> DayParts:
        months = days.astype("datetime64[M]")
        month_number = months.astype(np.int64)
        since_1970 = days.astype(np.int64)
        return cls(
            year=month_number // 12 + 1970,
            month=month_number % 12 + 1,
            day=(days - months.astype("datetime64[D]")).astype(np.int64) + 1,
            to_end=((months + 1).astype("datetime64[D]") - days).astype(np.int64),
            # 1970-01-01 was a Thursday.
            weekday=(since_1970 + 3) % 7,
            week=(since_1970 + 4) // 7,
        )
