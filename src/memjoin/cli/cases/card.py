"""`memjoin cases card`: the data card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memjoin.cli.cases.options import AsJson, CasesFile


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("card")(card)


def card(
    file: CasesFile = None,
    out: Annotated[
        Path | None, typer.Option(help="A file to write instead of printing; one that is there is replaced.")
    ] = None,
    text_only: Annotated[
        bool,
        typer.Option("--text-only", help="Leave out what needs the embedder: nearness and calibration."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Work out the data card: what the cases are made of, how alike they are, how hard retrieval is.

    Of the release this is the whole card, `docs/data-card.md`; of other cases the figures alone. The
    calibration writes every case into the reference memory, which takes some minutes for the release.

    Examples: `memjoin cases card --out docs/data-card.md`, `memjoin cases card --cases own.jsonl --text-only`
    """
    from memjoin.report.card import write

    text = write.card(file, text_only, as_json, tell=lambda line: typer.echo(line, err=True))
    if out is None:
        typer.echo(text, nl=False)
        return
    write.save(text, out)
    typer.echo(f"{out}: written")
