"""Reading tasks of the Windows Task Scheduler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from jobsim.joblog.faultlist import shown
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schedule.names import printable, short_name
from jobsim.joblog.schedule.period import Micros, micros
from jobsim.joblog.schedule.plan import Entry, Plan
from jobsim.joblog.schedule.task_trigger import BY_TIME, Trigger, duration_us
from jobsim.joblog.schedule.task_xml import NAMESPACE, Node, decoded, tasks
from jobsim.joblog.schedule.walltime import ClockRule
from jobsim.joblog.table import JobLog

CLOCK_RULE = ClockRule(left_out="after", twice="once")
"""The first is documented by Microsoft (remarks on WeeklyTrigger); the second is assumed."""

RULE = (
    "when it is set, Windows fires what lies in the hour left out right after it, and (assumed, as"
    " it is not documented) what lies in the hour shown twice only the first time"
)
BY_OFFSET = (
    "marked: fired by the offset that the trigger names (synchronised across time zones), the same"
    " all year"
)
REPEATS = "marked: repeats by elapsed time, also when the clock is set (assumed, not documented)"
STOPS = "marked: StopAtDurationEnd: Windows stops what still runs when the repetition ends"
NO_TRIGGER = "dropped: a task without a trigger, started by hand or by automatic maintenance"
RIGHT = "what the Task Scheduler's schema says of it"

FAR_PAST_US = -(2**62)

POLICIES = {
    "IgnoreNew": "a firing while its task still runs starts nothing",
    "Parallel": "a firing while its task still runs starts it a second time",
    "Queue": "a firing while its task still runs waits for the end of that run",
    "StopExisting": "a firing while its task still runs stops that run and starts anew",
}
"""The lease rule of this scheduler; the first holds where a task says none."""

CONDITIONS = ("RunOnlyIfIdle", "RunOnlyIfNetworkAvailable")
"""Whether a task starts also depends on these."""

ACCOUNTS = {"S-1-5-18": "SYSTEM", "S-1-5-19": "LOCAL SERVICE", "S-1-5-20": "NETWORK SERVICE"}


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is of the Task Scheduler."""
    text = decoded(head)
    return NAMESPACE in text and "<Task" in text and text.lstrip("\ufeff \r\n\t").startswith("<")


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """The firing plan of exported tasks, as UTF-16 or UTF-8.

    ============  ==============================================================================
    column        made of
    ============  ==============================================================================
    ``submit_s``  the instant at which a trigger fires, from `reading`'s begin on
    ``kind``      the last part of the task's path (the whole path, where two tasks share that)
    ``owner``     the user or group that the task runs as
    ============  ==============================================================================

    Raises
    ------
    LogError
        The file is no such XML, says what the schema does not allow, or the user has not said
        for which period.
    """
    plan = Plan(path, reading)
    found = list(tasks(path))
    for task, kind in zip(found, _kinds(found, path), strict=True):
        if task.said("Settings/Enabled", "true") == "false":
            plan.notes.add("dropped: a task that is disabled", 1)
            continue
        triggers = list(task.children("Triggers/*"))
        plan.notes.add(NO_TRIGGER, int(not triggers))
        for node in triggers:
            _add(plan, task, node, kind)
    return plan.log()


def _add(plan: Plan, task: Node, node: Node, kind: str) -> None:
    if node.name not in BY_TIME:
        plan.notes.add(f"dropped: a {printable(node.name)}, which has no time of its own", 1)
    elif node.said("Enabled", "true") == "false":
        plan.notes.add("dropped: a trigger that is disabled", 1)
    else:
        try:
            trigger = Trigger.of(node)
            fires_us = _fires_us(plan, trigger)
            remarks = tuple(_remarks(plan, task, trigger))
        except ValueError as error:
            plan.faults.add(f"{node.name}: {error}", RIGHT, node.line)
            return
        plan.add(Entry(kind, _owner(task), fires_us, remarks))


def _fires_us(plan: Plan, trigger: Trigger) -> Micros:
    """The instants at which a trigger fires, repetitions and all."""
    zone, line, repetition = trigger.offset or plan.zone, trigger.node.line, trigger.repetition
    times = trigger.on(trigger.days(plan.period))
    if repetition is None:
        fires_us = plan.by_clock(times, zone, CLOCK_RULE, line)
    else:
        starts_us = plan.by_clock(times, zone, CLOCK_RULE, line, since_us=FAR_PAST_US)
        fires_us = plan.repeated(starts_us, repetition.every_us, repetition.for_us, line)
    if trigger.end is None:
        return fires_us
    end = trigger.end if trigger.end.tzinfo else trigger.end.replace(tzinfo=zone)
    return fires_us[fires_us < micros(end)]


def _remarks(plan: Plan, task: Node, trigger: Trigger) -> Iterator[str]:
    yield BY_OFFSET if trigger.offset else plan.fired_by(RULE)
    if trigger.repetition is not None:
        yield REPEATS
        if trigger.node.said("Repetition/StopAtDurationEnd") == "true":
            yield STOPS
    if delay := trigger.node.said("RandomDelay"):
        yield f"marked: RandomDelay={delay}: Windows fires each up to that much later; not drawn"
    policy = task.said("Settings/MultipleInstancesPolicy", "IgnoreNew")
    if policy not in POLICIES:
        raise ValueError(
            f"MultipleInstancesPolicy {shown(policy)} is none of {', '.join(POLICIES)}"
        )
    yield f"marked: MultipleInstancesPolicy={policy}: {POLICIES[policy]}"
    limit = trigger.node.said("ExecutionTimeLimit") or task.said(
        "Settings/ExecutionTimeLimit", "PT72H"
    )
    if duration_us(limit):
        yield f"marked: ExecutionTimeLimit={limit}: Windows stops a run that takes longer"
    for condition in CONDITIONS:
        if task.said(f"Settings/{condition}") == "true":
            yield f"marked: {condition}: not every firing starts the task; here it does"


def _kinds(found: list[Node], path: Path) -> list[str]:
    """What to call each task: as briefly as tells them apart."""
    paths = [printable(_path(task) or path.name.removesuffix(".gz")) for task in found]
    names = [path.rpartition("\\")[2] or path for path in paths]
    alike = Counter(names)
    return [name if alike[name] == 1 else path for name, path in zip(names, paths, strict=True)]


def _path(task: Node) -> str:
    """The task's path in the scheduler's library, or else the command that it runs."""
    comment = task.comment if task.comment.startswith("\\") else ""
    command = f"{task.said('Actions/Exec/Command')} {task.said('Actions/Exec/Arguments')}".strip()
    return task.said("RegistrationInfo/URI") or comment or (command and short_name(command))


def _owner(task: Node) -> str | None:
    principal = "Principals/Principal"
    owner = task.said(f"{principal}/UserId") or task.said(f"{principal}/GroupId")
    return printable(ACCOUNTS.get(owner, owner)) if owner else None
