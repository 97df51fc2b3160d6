"""`memjoin judges`: what judges are worth."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

judges = typer.Typer(no_args_is_help=True, help="Judges, and how far they can be trusted.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(judges, name="judges")


@judges.command("qualify")
def qualify(
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            metavar="NAME",
            help="lexical, local/smollm2, provider/model, or URL#model; repeatable. Default: lexical.",
        ),
    ] = None,
    wording: Annotated[
        str, typer.Option("--wording", metavar="first|second", help="Of the prompt that models are asked in.")
    ] = "first",
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="LIMIT", help="For each judge: 500calls, 2Mtokens, or both."),
    ] = None,
    in_flight: Annotated[
        int, typer.Option("--in-flight", min=1, help="Answers judged at once by a model.")
    ] = 8,
    model_timeout: Annotated[
        float, typer.Option("--model-timeout", min=0.1, metavar="SECONDS", help="For one attempt at a call.")
    ] = 120.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Ask judges about answers that people have labelled, and print how often they are right.

    Beside them stand trivial judges: always no, always yes, and values only. The result of a model is kept,
    and every later run says in its tables where a judge is below the bar, or was never qualified. A second
    attempt asks only what is missing. Exits with 1 if a judge is below the bar, with 3 if a budget is spent.

    * `memjoin judges qualify`
    * `memjoin judges qualify --judge openai/gpt-5-mini --judge anthropic/claude-haiku-4-5`
    """
    import json

    from memjoin.cli.consoles import aside, output
    from memjoin.cli.judge import progress_in, wording_of
    from memjoin.report.qualification import plain, tables
    from memjoin.report.render import show
    from memjoin.runs.budget import parse_budget
    from memjoin.runs.judging.panel import find_models, panel_of
    from memjoin.runs.judging.qualify import qualify as ask

    chosen = wording_of(wording)
    limit = parse_budget(budget) if budget is not None else None
    panel = panel_of(judge or ("lexical",), chosen)
    models = find_models(panel, in_flight, model_timeout)
    found = []
    with progress_in(aside(), "The same command goes on from there.") as report:
        for name in dict.fromkeys(panel.judges):
            found.append(
                ask(
                    name,
                    models,
                    wording=chosen,
                    threads=in_flight,
                    budget=limit,
                    report=partial(report, name),
                )
            )
    if as_json:
        typer.echo(json.dumps(plain(found), indent=2))
    else:
        show(tables(found), output(120))
    if any(each.result.below for each in found):
        raise typer.Exit(1)
