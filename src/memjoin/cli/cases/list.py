"""`memjoin cases list`: which cases there are."""

from __future__ import annotations

from typing import Annotated

import typer

from memjoin.cli.cases.options import AsJson, CasesFile, Families, source


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("list")(list_cases)


def list_cases(
    family: Families = None,
    configuration: Annotated[list[str] | None, typer.Option(help="Only RJ, UC or WM; repeatable.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only those of the preset `quick`.")] = False,
    file: CasesFile = None,
    as_json: AsJson = False,
) -> None:
    """List cases: family, situation, evidence configuration, topology, stratum.

    Examples: `memjoin cases list --family F19`, `memjoin cases list --configuration UC --json`
    """
    import json

    from memjoin.cases import release, table

    chosen = release.select(
        source(file), families=family or (), configurations=[name.upper() for name in configuration or ()]
    )
    if quick:
        chosen = release.quick(chosen)
    if as_json:
        typer.echo(json.dumps([table.row(case) for case in chosen], ensure_ascii=False, indent=2))
        return
    for line in table.lines(chosen):
        typer.echo(line)
    typer.echo(table.summary(chosen, release.VERSION if file is None else file.name))
