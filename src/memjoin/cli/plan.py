"""`memjoin plan`: what a run will ask for, before anything is spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memjoin.cli import flags

if TYPE_CHECKING:
    from memjoin.models.prices import Prices
    from memjoin.runs.plan import Plan


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(plan)


def plan(
    system: flags.Systems = None,
    condition: flags.Conditions = None,
    intervention: flags.Interventions = None,
    cases: flags.Cases = None,
    preset: flags.Preset = None,
    trials: flags.Trials = None,
    k: flags.K = 10,
    seed: flags.Seed = 0,
    writer: flags.Writer = "embedded",
    reader: flags.Reader = "embedded",
    judge: flags.Judges = None,
    embedder: flags.Embedder = "embedded",
    temperature: flags.Temperature = "0.7",
    filter: flags.Filter = "embedded",
    prices: flags.Prices = None,
    as_json: flags.AsJson = False,
) -> None:
    """Say how many cells a run has, and how many calls and tokens it will take. Asks nobody, needs no key.

    * `memjoin plan`
    * `memjoin plan --preset full --writer openai/gpt-5-mini --reader openai/gpt-5 --judge openai/gpt-5-mini`
    """
    from memjoin.models.prices import read_prices
    from memjoin.runs.plan import plan as make
    from memjoin.runs.prepare import prepare

    prepared = prepare(
        flags.wanted(
            system=system,
            condition=condition,
            cases=cases,
            preset=preset,
            trials=trials,
            k=k,
            seed=seed,
            writer=writer,
            reader=reader,
            judge=judge,
            embedder=embedder,
            temperature=temperature,
            intervention=intervention,
            filter=filter,
        )
    )
    known = read_prices(prices)
    made = make(prepared.config, prepared.cases, prepared.systems, known)
    if as_json:
        _print_json(made)
    else:
        _print(made, known)


def _print_json(made: Plan) -> None:
    import json
    from dataclasses import asdict

    typer.echo(json.dumps(asdict(made) | {"paid_calls": made.paid_calls, "cost": made.cost}, indent=2))


def _print(made: Plan, prices: Prices) -> None:
    from memjoin.cli import usage
    from memjoin.cli.consoles import output

    console = output()
    console.print(
        f"{made.cases} case{'s' if made.cases > 1 else ''}, "
        f"{made.trials} trial{'s' if made.trials > 1 else ''}: "
        f"{made.cells} cells, "
        f"{made.sessions} sessions to write, {made.answers} answers.",
        highlight=False,
    )
    table = usage.table()
    for each in made.estimates:
        numbers = (each.calls, each.input_tokens, each.output_tokens)
        table.add_row(
            each.role,
            each.model,
            each.system or "references",
            *("not known" if number is None else f"{number:,}" for number in numbers),
            prices.shown(each.cost),
        )
    console.print(table)
    unknown = dict.fromkeys(each.system for each in made.estimates if each.calls is None)
    also = f", and those that {', '.join(unknown)} will make, which are not known" if unknown else ""
    console.print(
        f"Calls to models behind endpoints: {made.paid_calls:,}{also}. Cost: {prices.shown(made.cost)}. "
        "Tokens are estimates; embedded roles cost nothing.",
        highlight=False,
    )
    if made.cost is None:
        console.print("--prices names a file of prices; docs/models.md shows its form.", highlight=False)
