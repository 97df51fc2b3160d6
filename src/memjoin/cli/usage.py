"""What a run has used of models, for people and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from memjoin.models.prices import Prices
    from memjoin.runs.usage import Usage


def show(console: Console, usage: Usage, prices: Prices) -> None:
    """Print what went to models that are not embedded; nothing where nothing did."""
    if not usage.asked:
        return
    console.print(summary(usage, prices), markup=False, highlight=False, soft_wrap=True)
    shown = table()
    for each in usage.asked:
        tokens = (
            f"{'~' if each.estimated and number else ''}{number:,}"
            for number in (each.input_tokens, each.output_tokens)
        )
        where = each.system or "references"
        shown.add_row(each.role, each.model, where, f"{each.calls:,}", *tokens, prices.shown(each.cost))
    console.print(shown)
    for line in dropped(usage):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print()


def table() -> Table:
    """Return an empty table of calls, which wraps long names where there is little room."""
    from rich.table import Table

    made = Table("Role", box=None, pad_edge=False)
    for name in ("Model", "System"):
        made.add_column(name, overflow="fold")
    for number in ("Calls", "Input tokens", "Output tokens", "Cost"):
        made.add_column(number, justify="right")
    return made


def summary(usage: Usage, prices: Prices) -> str:
    """Say in one line what was used, earlier attempts included."""
    calls = "1 call" if usage.calls == 1 else f"{usage.calls:,} calls"
    return f"Asked of models so far: {calls}, {usage.tokens:,} tokens. Cost: {prices.shown(usage.cost)}."


def dropped(usage: Usage) -> list[str]:
    """Say which model was asked without what, because it refuses it."""
    refused: dict[tuple[str, str], list[str]] = {}
    for role, model, name in usage.dropped:
        refused.setdefault((role, model), []).append(name)
    return [
        f"The {role} model {model} refuses {' and '.join(names)} and was asked without: asked again, it may "
        "say something else."
        for (role, model), names in refused.items()
    ]


def as_json(usage: Usage) -> dict[str, Any]:
    """Return it for ``--json``: embedded roles too, totals of all others."""
    return {
        "calls": usage.calls,
        "tokens": usage.tokens,
        "cost": usage.cost,
        "currency": usage.currency or None,
        "by_role_and_system": [asdict(each) for each in usage.spent],
        "not_sent": [
            {"role": role, "model": model, "parameter": name} for role, model, name in usage.dropped
        ],
    }
