"""Schedules (crontab, systemd timers, Windows Task Scheduler) as plans of firings."""
