"""`memjoin show`: one answer of a run, from what was given to what was made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(show)


def show(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, such as runs/quick.")],
    case: Annotated[str, typer.Argument(metavar="CASE", help="A case's id.")],
    system: Annotated[
        str | None, typer.Option("--system", help="Whose memory. Default: the run's first system.")
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option(
            "--condition",
            help="With an intervention or none: retrieved, retrieved+M5. Default: the system's first.",
        ),
    ] = None,
    trial: Annotated[int, typer.Option("--trial", min=1, help="From 1 on.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show one answer: the task, the input with the clues it keeps, the answer, the votes, the verdict.

    * `memjoin show runs/quick F19-RJ-chain-01 --system mem0`
    * `memjoin show runs/quick F19-RJ-chain-01 --condition history`

    `memjoin cases show CASE` shows the sessions themselves.
    """
    from memjoin.report import story
    from memjoin.runs.reader import Run

    with Run(run) as opened:
        found = opened.story(case, condition, system, trial - 1)
    if as_json:
        import json

        typer.echo(json.dumps(story.plain(found), indent=2, ensure_ascii=False))
        return
    from rich.text import Text

    from memjoin.cli.consoles import output
    from memjoin.text.visible import visible

    styles = {"title": "bold", "heading": "bold underline", "clue": "red", "decoy": "cyan", "aside": "dim"}
    console = output()
    for line in story.tell(found):
        text = Text(visible(line.text, keep="\n"), style=styles.get(line.style, ""))
        console.print(text, soft_wrap=True)
