"""Looking again: polls and sweeps whose idle ticks cost no events.

A tick at which no row fits is idle: the look would find nothing and change nothing. The actor is
therefore woken at the first tick that is not idle, at the very instant that tick falls on; what the
skipped looks would have counted is added. With ``skip`` off every tick is played (at no cost, since
an idle look concerns nobody else): the same records must come out, and a test holds that.
"""

from __future__ import annotations

from math import ceil, floor, inf, isinf
from typing import TYPE_CHECKING, Any

from jobsim.effects import Poll
from jobsim.sim.database import Watch
from jobsim.sim.driver.world import LOOK

if TYPE_CHECKING:
    from jobsim.sim.driver.actor import Actor
    from jobsim.sim.driver.stage import Stage

ROUNDING = 1e-9
"""A tick this small a part of an interval before an instant counts as being at it."""


class Watched:
    """What some actors wait for: rows that fit a predicate.

    The modelled table tells of a change only while somebody waits, and only if the row fits earlier
    than anything did before.
    """

    def __init__(self, watch: Watch, unsettled: list[Watched]) -> None:
        self.watch = watch
        self._unsettled = unsettled
        self.changes = 0
        self.waiting: list[Looks] = []
        watch.on_change = self._changed

    def _changed(self, fits_s: float) -> None:
        """A row has come to fit: ticks see it at once, a notification waits for the commit."""
        notify = False
        for looks in self.waiting:
            looks.plan(fits_s)
            notify |= looks.poll.notify
        if not notify:
            self.watch.until_s = min(self.watch.until_s, fits_s)
            return
        if self.changes == 0:
            self._unsettled.append(self)
        self.changes += 1

    def wait(self, looks: Looks) -> None:
        """Somebody waits until something fits."""
        self.waiting.append(looks)
        self.watch.until_s = inf

    def leave(self, looks: Looks) -> None:
        """Somebody waits no more."""
        self.waiting.remove(looks)
        if not self.waiting:
            self.watch.until_s = -inf

    def settle(self) -> None:
        """The transaction that changed something has ended: notify who waits.

        Each change notifies one of those who want it, whoever has been idle for longest; the others
        have their ticks.
        """
        changes, self.changes = self.changes, 0
        for looks in sorted(self.waiting, key=Looks.idle_for_longest):
            if changes and looks.poll.notify and not looks.notified:
                looks.plan(self.watch.next_s(looks.now_s), at_once=True)
                changes -= 1


class Looks:
    """One actor's looking again for one predicate."""

    def __init__(self, stage: Stage, actor: Actor, poll: Poll) -> None:
        self.stage, self.actor, self.poll = stage, actor, poll
        self.watched = stage.watched(poll.table, poll.until)
        self.began_s = 0.0
        self.last_tick = 0
        self.deeds = -1
        self.sent_before = 0
        self.empties_before = 0
        self.version_seen = -1
        self.sent_by_look = 0
        self.look_is_empty_claim = False
        self.notified = False

    def look(self, arguments: tuple[Any, ...]) -> Any:
        """Sleep to the next tick that is not idle."""
        actor = self.actor
        actor.operations = actor.charged
        if actor.deeds != self.deeds:
            self.deeds = actor.deeds
            self.began_s, self.last_tick = self.stage.world.now, 0
            self.sent_before, self.empties_before = actor.sent_at_deed, actor.empties_at_deed
        self.sent_by_look = (actor.statements - self.sent_before) or self.sent_by_look
        self.look_is_empty_claim = actor.empties > self.empties_before
        actor.claiming_s = -1.0
        self.notified = False
        self.watched.wait(self)
        reply = actor.wait_without_end(self.woken)
        fits_s = self.watched.watch.next_s(self.stage.world.now)
        missed = self.poll.notify and self.version_seen != self.watched.watch.version
        self.plan(fits_s, at_once=missed)
        return reply

    def plan(self, fits_s: float, at_once: bool = False) -> None:
        """Something fits from ``fits_s`` on: wake at the first tick that sees it, or now."""
        now_s = self.stage.world.now
        fits_s = max(fits_s, now_s)
        if at_once and fits_s == now_s:
            self.notified = True
            self.actor.wake_by(now_s, LOOK)
        elif not self.stage.skip:
            self.actor.wake_by(self._tick_at(now_s), LOOK)
        elif not isinf(fits_s):
            self.actor.wake_by(self._tick_at(fits_s), LOOK)

    @property
    def now_s(self) -> float:
        return self.stage.world.now

    def idle_for_longest(self) -> tuple[float, int]:
        """Sorts by when the last work ended; idle looks do not matter."""
        return self.began_s, self.actor.worker

    def _tick_at(self, t_s: float) -> float:
        """The first tick at or after an instant, later than the last one."""
        tick = max(ceil((t_s - self.began_s) / self.poll.every_s - ROUNDING), self.last_tick + 1)
        return self.began_s + tick * self.poll.every_s

    def woken(self) -> Any:
        """Go on where something fits, else sleep again."""
        actor, now_s = self.actor, self.stage.world.now
        fits = self.watched.watch.holds(now_s)
        self.notified = False
        if not fits and self.stage.skip:
            reply = actor.wait_without_end(self.woken)
            self.watched.watch.until_s = inf
            self.plan(self.watched.watch.next_s(now_s))
            return reply
        if not fits:
            actor.operations = actor.free_of_charge
        ticks = (now_s - self.began_s) / self.poll.every_s
        tick = floor(ticks + ROUNDING)
        self._count(tick - self.last_tick - (abs(ticks - tick) <= ROUNDING * 10))
        self.last_tick = max(tick, self.last_tick)
        self.watched.leave(self)
        self.version_seen = self.watched.watch.version
        self.sent_before, self.empties_before = actor.statements, actor.empties
        return None

    def close(self) -> None:
        """The run is over: count the idle ticks up to the last time that anybody did anything."""
        if self.actor.alive and self in self.watched.waiting:
            elapsed = (self.stage.last_played_s - self.began_s) / self.poll.every_s
            self._count(floor(elapsed + ROUNDING) - self.last_tick)

    def leave(self) -> None:
        """The actor is gone."""
        if self in self.watched.waiting:
            self.close()
            self.watched.leave(self)

    def _count(self, ticks: int) -> None:
        if ticks > 0:
            self.actor.statements += ticks * self.sent_by_look
            if self.look_is_empty_claim:
                self.stage.recorder.counts["idle_looks"] += ticks
