"""`memjoin cases`: the cases of the release and one's own. One file a command."""

from __future__ import annotations

import importlib

import typer

cases = typer.Typer(
    no_args_is_help=True,
    help="The cases: list, read and verify them, build more, write your own, export them.",
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for name in ("list", "show", "verify", "build", "new", "lint", "export", "schema", "card"):
        importlib.import_module(f"memjoin.cli.cases.{name}").register(cases)
    app.add_typer(cases, name="cases")
