"""`memjoin cases verify`: the properties of every case, or what a language model can tell from it."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memjoin.cli.cases.options import AsJson, CasesFile, Families

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memjoin.cases.schema import Case
    from memjoin.runs.verification.verify import Progress

_BY_MODEL = "With a language model"


def register(cases: typer.Typer) -> None:
    """Add the command."""
    cases.command("verify")(verify)


def verify(
    file: CasesFile = None,
    case_id: Annotated[list[str] | None, typer.Option("--id", help="Only this case; repeatable.")] = None,
    family: Families = None,
    limit: Annotated[int | None, typer.Option(min=1, help="No more than so many cases.")] = None,
    as_json: AsJson = False,
    model: Annotated[
        str | None,
        typer.Option(
            help="Ask this model instead (openai/..., ollama/..., URL#model).", rich_help_panel=_BY_MODEL
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Keep its answers here (.jsonl); the same command goes on.", rich_help_panel=_BY_MODEL
        ),
    ] = None,
    in_flight: Annotated[
        int | None,
        typer.Option(
            "--in-flight", min=1, help="Questions asked at once. Default: 8.", rich_help_panel=_BY_MODEL
        ),
    ] = None,
) -> None:
    """Check the properties P1 to P11 of every case, from its text. Exits with 1 if a case breaks one.

    With `--model`, ask a language model instead, as the paper's second stage does: what do the full history,
    and each single session, tell of the subject? Exits with 1 if a case is not as it should be.

    Examples: `memjoin cases verify`, `memjoin cases verify --cases own.yaml --json`,
    `memjoin cases verify --model openai/gpt-5-mini --limit 24 --out answers.jsonl`
    """
    from memjoin.cases import files, release
    from memjoin.errors import MemJoinError

    chosen: Iterable[Case] = release.load() if file is None else files.iter_cases(file)
    if case_id or family:
        chosen = release.select(list(chosen), ids=case_id or (), families=family or ())
    chosen = islice(chosen, limit)
    if model is not None:
        _ask(list(chosen), model, out, in_flight or 8, as_json)
    elif out is not None:
        raise MemJoinError("--out keeps the answers of a model, and none is named.", "Name one with --model.")
    elif in_flight is not None:
        raise MemJoinError("--in-flight is for asking a model, and none is named.", "Name one with --model.")
    else:
        _check(chosen, as_json)


def _check(chosen: Iterable[Case], as_json: bool) -> None:
    import json

    from memjoin.cases import table
    from memjoin.cases.verify import verify as check

    report = check(chosen)
    if as_json:
        typer.echo(json.dumps(table.report(report), ensure_ascii=False, indent=2))
    else:
        for line in table.report_lines(report):
            typer.echo(line)
    if report.findings or not report.checked:
        raise typer.Exit(1)


def _ask(chosen: list[Case], name: str, out: Path | None, in_flight: int, as_json: bool) -> None:
    import json

    from memjoin.cli import consoles
    from memjoin.cli.progress import EVERY, reporter
    from memjoin.runs.verification.verify import find_model
    from memjoin.runs.verification.verify import verify as ask

    model = find_model(name, in_flight)
    aside = consoles.aside()
    try:
        with reporter(aside) as told:
            notes = _notes(told.note, 0.0 if aside.is_terminal else EVERY)
            found = ask(chosen, model, out=out, in_flight=in_flight, report=notes)
    except KeyboardInterrupt:
        kept = f" What was answered is kept in {out}; the same command goes on." if out else ""
        aside.print(f"Stopped.{kept}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(130) from None
    if as_json:
        typer.echo(json.dumps(found.plain(), ensure_ascii=True, indent=2))
    else:
        for line in found.lines():
            typer.echo(line)
    if not found.confirmed:
        raise typer.Exit(1)


def _notes(note: Callable[[str], None], every: float) -> Callable[[Progress], None]:
    """Tell of the progress at the beginning, at the end, and no more than once in ``every`` seconds."""
    last = float("-inf")

    def report(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if progress.ended == progress.total or now - last >= every:
            last = now
            lost = f", {progress.lost} lost" if progress.lost else ""
            note(f"questions: {progress.ended} of {progress.total}{lost}")

    return report
