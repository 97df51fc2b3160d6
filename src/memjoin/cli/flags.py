"""The flags that `run` and `plan` share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from memjoin.runs.prepare import Wanted

CHOICE, MODELS, PLACE = "What is run", "Models", "Where and how"

_MODEL = "'embedded' (no key, nothing spent), local/smollm2, provider/model, or URL#model."

Systems = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        metavar="NAME",
        help="A memory system: a name of `memjoin systems list`, ./folder, module:Class or 'exec: command'. "
        "Repeatable. Default: all that are measured by default.",
        rich_help_panel=CHOICE,
    ),
]
Conditions = Annotated[
    list[str] | None,
    typer.Option(
        "--condition",
        metavar="NAME",
        help="retrieved, all, history, task-only or itemized. Repeatable. Default: all but itemized.",
        rich_help_panel=CHOICE,
    ),
]
Cases = Annotated[
    list[str] | None,
    typer.Option(
        "--cases",
        metavar="WHAT",
        help="Case ids, families (F19), configurations (RJ, UC, WM), or a .jsonl file of own cases; "
        "repeatable, or separated by commas. A family and a configuration together mean their intersection.",
        rich_help_panel=CHOICE,
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="quick|full",
        help="quick: at most 24 of the cases, balanced. full: all. Default: quick; with --cases, full.",
        rich_help_panel=CHOICE,
    ),
]
Trials = Annotated[
    int | None,
    typer.Option(
        "--trials",
        help="How often each case is run. Default: 3; 1 where only embedded roles take part.",
        rich_help_panel=CHOICE,
    ),
]
K = Annotated[
    int,
    typer.Option(
        "--k",
        help="How many records are retrieved, where the system lets its caller say.",
        rich_help_panel=CHOICE,
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Of the first trial.", rich_help_panel=CHOICE)]
Writer = Annotated[
    str,
    typer.Option("--writer", metavar="MODEL", help=f"For memory systems: {_MODEL}", rich_help_panel=MODELS),
]
Reader = Annotated[
    str,
    typer.Option("--reader", metavar="MODEL", help=f"Does the task: {_MODEL}", rich_help_panel=MODELS),
]
Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        metavar="MODEL",
        help="Votes on answers, as --reader; repeatable. Default: embedded (lexical).",
        rich_help_panel=MODELS,
    ),
]
Embedder = Annotated[
    str,
    typer.Option("--embedder", metavar="MODEL", help=f"For retrieval: {_MODEL}", rich_help_panel=MODELS),
]
Temperature = Annotated[
    str,
    typer.Option(
        "--temperature",
        help="Of writer and reader; 'none' sends none. Judges are asked at 0.",
        rich_help_panel=MODELS,
    ),
]
Prices = Annotated[
    Path | None,
    typer.Option(
        "--prices",
        envvar="MEMJOIN_PRICES",
        metavar="FILE",
        help="A file of prices for tokens; docs/models.md shows its form. What it does not name is unknown.",
        rich_help_panel=MODELS,
    ),
]
Interventions = Annotated[
    list[str] | None,
    typer.Option(
        "--intervention",
        metavar="NAME",
        help="M1 to M5, with a variant (M3:detected), combined (M1+M3), on one condition (all+M1), or "
        "package.module:Class; repeatable. A run that is there is gone on with: only what is new is asked.",
        rich_help_panel=CHOICE,
    ),
]
Filter = Annotated[
    str,
    typer.Option("--filter", metavar="MODEL", help=f"Filters answers (M5): {_MODEL}", rich_help_panel=MODELS),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=PLACE)]


def wanted(
    *,
    system: Sequence[str] | None,
    condition: Sequence[str] | None,
    cases: Sequence[str] | None,
    preset: str | None,
    trials: int | None,
    k: int,
    seed: int,
    writer: str,
    reader: str,
    judge: Sequence[str] | None,
    embedder: str,
    temperature: str,
    intervention: Sequence[str] | None = None,
    filter: str = "embedded",
) -> Wanted:
    """Return the flags as `runs` takes them."""
    from memjoin.runs.prepare import Wanted

    named = tuple(part.strip() for each in cases or () for part in each.split(",") if part.strip())
    if cases and not named:
        # A script's variable that is empty must not mean all cases.
        raise typer.BadParameter("names no case; leave it out for the preset's", param_hint="--cases")
    return Wanted(
        systems=tuple(system or ()),
        conditions=tuple(condition or ()),
        cases=named,
        preset=preset,
        trials=trials,
        writer=writer,
        reader=reader,
        judges=tuple(judge or ("embedded",)),
        embedder=embedder,
        k=k,
        seed=seed,
        temperature=_temperature(temperature),
        interventions=tuple(intervention or ()),
        filter=filter,
    )


def _temperature(text: str) -> float | None:
    if text == "none":
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise typer.BadParameter("give a number from 0 on, or 'none'", param_hint="--temperature")
    return number
