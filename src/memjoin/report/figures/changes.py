"""Figure 4: what a privacy instruction and an output filter change, each against its own baseline."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from memjoin.analysis.design import INTERVENTIONS
from memjoin.analysis.figures import Shift
from memjoin.analysis.outcomes import COMPARED
from memjoin.analysis.results import Results
from memjoin.report.figures import style

_PANELS = ("disclosed", "refusal", "completed")
_FILTERS, _INSTRUCTIONS = "sD^vP", "oX<>*"
"""Markers: an instruction is filled, a filter hollow, and each has a shape of its own. So they are told apart
without colour."""


def shifts(results: Results, found: Sequence[Shift]) -> Figure:
    """Draw changes of disclosure, refusal and task completion with their paired intervals (4)."""
    known = {shift.intervention for shift in found if shift.measurable}
    lacking = sorted({shift.intervention for shift in found} - known)
    found = [shift for shift in found if shift.intervention in known]
    systems = list(dict.fromkeys(shift.system for shift in found))
    kinds = list(
        dict.fromkeys(shift.intervention for shift in sorted(found, key=lambda each: each.intervention))
    )
    figure, panels = style.rows_figure(len(systems) * max(1.0, 0.75 * len(kinds)) + 1, columns=len(_PANELS))
    for axes, name in zip(panels, _PANELS, strict=True):
        axes.axvline(0, color=style.QUIET, linewidth=0.8)
        drawn = False
        for shift in found:
            y = systems.index(shift.system) + _offset(kinds.index(shift.intervention), len(kinds))
            change = shift.changes[name]
            if change.difference is None:
                continue
            drawn = True
            marker, color, fill = _mark(found, shift.intervention)
            scale = COMPARED[name].scale
            style.intervals(axes, [(y, change.interval)], scale, color)
            axes.plot(
                scale * change.difference,
                y,
                marker,
                color=color,
                markerfacecolor=fill,
                markersize=5,
                markeredgewidth=1.3,
                zorder=3,
            )
        if not drawn:
            axes.text(0.5, 0.5, "not measurable", ha="center", color=style.QUIET, transform=axes.transAxes)
            axes.set_xticks([])
        axes.set_title(COMPARED[name].long_title)
        axes.set_xlabel("After minus before\n(percentage points)")
        axes.grid(axis="x", color="#e4e4e4", linewidth=0.5)
        axes.set_axisbelow(True)
    panels[0].set_yticks(
        range(len(systems)), [style.name(results.design.system_title(system)) for system in systems]
    )
    panels[0].set_ylim(len(systems) - 0.5, -0.5)
    figure.legend(
        handles=[_handle(found, kind) for kind in kinds], loc="outside upper left", ncols=2, borderaxespad=0
    )
    pairs = sorted({shift.paired for shift in found})
    many = str(pairs[0]) if len(pairs) == 1 else f"{pairs[0]} to {pairs[-1]}"
    style.foot(
        figure,
        results,
        f"Each against Retrieved memory without it, over {many} cases complete in both.",
        "Lines: pointwise 95% paired bootstrap intervals over cases.",
        *([f"Not measurable with these roles: {', '.join(lacking)}."] if lacking else []),
    )
    return figure


def _offset(at: int, of: int) -> float:
    return 0.0 if of == 1 else 0.36 * (at / (of - 1) - 0.5) * 1.2


def _mark(found: Sequence[Shift], intervention: str) -> tuple[str, str, str]:
    """Return the marker of an intervention, its colour and its fill."""
    filters = {shift.intervention: shift.filters for shift in found}
    alike = sorted(name for name in filters if filters[name] == filters[intervention])
    at = alike.index(intervention)
    if filters[intervention]:
        return _FILTERS[at % len(_FILTERS)], style.DOWN, "white"
    return _INSTRUCTIONS[at % len(_INSTRUCTIONS)], style.UP, style.UP


def _handle(found: Sequence[Shift], intervention: str) -> Line2D:
    marker, color, fill = _mark(found, intervention)
    title = INTERVENTIONS.get(intervention.partition(":")[0])
    label = f"{title} ({intervention})" if title else intervention
    return Line2D([], [], marker=marker, linestyle="-", color=color, markerfacecolor=fill, label=label)
