"""`memjoin run`: cases through memory systems, a reader and judges, to a table."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memjoin.cli import flags

if TYPE_CHECKING:
    from rich.console import Console

    from memjoin.analysis.table import Table
    from memjoin.runs.cell import CellOutcome
    from memjoin.runs.prepare import Prepared
    from memjoin.runs.run import Finished


BUDGET_SPENT = 3
"""Exit code of a run that its budget has stopped."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(run)


def run(
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
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            metavar="LIMIT",
            help="What the run may use of models, all attempts together: 500calls, 2Mtokens, or both with a "
            "comma. It stops before it would use more, and goes on with a larger one.",
            rich_help_panel=flags.MODELS,
        ),
    ] = None,
    prices: flags.Prices = None,
    in_flight: Annotated[
        int,
        typer.Option(
            "--in-flight",
            min=1,
            help="Calls that one endpoint gets at once.",
            rich_help_panel=flags.MODELS,
        ),
    ] = 8,
    model_timeout: Annotated[
        float,
        typer.Option(
            "--model-timeout",
            min=0.1,
            metavar="SECONDS",
            help="How long one attempt at a model call may take; slow machines need more.",
            rich_help_panel=flags.MODELS,
        ),
    ] = 120.0,
    name: Annotated[
        str | None,
        typer.Option(
            "--name", help="Of the run. Default: the preset's, or 'cases'.", rich_help_panel=flags.PLACE
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", help="The folder of all runs.", rich_help_panel=flags.PLACE)
    ] = Path("runs"),
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency",
            min=1,
            help="Cells at once. Default: the cores; 8 where models are elsewhere.",
            rich_help_panel=flags.PLACE,
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            min=0.1,
            metavar="SECONDS",
            help="How long one call to a memory system may take, such as writing a session. Default: 900 for "
            "that one, less for others. To start, each has 180.",
            rich_help_panel=flags.PLACE,
        ),
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh",
            help="Move a run of that name aside and begin anew. Without it, a run goes on where it stopped.",
            rich_help_panel=flags.PLACE,
        ),
    ] = False,
    as_json: flags.AsJson = False,
) -> None:
    """Run cases through memory systems, a reader and judges, and print what was kept and what was told.

    Without flags: 24 cases, the systems that are measured by default, embedded roles, no key. Ctrl-C stops;
    the same command goes on.

    * `memjoin run`
    * `memjoin run --system mem0 --cases F19 --name first-look`
    * `memjoin run --preset full --reader openai/gpt-5-mini --judge openai/gpt-5-mini --trials 3 --name gpt`
    * `memjoin run --system "exec: ./my_memory" --cases my_cases.jsonl`

    `memjoin plan` with the same flags says what a run will ask for before anything is spent.
    """
    from memjoin.cli import consoles, usage
    from memjoin.cli.progress import reporter
    from memjoin.models.prices import read_prices
    from memjoin.runs import prepare as preparing
    from memjoin.runs.budget import BudgetSpentError, parse_budget
    from memjoin.runs.folder import checked
    from memjoin.runs.reader import Run
    from memjoin.runs.run import run as start
    from memjoin.systems.process import Timeouts

    wanted = flags.wanted(
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
    name = checked(wanted.name if name is None else name)
    limit = parse_budget(budget) if budget is not None else None
    known = read_prices(prices)
    prepared = preparing.prepare(wanted, None if fresh else out / name)
    aside = consoles.aside()
    aside.print(headline(prepared, out / name), markup=False, highlight=False, soft_wrap=True)
    try:
        with reporter(aside) as told:
            finished = start(
                prepared,
                root=out,
                name=name,
                reporter=told,
                concurrency=concurrency,
                in_flight=in_flight,
                model_seconds=model_timeout,
                budget=limit,
                timeouts=Timeouts(reset=timeout, write=timeout, export=timeout, retrieve=timeout)
                if timeout
                else None,
                fresh=fresh,
            )
    except KeyboardInterrupt:
        kept = f"Stopped. What was answered is kept in {out / name}; the same command goes on from there."
        aside.print(kept, markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(130) from None
    except BudgetSpentError as error:
        with Run(out / name) as opened:
            used = opened.usage(known)
        for line in (f"Stopped. {error.message}", usage.summary(used, known), error.hint):
            aside.print(line, markup=False, highlight=False, soft_wrap=True)
        if as_json:
            _print_stopped(out / name, usage.as_json(used))
        raise typer.Exit(BUDGET_SPENT) from None
    tables = _tables(finished)
    with Run(finished.folder.path) as opened:
        used = opened.usage(known)
    if as_json:
        _print_json(finished, prepared, tables, usage.as_json(used))
    else:
        from memjoin.analysis.layout import WIDTH

        console = consoles.output(WIDTH)
        _print_tables(console, tables)
        usage.show(console, used, known)
        _print_end(console, finished, prepared)
    raise typer.Exit(1 if finished.failed else 0)


def headline(prepared: Prepared, path: Path) -> str:
    """Say in a line or two what is run, and where."""
    config = prepared.config
    trials = "1 trial" if config.trials == 1 else f"{config.trials} trials"
    systems = f"; systems {', '.join(config.systems)}" if config.systems else ""
    cases = "1 case" if len(config.cases) == 1 else f"{len(config.cases)} cases"
    treated = f"; interventions {', '.join(config.interventions)}" if config.interventions else ""
    return f"{path}: {cases}, {trials}{systems}; conditions {', '.join(config.conditions)}{treated}"


def _tables(finished: Finished) -> list[Table]:
    from memjoin.report.source import tables_of
    from memjoin.report.tables import write
    from memjoin.runs.reader import Run

    with Run(finished.folder.path) as opened:
        tables = tables_of(opened)
    write(tables, finished.folder.tables)
    return tables


def _print_tables(console: Console, tables: list[Table]) -> None:
    from memjoin.analysis.tables import MAIN
    from memjoin.report.render import show

    show([table for table in tables if table.name in MAIN], console)


def _print_end(console: Console, finished: Finished, prepared: Prepared) -> None:
    for line in (*failures(finished.failed, finished.folder.logs), *closing(finished, prepared)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _print_stopped(path: Path, used: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps({"run": str(path), "stopped": "budget", "used": used}, indent=2))


def _print_json(finished: Finished, prepared: Prepared, tables: list[Table], used: dict[str, Any]) -> None:
    import json

    from memjoin.analysis.render import as_json

    found = {
        "run": str(finished.folder.path),
        "configuration": prepared.config.plain(),
        "configuration_hash": prepared.config.hash,
        "embedded_roles": sorted(prepared.embedded),
        "failed": [
            {"system": outcome.cell.system, "case": outcome.cell.case, "trial": outcome.cell.trial + 1}
            | {"reason": outcome.reason}
            for outcome in finished.failed
        ],
        "used": used,
        "tables": {table.name: json.loads(as_json(table)) for table in tables},
    }
    typer.echo(json.dumps(found, indent=2, ensure_ascii=False))


def failures(failed: tuple[CellOutcome, ...], logs: Path) -> list[str]:
    """Say which cells failed and why, each reason once, in full, and where systems' own words are."""
    if not failed:
        return []
    by_reason: dict[str, list[CellOutcome]] = {}
    for outcome in failed:
        by_reason.setdefault(outcome.reason, []).append(outcome)
    lines = [f"{_cells(len(failed))} did not yield all answers. What is missing is never counted as zero."]
    for reason, outcomes in by_reason.items():
        lines.append(f"  {_cells(len(outcomes))}, e.g. {outcomes[0].cell}:")
        lines += [f"    {line}" for line in reason.splitlines()]
    again = "The same command tries them again."
    if any(outcome.cell.system for outcome in failed):
        again += f" What systems printed lies in {logs}."
    return [*lines, again, ""]


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _program() -> str:
    """Return how the user calls this program: where uv started it, a plain `memjoin` is not on the path."""
    return "uv run memjoin" if "UV_RUN_RECURSION_DEPTH" in os.environ else "memjoin"


def closing(finished: Finished, prepared: Prepared) -> list[str]:
    """Say where all of it lies, how to look at one case, and how to name a model."""
    config, path = prepared.config, finished.folder.path
    lines = []
    if config.trials == 1 and {"reader", "judge"} <= prepared.embedded:
        lines.append("One trial: embedded roles do the same every time; --trials runs more.")
    look = f"{_program()} show {quote(str(path))} {config.cases[0]}"
    if config.systems:
        look += f" --system {quote(config.systems[-1])}"
    lines += [
        f"All of it lies in {path} (tables/, ledger.sqlite, manifest.json).",
        f"Read one case from its sessions to its verdict: {look}",
    ]
    if {"reader", "judge"} & prepared.embedded:
        lines.append(
            "Measure a language model: name one with --reader and --judge (for example openai/gpt-5-mini, "
            "ollama/llama3.1, or a base URL and #model); keys that are set are not used until then."
        )
    return lines
