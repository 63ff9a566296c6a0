"""A description as a table for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobsim.joblog.describe.description import Description
from jobsim.joblog.describe.sections import sections

if TYPE_CHECKING:
    from rich.table import Table

WIDEST = 110


def describe_table(description: Description) -> Table:
    """The description as a rich table of two columns, a block for each section."""
    from rich.table import Table
    from rich.text import Text

    # As Text, since brackets in a name are no markup.
    title = Text(f"{description.name}: {description.jobs:,} jobs")
    table = Table(title=title, show_header=False, title_justify="left")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", max_width=WIDEST)
    for section in sections(description):
        table.add_section()
        table.add_row(Text(section.title.upper(), style="bold"), "")
        for label, text in section.lines:
            table.add_row(label, Text(text))
    return table
