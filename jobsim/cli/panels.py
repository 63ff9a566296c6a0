"""Help in which the options stand under headings."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

USUAL = "Options"


class Panelled(TyperCommand):
    """A command whose help lists each option under its ``rich_help_panel``."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options by heading, in the order in which each heading comes."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], USUAL: []}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                panels.setdefault(_heading(parameter), []).append(record)
        for heading, records in panels.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _heading(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return "Arguments"
    return getattr(parameter, "rich_help_panel", None) or USUAL
