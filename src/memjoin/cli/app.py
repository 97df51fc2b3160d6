"""Puts the commands together."""

from __future__ import annotations

import importlib
import importlib.util

import typer

app = typer.Typer(
    name="memjoin",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Measure which sensitive relations an agent's long-term memory lets it state.",
)

for _name in (
    *("run", "plan", "show", "report", "compare", "judge", "power"),
    *("cases", "judges", "systems", "doctor"),
):
    if importlib.util.find_spec(f"memjoin.cli.{_name}") is not None:
        importlib.import_module(f"memjoin.cli.{_name}").register(app)
