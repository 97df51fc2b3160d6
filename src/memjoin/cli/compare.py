"""`memjoin compare`: two runs, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(compare)


def compare(
    run_a: Annotated[Path, typer.Argument(metavar="RUN_A", help="The folder of the first run.")],
    run_b: Annotated[Path, typer.Argument(metavar="RUN_B", help="The folder of the second.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare two runs on their common cases: another model, another version, before and after a fix.

    Says of every input which differences are real, which are noise, and how large a difference this many
    cases could have shown. Differences are RUN_B minus RUN_A.

    * `memjoin compare runs/before runs/after`

    Systems and conditions of one run are compared by `memjoin report RUN --comparison`.
    """
    from memjoin.report.comparing import compare_folders

    table = compare_folders(run_a, run_b)
    if as_json:
        from memjoin.analysis.render import as_json as rendered

        typer.echo(rendered(table), nl=False)
        return
    from memjoin.cli.consoles import output
    from memjoin.report.render import show

    show([table], output(_WIDTH))


_WIDTH = 110
"""Columns of the table where the output is no terminal."""
