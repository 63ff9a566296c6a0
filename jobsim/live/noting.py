"""What scripts note down, written into the journal: one maker a kind of note."""

from __future__ import annotations

from collections.abc import Sequence

from jobsim.effects import Attempt, Note, Session
from jobsim.live.driver import Performer
from jobsim.live.ops import Maker, Op, performs
from jobsim.live.processlist import job_of


@performs(Note)
def note(me: Performer, effect: Note) -> Op:
    return NOTES[effect.kind](me, effect)


def submitted(me: Performer, effect: Note) -> Op:
    def noted(jobs: Sequence[int]) -> None:
        me.end_look()
        me.journal.submitted(me.now(), jobs)

    return noted


def claimed(me: Performer, effect: Note) -> Op:
    def noted(attempts: Sequence[Attempt]) -> None:
        began_s = me.end_look()
        me.journal.claimed(me.now(), began_s, attempts)

    return noted


def empty(me: Performer, effect: Note) -> Op:
    def noted() -> None:
        began_s = me.end_look(found=False)
        me.journal.empty(me.now(), began_s)

    return noted


def finished(me: Performer, effect: Note) -> Op:
    def noted(attempts: Sequence[Attempt], outcome: str) -> None:
        me.end_look()
        me.journal.finished(me.now(), attempts, outcome)
        if me.attempt in attempts:
            me.attempt = None

    return noted


def reclaimed(me: Performer, effect: Note) -> Op:
    def noted(jobs: Sequence[int]) -> None:
        me.end_look()
        me.journal.reclaimed(me.now(), jobs, effect.label)

    return noted


def held(me: Performer, effect: Note) -> Op:
    def noted(job: int, timeout_s: float) -> None:
        me.end_look()
        me.journal.event(me.now(), effect.kind, effect.label, job, 0, timeout_s)

    return noted


def released(me: Performer, effect: Note) -> Op:
    def noted(job: int) -> None:
        me.end_look()
        me.journal.event(me.now(), effect.kind, effect.label, job)

    return noted


def killed(me: Performer, effect: Note) -> Op:
    def noted(victim: Session) -> None:
        me.end_look()
        me.journal.event(me.now(), effect.kind, effect.label, job_of(victim), 0, victim.time_s)

    return noted


NOTES: dict[str, Maker] = {
    "submitted": submitted,
    "claimed": claimed,
    "empty": empty,
    "finished": finished,
    "reclaimed": reclaimed,
    "held": held,
    "released": released,
    "kill": killed,
}
