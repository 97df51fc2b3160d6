"""`memjoin cases show`: one case as a person reads it."""

from __future__ import annotations

from typing import Annotated

import typer

from memjoin.cli.cases.options import AsJson, CasesFile, source


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("show")(show)


def show(
    case_id: Annotated[str, typer.Argument(metavar="ID", help="A case, as `memjoin cases list` has it.")],
    file: CasesFile = None,
    as_json: AsJson = False,
) -> None:
    """Show a case as a person would read it, with everything its annotation knows marked.

    Clues, decoys, cues, values of the target and required items bear marks, and colours on a terminal.

    Example: `memjoin cases show F19-RJ-chain-01`
    """
    import json

    from memjoin.cases import files, release

    (case,) = release.select(source(file), ids=[case_id])
    if as_json:
        typer.echo(json.dumps(files.to_plain(case), ensure_ascii=False, indent=2))
        return
    from memjoin.cli.reading import print_case

    print_case(case)
