"""`memjoin judge`: the answers of a run, judged again by another panel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from memjoin.judging.prompt import Wording
    from memjoin.runs.judging.again import Judged
    from memjoin.runs.judging.ask import Progress

BUDGET_SPENT = 3
"""Exit code of judging that its budget has stopped."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(judge)


def judge(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", metavar="NAME", help="lexical or a model; repeatable: together one panel."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Of the panel. Default: made from its judges.")
    ] = None,
    wording: Annotated[
        str, typer.Option("--wording", metavar="first|second", help="Of the prompt that models are asked in.")
    ] = "first",
    both_wordings: Annotated[
        bool, typer.Option("--both-wordings", help="Ask in both, as two panels, and compare these.")
    ] = False,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            "--compare",
            metavar="PANEL",
            help="Ask nobody: compare two panels that have judged; give it twice. 'run' is the run's own.",
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="LIMIT", help="For each panel: 500calls, 2Mtokens, or both."),
    ] = None,
    in_flight: Annotated[
        int, typer.Option("--in-flight", min=1, help="Answers judged at once by models.")
    ] = 8,
    model_timeout: Annotated[
        float, typer.Option("--model-timeout", min=0.1, metavar="SECONDS", help="For one attempt at a call.")
    ] = 120.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Judge a run's answers by another panel, without asking the reader again, and compare the two.

    The panel is kept in the run's folder, under panels/NAME; a second attempt asks only what is missing.
    Without --judge or --compare, lists the panels that there are.

    * `memjoin judge runs/first-look --judge openai/gpt-5-mini --judge anthropic/claude-haiku-4-5`
    * `memjoin judge runs/first-look --judge openai/gpt-5-mini --both-wordings`
    * `memjoin judge runs/first-look --compare run --compare openai-gpt-5-mini`
    """
    from memjoin.cli import consoles
    from memjoin.errors import MemJoinError
    from memjoin.runs.judging.again import OWN, opened, panels

    if compare:
        if judge or both_wordings:
            raise MemJoinError("--compare asks nobody, and a judge is named.", "Leave one of them out.")
        if len(compare) != 2:
            raise MemJoinError("--compare takes two panels.", f"Give it twice: {', '.join(panels(run))}.")
        _print(run, opened(run, compare[0]), opened(run, compare[1]), [], as_json)
        return
    if not judge:
        _list(run, as_json)
        return
    aside = consoles.aside()
    made = _ask(run, judge, name, wording, both_wordings, budget, in_flight, model_timeout, aside)
    first = made[0] if both_wordings else opened(run, OWN)
    _print(run, first, made[-1], made, as_json)


def _ask(
    run: Path,
    judges: list[str],
    name: str | None,
    wording: str,
    both: bool,
    budget: str | None,
    in_flight: int,
    model_timeout: float,
    aside: Console,
) -> list[Judged]:
    from memjoin.errors import MemJoinError
    from memjoin.runs.budget import parse_budget
    from memjoin.runs.judging.again import judge_again
    from memjoin.runs.judging.panel import find_models, panel_of

    limit = parse_budget(budget) if budget is not None else None
    chosen = wording_of(wording)
    asked = [panel_of(judges, each) for each in (("first", "second") if both else (chosen,))]
    if both and not asked[0].models:
        raise MemJoinError("The lexical judge has no prompt to word.", "Name a model with --judge.")
    models = find_models(asked[0], in_flight, model_timeout)
    made = []
    with progress_in(aside, "What was judged is kept; the same command goes on from there.") as report:
        for panel in asked:
            own = f"{name}-second" if name and both and panel.wording == "second" else name or panel.name
            made.append(
                judge_again(
                    run,
                    panel,
                    models,
                    name=own,
                    threads=in_flight,
                    budget=limit,
                    report=partial(report, own),
                )
            )
    return made


def wording_of(text: str) -> Wording:
    """Return a wording by its name, or end with a complaint about the flag."""
    if text == "first" or text == "second":
        return "first" if text == "first" else "second"
    raise typer.BadParameter("give first or second", param_hint="--wording")


@contextmanager
def progress_in(aside: Console, kept: str) -> Iterator[Callable[[str, Progress], None]]:
    """Show how judging gets on; where the user stops it, say what is kept and leave with 130, and where a
    budget does, with 3."""
    from memjoin.cli.progress import EVERY, reporter
    from memjoin.runs.budget import BudgetSpentError

    last: dict[str, float] = {}
    try:
        with reporter(aside) as told:

            def report(who: str, progress: Progress) -> None:
                now = time.monotonic()
                due = now - last.get(who, float("-inf")) >= (0.0 if aside.is_terminal else EVERY)
                if due or progress.ended == progress.total:
                    last[who] = now
                    lost = f", {progress.lost} with a lost vote" if progress.lost else ""
                    told.note(f"{who}: {progress.ended} of {progress.total} answers{lost}")

            yield report
    except BudgetSpentError as error:
        aside.print(f"Stopped. {error}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(BUDGET_SPENT) from None
    except KeyboardInterrupt:
        aside.print(f"Stopped. {kept}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(130) from None


def _list(run: Path, as_json: bool) -> None:
    import json

    from memjoin.report.panels import told
    from memjoin.runs.judging.again import opened, panels

    found = [opened(run, name) for name in panels(run)]
    if as_json:
        typer.echo(json.dumps([{"panel": each.name, **each.panel.plain()} for each in found], indent=2))
        return
    for each in found:
        judged = sum(opinion.consensus is not None for opinion in each.opinions)
        typer.echo(f"{each.name}: {', '.join(each.panel.judges)}; {judged} of {len(each.opinions)} answers")
        for line in told(each):
            typer.echo(f"  {line}")


def _print(run: Path, first: Judged, second: Judged, made: list[Judged], as_json: bool) -> None:
    import json

    from memjoin.analysis.render import as_json as rendered
    from memjoin.cli.consoles import output
    from memjoin.report.panels import compared, plain, tables_of_panel
    from memjoin.report.render import show
    from memjoin.report.tables import write

    of_panels = []
    for judged in made:
        tables = tables_of_panel(run, judged)
        write(tables, run / "panels" / judged.name / "tables")
        of_panels += tables
    between = compared(run, first, second)
    if as_json:
        found = {
            "panels": {table.title: json.loads(rendered(table)) for table in of_panels},
            "compared": {table.name: json.loads(rendered(table)) for table in between},
            "differing": plain(first, second),
        }
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    shown = [table for table in of_panels if table.name in ("disclosure", "utility")]
    show([*shown, *between], output(110))
