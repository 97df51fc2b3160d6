"""Figure 3: availability, answers by level, and the change from Retrieved to All memory by family."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from memjoin.analysis.design import TITLES
from memjoin.analysis.figures import FamilyChange, View
from memjoin.analysis.results import Results
from memjoin.report.figures import style

_FILL = {TITLES["retrieved"]: style.DARK, TITLES["all"]: style.LIGHT}


def availability(results: Results, views: Sequence[View]) -> Figure:
    """Draw the share of inputs in which all target values are visible, with intervals (3a)."""
    places = _places(views)
    figure, (axes,) = style.rows_figure(len(views) + 0.5 * len({view.system for view in views}))
    for view, y in zip(views, places, strict=True):
        value = view.available.value
        if value is None:
            axes.text(1, y, "no input", va="center", color=style.QUIET)
            continue
        axes.barh(
            y, 100 * value, 0.8, color=_FILL[view.title], edgecolor=style.INK, linewidth=0.5, clip_on=False
        )
        end = max(value, *(view.available.interval or (0,)))
        axes.text(100 * end + 1.5, y, f"{100 * value:.1f}", va="center", fontsize=7.5)
    style.intervals(axes, [(y, view.available.interval) for view, y in zip(views, places, strict=True)])
    _systems(axes, results, views, places)
    _percent(axes, "Inputs in which service, site and date of the target are all visible (%)")
    axes.set_title("Availability of the target's values in the reader's input")
    figure.legend(
        handles=[Patch(facecolor=fill, edgecolor=style.INK, label=title) for title, fill in _used(views)],
        loc="outside upper left",
        ncols=2,
        borderaxespad=0,
    )
    style.foot(figure, results, "Lines: 95% bootstrap intervals over cases.")
    return figure


def composition(results: Results, views: Sequence[View]) -> Figure:
    """Draw the answers of each input by level, the complete relation (A4) first, with its interval (3b)."""
    places = _places(views)
    figure, (axes,) = style.rows_figure(len(views) + 0.5 * len({view.system for view in views}) + 0.6)
    for view, y in zip(views, places, strict=True):
        begin = 0.0
        for level in (4, 3, 2, 1, 0):
            value = view.levels[level].value
            if value is None:
                continue
            share = 100 * value
            axes.barh(
                *(y, share, 0.8, begin),
                color=style.LEVELS[level],
                edgecolor=style.INK,
                linewidth=0.4,
                clip_on=False,
            )
            if share >= 6:
                white = "white" if level >= 3 else style.INK
                axes.text(
                    begin + share / 2, y, f"{share:.0f}", ha="center", va="center", fontsize=7, color=white
                )
            begin += share
        if begin == 0:
            axes.text(1, y, "no judged answer", va="center", color=style.QUIET)
        axes.text(101.5, y, f"{view.title}, {view.a4.denominator} answers", va="center", fontsize=7)
    style.intervals(axes, [(y - 0.4, view.a4.interval) for view, y in zip(views, places, strict=True)])
    _systems(axes, results, views, places)
    _percent(axes, "Answers (%)")
    axes.set_title("Answers by how much of the relation they state")
    figure.legend(
        handles=[
            Patch(facecolor=style.LEVELS[level], edgecolor=style.INK, label=_LEVELS[level])
            for level in (4, 3, 2, 1, 0)
        ],
        loc="outside upper left",
        ncols=3,
        borderaxespad=0,
        fontsize=7.5,
    )
    style.foot(
        figure, results, "Lines on the upper edge: 95% bootstrap interval of the A4 share, over cases."
    )
    return figure


_LEVELS = {
    4: "A4: subject, service, site, date",
    3: "A3: subject, service, one more",
    2: "A2: subject and service",
    1: "A1: values, not bound",
    0: "A0: nothing of it",
}


def by_family(results: Results, families: Sequence[FamilyChange]) -> Figure:
    """Draw the change of the disclosure rate from Retrieved to All memory in each family (3c)."""
    figure, (axes,) = style.rows_figure(len(families) * 1.1 + 1.5)
    axes.axvline(0, color=style.QUIET, linewidth=0.8)
    largest = max((100 * abs(change.gain) / change.of for change in families if change.of), default=0) or 1
    style.intervals(axes, [(y, change.interval) for y, change in enumerate(families)], color=style.QUIET)
    for y, change in enumerate(families):
        if not change.of:
            axes.text(0, y, "no pair", va="center", color=style.QUIET)
            continue
        points = 100 * change.gain / change.of
        size = 20 + 110 * abs(points) / largest
        if change.gain > 0:
            axes.scatter(points, y, size, color=style.UP, zorder=3)
        elif change.gain < 0:
            axes.scatter(points, y, size, facecolor="white", edgecolor=style.DOWN, linewidth=1.4, zorder=3)
        else:
            axes.scatter(0, y, 22, marker="|", color=style.INK, linewidth=1.4, zorder=3)
    axes.set_yticks(range(len(families)), [fill(change.title, _TITLE) for change in families], fontsize=7)
    axes.set_ylim(len(families) - 0.4, -0.6)
    axes.set_xlabel("All memory minus Retrieved memory:\ncase disclosure rate (percentage points)")
    axes.set_title("Change of disclosure, by family of cases")
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.5)
    axes.set_axisbelow(True)
    figure.legend(
        handles=[
            Line2D([], [], marker="o", linestyle="", color=style.UP, label="increase"),
            Line2D(
                [], [], marker="o", linestyle="", markerfacecolor="white", color=style.DOWN, label="decrease"
            ),
            Line2D([], [], marker="|", linestyle="", color=style.INK, label="no change"),
        ],
        loc="outside upper left",
        ncols=3,
        borderaxespad=0,
    )
    least, most = min(change.of for change in families), max(change.of for change in families)
    many = str(most) if least == most else f"{least} to {most}"
    style.foot(
        figure,
        results,
        f"{len(results.design.systems)} systems pooled: {many} pairs of a case and a system in each family.",
        "Area: size of the change. Lines: 95% bootstrap intervals over the family's cases; with so few they "
        "are rough.",
    )
    return figure


_TITLE = 36
"""Characters of a line of a family's title."""


def _places(views: Sequence[View]) -> list[float]:
    """Return where rows stand: a system's views together, half a row between systems."""
    places, y = [], 0.0
    for _, members in groupby(views, key=lambda view: view.system):
        for _ in members:
            places.append(y)
            y += 1
        y += 0.5
    return places


def _systems(axes: Axes, results: Results, views: Sequence[View], places: Sequence[float]) -> None:
    by_system: dict[str, list[float]] = {}
    for view, y in zip(views, places, strict=True):
        by_system.setdefault(view.system, []).append(y)
    axes.set_yticks(
        [sum(ys) / len(ys) for ys in by_system.values()],
        [style.name(results.design.system_title(name)) for name in by_system],
    )
    axes.set_ylim(places[-1] + 0.6, -0.7)


def _percent(axes: Axes, label: str) -> None:
    axes.set_xlim(0, 100)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel(label)


def _used(views: Sequence[View]) -> list[tuple[str, str]]:
    titles = {view.title for view in views}
    return [(title, fill) for title, fill in _FILL.items() if title in titles]
