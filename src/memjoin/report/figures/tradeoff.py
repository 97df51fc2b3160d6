"""What each intervention brings and costs: the change of disclosure against that of task completion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from memjoin.analysis.design import INTERVENTIONS, TITLES
from memjoin.analysis.results import Results
from memjoin.analysis.tradeoffs import TradeOff
from memjoin.report.figures import style

COLUMNS = 4
"""Panels side by side at most, one an intervention."""
_PANEL = 1.75
"""Inches that a row of panels is high."""
_FILLED = "os^DvPX*<>phd8"
"""Shapes tell systems apart without colour; filled is Retrieved memory, hollow All memory."""
_OPEN = "+x12"
"""Shapes of references, which have no view."""
_SIZE = 5.5
_LEGEND = 4
"""Columns of the legend."""


def trade_offs(results: Results, found: Sequence[TradeOff]) -> Figure:
    """Draw every intervention in a panel of its own, every input a mark: towards the lower right is better.

    Inputs at one and the same place are counted beside it.
    """
    shown = [trade for trade in found if trade.measurable]
    names = list(dict.fromkeys(trade.intervention for trade in shown))
    marks = _marks(shown)
    rows = -(-len(names) // COLUMNS)
    legend = -(-(len({mark for mark, _ in marks.values()}) + 2) // _LEGEND)
    figure = Figure(figsize=(style.WIDTH, 1.3 + _PANEL * rows + 0.17 * legend), layout="constrained")
    wide = -(-len(names) // rows)
    panels = list(figure.subplots(rows, wide, sharex=True, sharey=True, squeeze=False).flat)
    for axes, name in zip(panels, names, strict=False):
        _panel(axes, name, [trade for trade in shown if trade.intervention == name], marks)
    for number, axes in enumerate(panels):
        if number >= len(names):
            axes.set_axis_off()
        elif number + wide >= len(names):  # the last of its column
            axes.xaxis.set_tick_params(labelbottom=True)
    for axes in panels[::wide]:
        axes.set_ylabel("ΔDR", fontsize=7.5)
    figure.legend(
        handles=_handles(results, marks),
        loc="outside upper left",
        ncols=_LEGEND,
        fontsize=7.5,
        borderaxespad=0,
    )
    unknown = dict.fromkeys(trade.intervention for trade in found if not trade.measurable)
    style.foot(
        figure,
        results,
        "Up: change of disclosure (ΔDR), across: change of task completion (ΔTCR), in percentage points. "
        "Lower right is better.",
        "Each against the same input without it. A number: so many inputs at one place.",
        "Lines: pointwise 95% paired bootstrap intervals over cases.",
        *_bound(results, names),
        *([f"Not measurable with these roles: {', '.join(unknown)}."] if unknown else []),
    )
    return figure


def _panel(
    axes: Axes, name: str, trades: Sequence[TradeOff], marks: dict[tuple[str, str], tuple[str, bool]]
) -> None:
    axes.axhline(0, color=style.QUIET, linewidth=0.6)
    axes.axvline(0, color=style.QUIET, linewidth=0.6)
    places: Counter[tuple[float, float]] = Counter()
    for trade in trades:
        x, y = trade.completed, trade.disclosed
        if x.difference is None or y.difference is None:
            continue
        here, there = 100 * x.difference, 100 * y.difference
        places[round(here, 1), round(there, 1)] += 1
        for interval, draw in ((x.interval, axes.hlines), (y.interval, axes.vlines)):
            if interval is not None and interval[1] > interval[0]:
                at = there if draw == axes.hlines else here
                draw(at, 100 * interval[0], 100 * interval[1], color=style.QUIET, linewidth=0.5, alpha=0.6)
        mark, filled = marks[trade.system, trade.view]
        face = style.INK if filled else "white"
        axes.plot(here, there, mark, color=style.INK, markerfacecolor=face, markersize=_SIZE, alpha=0.85)
    for (here, there), many in places.items():
        if many > 1:
            axes.annotate(
                str(many), (here, there), (4, 3), textcoords="offset points", fontsize=6.5, color=style.INK
            )
    title = INTERVENTIONS.get(name.partition(":")[0], "")
    axes.set_title(f"{name}\n{title}" if title else name, fontsize=7)
    axes.margins(0.12)
    axes.grid(color="#e4e4e4", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=7)


def _bound(results: Results, names: Iterable[str]) -> list[str]:
    """Say which of some interventions use the annotation; nothing where none does."""
    parts = {part for name in names for part in name.split("+")} & results.design.annotated
    return [f"By the evaluator's annotation, as a bound: {', '.join(sorted(parts))}."] if parts else []


def _marks(shown: Iterable[TradeOff]) -> dict[tuple[str, str], tuple[str, bool]]:
    """Return each input's shape, and whether it is filled, by (system, view)."""
    inputs = dict.fromkeys((trade.system, trade.view) for trade in shown)
    systems = list(dict.fromkeys(system for system, _ in inputs if system))
    references = [view for system, view in inputs if not system]
    return {
        (system, view): (_FILLED[systems.index(system) % len(_FILLED)], view == TITLES["retrieved"])
        if system
        else (_OPEN[references.index(view) % len(_OPEN)], True)
        for system, view in inputs
    }


def _handles(results: Results, marks: dict[tuple[str, str], tuple[str, bool]]) -> list[Line2D]:
    shapes = {
        style.name(results.design.system_title(system)) if system else view: mark
        for (system, view), (mark, _) in marks.items()
    }
    views = {
        view: ("o", style.INK if filled else "white")
        for (system, view), (_, filled) in marks.items()
        if system
    }
    return [
        *(_handle(label, mark, style.INK if mark in _OPEN else "#b0b0b0") for label, mark in shapes.items()),
        *(_handle(label, mark, face) for label, (mark, face) in views.items()),
    ]


def _handle(label: str, mark: str, face: str) -> Line2D:
    return Line2D(
        [],
        [],
        linestyle="",
        marker=mark,
        color=style.INK,
        markerfacecolor=face,
        markersize=_SIZE,
        label=label,
    )
