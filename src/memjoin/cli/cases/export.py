"""`memjoin cases export`: cases in the forms that other tools read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memjoin.cli.cases.options import CasesFile, Families, source


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("export")(export)


def export(
    out: Annotated[Path, typer.Option(help="The file to write, or for `hf` the folder.")],
    form: Annotated[
        str | None,
        typer.Option("--format", help="jsonl, parquet or hf; by the ending of --out if left out."),
    ] = None,
    file: CasesFile = None,
    family: Families = None,
) -> None:
    """Write cases for other tools: JSON lines, Parquet, or a folder with a dataset card for dataset hubs.

    Parquet and `hf` need the extra `export` (pyarrow).

    Examples: `memjoin cases export --out cases.parquet`, `memjoin cases export --format hf --out memjoin-v1`
    """
    from memjoin.cases import release
    from memjoin.cases.export import export as write

    name = release.VERSION if file is None else file.name
    number = write(release.select(source(file), families=family or ()), form, out, name)
    typer.echo(f"{out}: {number} case{'' if number == 1 else 's'} of {name}")
