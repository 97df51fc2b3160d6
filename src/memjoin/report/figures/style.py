"""How figures look: words as labels, shades that print in grey, no more ink than the figures need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from memjoin.analysis.bootstrap import Interval
from memjoin.analysis.design import EMBEDDED_LABEL
from memjoin.analysis.results import Results
from memjoin.analysis.table import counted_noun

INK = "#1a1a1a"
QUIET = "#6b6b6b"
DARK, LIGHT = "#5b8dbd", "#d5e3f0"
UP, DOWN = "#6a3d9a", "#00796b"
LEVELS = ("#ffffff", "#d5e3f0", "#a3c1dd", "#5b8dbd", "#123f6e")
"""A0 to A4, from light to dark: their order survives a grey printer and every kind of colour blindness."""

WIDTH = 7.0
"""Inches: the text width of a page."""

_RC: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": QUIET,
    "axes.linewidth": 0.6,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.size": 0,
    "legend.frameon": False,
    "svg.hashsalt": "memjoin",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    # The layout is worked out with the widths that words have at this resolution, unhinted, in all formats.
    "figure.dpi": 200,
    "savefig.dpi": 200,
    "text.hinting": "no_hinting",
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in our style, whatever the user's own is."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_RC)
        yield


def save(figure: Figure, path: Path) -> list[Path]:
    """Write a figure as ``PATH.svg``, ``.pdf`` and ``.png``, without the time of writing."""
    # The layout is worked out once, not for every format. (With the engine "none" each would be drawn twice.)
    figure.draw_without_rendering()
    figure.set_layout_engine(None)
    files = []
    for suffix, metadata in (
        ("svg", {"Date": None}),
        ("pdf", {"CreationDate": None}),
        ("png", {"Software": None}),
    ):
        file = path.with_suffix(f".{suffix}")
        figure.savefig(file, metadata=metadata)
        files.append(file)
    return files


def rows_figure(rows: float, columns: int = 1, shared: bool = True) -> tuple[Figure, list[Axes]]:
    """Return a figure of the page's width, high enough for so many rows, and its panels."""
    figure = Figure(figsize=(WIDTH, 1.7 + 0.24 * rows), layout="constrained")
    panels = figure.subplots(1, columns, sharey=shared, squeeze=False)
    return figure, [*panels[0]]


def name(title: str) -> str:
    """Return a system's title as it fits beside an axis; of a long one, such as a command, its end."""
    return title if len(title) <= _NAME else f"…{title[1 - _NAME :]}"


_NAME = 26


def intervals(
    axes: Axes, found: Sequence[tuple[float, Interval | None]], scale: float = 100, color: str = INK
) -> None:
    """Draw intervals as horizontal lines with ends: (place, interval) each; those without width are not."""
    wide = [(y, bounds) for y, bounds in found if bounds is not None and bounds[1] > bounds[0]]
    if wide:
        places = [y for y, _ in wide]
        low, high = ([scale * bounds[end] for _, bounds in wide] for end in (0, 1))
        middle = [(one + other) / 2 for one, other in zip(low, high, strict=True)]
        half = [(other - one) / 2 for one, other in zip(low, high, strict=True)]
        axes.errorbar(
            middle, places, xerr=half, fmt="none", ecolor=color, elinewidth=1.2, capsize=2.2, zorder=2.5
        )


def foot(figure: Figure, results: Results, *lines: str) -> None:
    """Say below the panels what they are of, and that embedded roles are no language model, if they are."""
    design = results.design
    cases, trials = counted_noun(len(design.cases), "case"), counted_noun(design.trials, "trial")
    base = f"N = {cases}, {trials} each: {counted_noun(design.answers, 'answer')} an input."
    said = [base, *lines, *([EMBEDDED_LABEL] if design.pipeline_only else [])]
    figure.supxlabel("\n".join(said), x=0.01, ha="left", fontsize=7.5, color=QUIET)
