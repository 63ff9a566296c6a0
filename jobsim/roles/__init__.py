"""Who does something: scripts made of policies, one family a file."""

from jobsim.roles.killer import client, watch
from jobsim.roles.lease import cron, firing
from jobsim.roles.queue import reaper, submitter, worker

__all__ = ["client", "cron", "firing", "reaper", "submitter", "watch", "worker"]
