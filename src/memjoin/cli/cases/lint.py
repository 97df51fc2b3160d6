"""`memjoin cases lint`: what is wrong with a file of cases, line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memjoin.cli.cases.options import AsJson


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("lint")(lint)


def lint(
    file: Annotated[Path, typer.Argument(help="A file of cases (.yaml or .jsonl).")],
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 on warnings, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check a file of cases: each finding with its line, the property that it breaks, and what to do.

    P5, P8 and P9 are warnings, since a case of one's own may lack them. Exits with 1 if there is an error.

    Examples: `memjoin cases lint own.yaml`, `memjoin cases lint more.jsonl --json`
    """
    import json

    from memjoin.cases.own import check

    found = check.lint(file)
    if as_json:
        typer.echo(json.dumps(found.plain(), ensure_ascii=True, indent=2))
    else:
        for line in found.lines():
            typer.echo(line)
    if found.errors or (strict and found.warnings):
        raise typer.Exit(1)
