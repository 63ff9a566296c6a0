"""A log for those who have none: by running commands, or by watching a table or a server.

What wraps a single command (`wrap` and what it uses) imports little, since each start of a cron
job waits for it.
"""
