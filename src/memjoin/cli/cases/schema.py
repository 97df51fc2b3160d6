"""`memjoin cases schema`: the JSON schema of a case."""

from __future__ import annotations

import typer


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("schema")(schema)


def schema() -> None:
    """Print the JSON schema of a case, as one line of a .jsonl file has it.

    Example: `memjoin cases schema > case.schema.json`
    """
    from memjoin.cases import json_schema

    typer.echo(json_schema.published(), nl=False)
