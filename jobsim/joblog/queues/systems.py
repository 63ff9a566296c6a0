"""The queue systems whose tables jobsim knows; a new one is one more entry here."""

from __future__ import annotations

from jobsim.joblog.queues import (
    action_scheduler,
    airflow,
    celery,
    delayed_job,
    django_q,
    django_tasks,
    hangfire,
    laravel,
    oban,
    pg_boss,
    procrastinate,
    solid_queue,
)

SYSTEMS = (
    action_scheduler.SYSTEM,
    laravel.SYSTEM,
    laravel.FAILED,
    delayed_job.SYSTEM,
    oban.SYSTEM,
    solid_queue.SYSTEM,
    pg_boss.SYSTEM,
    procrastinate.SYSTEM,
    hangfire.SYSTEM,
    celery.DJANGO,
    celery.OWN,
    django_q.SYSTEM,
    django_tasks.SYSTEM,
    airflow.TASKS,
    airflow.RUNS,
)
