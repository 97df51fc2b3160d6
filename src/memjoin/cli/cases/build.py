"""`memjoin cases build`: further cases from families."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memjoin.cli.cases.options import AsJson, Families


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("build")(build)


def build(
    out: Annotated[Path, typer.Option(help="The file to write (.jsonl).")],
    seed: Annotated[int | None, typer.Option(help="The seed; that of the release if left out.")] = None,
    per_family: Annotated[int, typer.Option(min=1, help="How many cases of each family.")] = 12,
    family: Families = None,
    family_file: Annotated[
        list[Path] | None, typer.Option(help="A family file of your own (.yaml); repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build cases from the families; the same seed always gives the same bytes.

    Every case is verified as it is built. Up to 12 a family, those too alike are drawn anew, as for the
    release; of larger sets the likeness is reported.

    Examples: `memjoin cases build --seed 7 --per-family 400 --out more.jsonl`,
    `memjoin cases build --family-file mine.yaml --out mine.jsonl`
    """
    import json

    from memjoin.cases import making

    made = making.make(out, seed, per_family, family or (), family_file or ())
    if as_json:
        typer.echo(json.dumps(made.plain(), ensure_ascii=False, indent=2))
        return
    for line in made.lines():
        typer.echo(line)
