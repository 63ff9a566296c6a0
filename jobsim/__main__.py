"""``python -m jobsim``: the command line, where its script is not on the path."""

from jobsim.cli import run

run()
