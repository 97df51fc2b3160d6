"""What each intervention brings and costs: the change of disclosure against that of task completion."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from memjoin.analysis.figures import TradeOff
from memjoin.analysis.results import Results
from memjoin.report.figures import style

_MARKERS = "osD^vPX*<>ph8d"
"""Shapes tell interventions apart without colour."""
_COLORS = ("#1f6f8b", "#c1440e", "#4a7c3a", "#7b4f9d", "#8a6d1f", "#333333", "#b03a6b", "#5b8bd0")


def trade_offs(results: Results, found: Sequence[TradeOff]) -> Figure:
    """Draw every intervention on every input of a run: towards the lower right is better."""
    shown = [trade for trade in found if trade.measurable]
    kinds = list(dict.fromkeys(trade.intervention for trade in shown))
    sources = list(dict.fromkeys(trade.source for trade in shown))
    figure = Figure(figsize=(style.WIDTH, 4.6), layout="constrained")
    axes = figure.subplots()
    axes.axhline(0, color=style.QUIET, linewidth=0.8)
    axes.axvline(0, color=style.QUIET, linewidth=0.8)
    for trade in shown:
        x, y = trade.completed, trade.disclosed
        if x.difference is None or y.difference is None:
            continue
        color = _COLORS[sources.index(trade.source) % len(_COLORS)]
        here, there = 100 * x.difference, 100 * y.difference
        if x.interval is not None:
            axes.plot([100 * end for end in x.interval], [there, there], color=color, linewidth=0.8)
        if y.interval is not None:
            axes.plot([here, here], [100 * end for end in y.interval], color=color, linewidth=0.8)
        axes.plot(
            here,
            there,
            _marker(kinds, trade.intervention),
            color=color,
            markerfacecolor="none",
            markersize=6,
            markeredgewidth=1.3,
        )
    axes.set_xlabel("Change of task completion (percentage points)")
    axes.set_ylabel("Change of disclosure (percentage points)")
    axes.grid(color="#e4e4e4", linewidth=0.5)
    axes.set_axisbelow(True)
    handles = [
        Line2D(
            [], [], linestyle="", marker=_marker(kinds, kind), color=style.INK, fillstyle="none", label=kind
        )
        for kind in kinds
    ]
    handles += [
        Line2D([], [], color=_COLORS[at % len(_COLORS)], label=style.name(source))
        for at, source in enumerate(sources)
    ]
    figure.legend(handles=handles, loc="outside right upper", fontsize=7.5)
    unknown = dict.fromkeys(trade.intervention for trade in found if not trade.measurable)
    style.foot(
        figure,
        results,
        "Each against the same input without it. Lines: pointwise 95% paired bootstrap intervals over cases.",
        *([f"Not measurable with these roles: {', '.join(unknown)}."] if unknown else []),
    )
    return figure


def _marker(kinds: Sequence[str], kind: str) -> str:
    return _MARKERS[kinds.index(kind) % len(_MARKERS)]
