"""systemd timers as their unit files say them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from jobsim.joblog.schedule.unit_file import Setting

CALENDAR = "OnCalendar"
FROM_BEGIN = ("OnActiveSec", "OnBootSec", "OnStartupSec")
FROM_START, FROM_END = "OnUnitActiveSec", "OnUnitInactiveSec"
TRIGGERS = (CALENDAR, *FROM_BEGIN, FROM_START, FROM_END)


@dataclass
class Timer:
    """A timer in the reading: its triggers, which add up, and the last word on all else."""

    unit: str
    triggers: list[Setting] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)

    def take(self, setting: Setting) -> None:
        """Add a setting; a trigger left empty takes back all triggers before it."""
        if setting.key not in TRIGGERS:
            self.said[setting.key] = setting.value
        elif setting.value:
            self.triggers.append(setting)
        else:
            self.triggers.clear()

    def on(self, *keys: str) -> list[Setting]:
        """Its triggers of these kinds."""
        return [setting for setting in self.triggers if setting.key in keys]

    def says(self, key: str) -> bool:
        """Whether it says yes to a setting."""
        return self.said.get(key, "").lower() in ("yes", "true", "on", "y", "t", "1")

    @property
    def starts(self) -> str:
        """The unit that it starts."""
        return self.said.get("Unit") or f"{self.unit.removesuffix('.timer')}.service"


def timers(settings: Iterable[Setting]) -> list[Timer]:
    """The timers among units."""
    found: dict[str, Timer] = {}
    for setting in settings:
        if setting.section == "Timer":
            found.setdefault(setting.unit, Timer(setting.unit)).take(setting)
    return list(found.values())
