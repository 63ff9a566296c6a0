"""How faults that the user can mend are shown."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from jobsim.errors import Fault, LogError, UsageError


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (UsageError("--zone Mars: no such zone"), "UsageError: --zone Mars: no such zone"),
        (
            LogError([Fault("a.csv", 3, "run_s", "this", "that")], more=2),
            "LogError: a.csv:3: column run_s: this; that\n... and 2 more",
        ),
    ],
)
def test_a_notebook_shows_the_message_and_no_traceback(error, says, capsys):
    shell = InteractiveShell()
    shell.push({"error": error})
    shell.run_cell("raise error")
    assert capsys.readouterr().out.strip() == says
