"""The figures of a run, drawn: Figures 3a, 3b, 3c and 4 of the paper's form and the interventions' trade-off,
as SVG, PDF and PNG.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memjoin.analysis import figures as data
from memjoin.analysis.results import Results
from memjoin.analysis.tradeoffs import trade_offs
from memjoin.errors import MemJoinError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Figures:
    """The files that were written, and what could not be drawn: (name, why)."""

    written: tuple[Path, ...]
    missing: tuple[tuple[str, str], ...]


def write_figures(results: Results, folder: Path) -> Figures:
    """Draw every figure that a run has the conditions for, and write each as SVG, PDF and PNG.

    The same results give the same bytes with the same version of matplotlib.

    Args:
        results: What the run found.
        folder: Where to; made if it does not exist.

    Raises:
        MemJoinError: A file cannot be written.
    """
    # Importing matplotlib takes longer than all statistics of a small run.
    from memjoin.report.figures import changes, style, tradeoff, views

    seen, families, shifts = data.views(results), data.family_changes(results), data.shifts(results)
    trades = trade_offs(results)
    drawings: tuple[tuple[str, bool, Callable[[], Figure], str], ...] = (
        ("figure-3a", bool(seen), lambda: views.availability(results, seen), _VIEWS),
        ("figure-3b", bool(seen), lambda: views.composition(results, seen), _VIEWS),
        ("figure-3c", bool(families), lambda: views.by_family(results, families), _BOTH),
        (
            "figure-4",
            any(shift.measurable for shift in shifts),
            lambda: changes.shifts(results, shifts),
            _SHIFTS,
        ),
        (
            "trade-off",
            any(trade.measurable for trade in trades),
            lambda: tradeoff.trade_offs(results, trades),
            _TRADES,
        ),
    )
    written: list[Path] = []
    missing: list[tuple[str, str]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, possible, draw, needs in drawings:
            if not possible:
                missing.append((name, needs))
                continue
            with style.styled():
                written += style.save(draw(), folder / name)
    except OSError as error:
        raise MemJoinError(
            f"{error.filename or folder}: cannot be written: {error.strerror}",
            "Free space on the disk or make the folder writable, and run the same command again.",
        ) from error
    return Figures(tuple(written), tuple(missing))


_VIEWS = "the run needs a memory system under retrieved or all"
_BOTH = "the run needs a memory system under retrieved and all"
_TRADES = "the run needs an intervention whose effect its roles can measure, and the same input without it"
_SHIFTS = "the run needs M1 or a filter of answers on retrieved, and roles that can measure its effect"
