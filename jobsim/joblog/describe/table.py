"""A description as a table for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobsim.joblog.describe.description import Description
from jobsim.joblog.describe.sections import sections
from jobsim.joblog.describe.words import plain, printable
from jobsim.words import counted

if TYPE_CHECKING:
    from rich.table import Table

WIDEST = 110


def describe_table(description: Description, ascii_only: bool = False) -> Table:
    """The description as a rich table of two columns, a block for each section.

    `ascii_only` is for terminals that cannot show bars.
    """
    from rich.table import Table
    from rich.text import Text

    def said(text: str) -> Text:
        # As Text, since brackets in a name are no markup.
        return Text(plain(text) if ascii_only else printable(text))

    title = said(f"{description.name}: {counted(description.jobs, 'job')}")
    table = Table(title=title, show_header=False, title_justify="left")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", max_width=WIDEST)
    for section in sections(description):
        table.add_section()
        table.add_row(Text(section.title.upper(), style="bold"), "")
        for label, text in section.lines:
            table.add_row(label, said(text))
    return table
