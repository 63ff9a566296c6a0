"""What sacct calls its columns, and what their cells look like."""

from __future__ import annotations

from jobsim.joblog.reading import UNFINISHED

GOOD_COMMAND = (
    "sacct -P --allusers --duplicates -S 2024-01-01 -E 2024-02-01 -o JobID,JobName,User,Partition,"
    "Submit,Eligible,Start,End,ElapsedRaw,State,Priority,MaxRSS"
)
"""Gives a file that says all that a job log can hold."""

TIME_FIELDS = frozenset({"submit", "eligible", "start", "end"})

_FIELDS = """
    account admincomment alloccpus allocgres allocnodes alloctres associd avecpu avecpufreq
    avediskread avediskwrite avepages averss avevmsize blockid cluster comment constraints
    consumedenergy consumedenergyraw container cputime cputimeraw dbindex derivedexitcode elapsed
    elapsedraw exitcode extra failednode flags gid group jobid jobidraw jobname layout licenses
    maxdiskread maxdiskwrite maxpages maxrss maxvmsize mcslabel mincpu ncpus nnodes nodelist ntasks
    partition planned plannedcpu plannedcpuraw priority qos qosraw reason reqcpufreq reqcpus reqgres
    reqmem reqnodes reqtres reservation reservationid reserved restarts resvcpu resvcpuraw state
    submitline suspended systemcomment systemcpu timelimit timelimitraw totalcpu uid user usercpu
    wckey wckeyid workdir
"""
FIELDS = TIME_FIELDS.union(_FIELDS.split())
"""Names of sacct's fields in lower case, but for the many about tasks and trackable resources."""

RENAMED = {"reserved": "planned", "resvcpu": "plannedcpu", "resvcpuraw": "plannedcpuraw"}
"""Fields that Slurm 21.08 named anew."""

FREE_TEXT = frozenset(
    {"jobname", "comment", "admincomment", "systemcomment", "constraints", "submitline", "workdir"}
)
"""Fields that people fill; sacct lets a separator in them stand."""

_XDMOD = (
    "jobid jobidraw cluster partition qos account group gid user uid submit eligible start end"
    " elapsed exitcode state nnodes ncpus reqcpus reqmem reqtres alloctres timelimit nodelist"
    " jobname"
)
XDMOD = tuple(_XDMOD.split())
"""The columns of the files without a header that Open XDMoD has sacct write."""

JOB = r"[0-9]+(?:_[0-9]+|_\[[^\]]*\]|[+][0-9]+)?"
JOB_ID = rf"{JOB}(?:\.[A-Za-z0-9_+]+)?"
"""``12``, ``12_3`` and ``12_[4-9]`` of an array, ``12+1`` of a heterogeneous job; ``12.batch`` and
``12.0`` are steps."""

INSTANT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}"
NO_INSTANT = "Unknown|None|N/A|"
ELAPSED = r"(?:[0-9]+-)?[0-9]{2}:[0-9]{2}:[0-9]{2}"
EXIT_CODE = r"[0-9]+:[0-9]+"

_STATES = {
    "completed": "COMPLETED",
    "failed": "FAILED NODE_FAIL BOOT_FAIL LAUNCH_FAILED RECONFIG_FAIL OUT_OF_MEMORY",
    "cancelled": "CANCELLED PREEMPTED REVOKED",
    "timeout": "TIMEOUT DEADLINE",
    UNFINISHED: (
        "COMPLETING CONFIGURING PENDING REQUEUED REQUEUE_FED REQUEUE_HOLD RESIZING RESV_DEL_HOLD"
        " RUNNING SIGNALING SPECIAL_EXIT STAGE_OUT STOPPED SUSPENDED"
    ),
}
OUTCOME_OF = {state: outcome for outcome, states in _STATES.items() for state in states.split()}
"""What each state says of a job; a preempted one was ended by Slurm for another's sake."""

STATE = rf"(?:{'|'.join(OUTCOME_OF)})(?: by [^|]+|\+)?"


def field(name: str) -> str:
    """A header's cell as the field's name, in lower case and as it is called today."""
    lower = name.strip().lower()
    return RENAMED.get(lower, lower)


def whole(state: str) -> str:
    """A state without who cancelled the job, and whole again where its end was cut off (``+``)."""
    if not state.endswith("+"):
        return state.partition(" by ")[0]
    stem = state.removesuffix("+")
    return next((known for known in OUTCOME_OF if known.startswith(stem)), stem)
