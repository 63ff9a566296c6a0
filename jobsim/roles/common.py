"""The effects that every role uses, each built once."""

from __future__ import annotations

from jobsim.effects import (
    Connect,
    Disconnect,
    Note,
    Rollback,
    Sleep,
    Spawn,
    Start,
    WaitForWork,
)

connect = Connect()
disconnect = Disconnect()
submitted = Note("submitted")
claimed = Note("claimed")
empty = Note("empty")
finished = Note("finished")
reclaimed = Note("reclaimed")
held = Note("held")
released = Note("released")
killed = Note("kill")
start = Start()
wait = WaitForWork()
give_up = Rollback("give up")
sleep_until = Sleep()
spawn = Spawn()
