"""`memjoin cases new`: a file for cases of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("new")(new)


def new(
    file: Annotated[Path, typer.Argument(help="The file to write (.yaml).")] = Path("cases.yaml"),
) -> None:
    """Write a file to start from: one worked case with comments. It breaks no property and can be run.

    A file that exists is left alone. Examples: `memjoin cases new`, `memjoin cases new travel.yaml`
    """
    from memjoin.cases.own import new

    new.write(file)
    typer.echo(f"{file}: written, with one worked case")
    typer.echo(f"Change it, then check it:  memjoin cases lint {file}")
    typer.echo(f"And run it:                memjoin run --cases {file}")
