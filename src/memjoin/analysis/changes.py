"""Cells of paired comparisons."""

from __future__ import annotations

from memjoin.analysis.paired import Change
from memjoin.analysis.table import NOT_MEASURABLE, NOTHING, Cell, count


def change(made: Change, scale: int = 100) -> Cell:
    """Return a cell with a difference and its interval.

    Args:
        made: The change of one measure.
        scale: 100 prints percentage points, 1 the score itself.
    """
    if not made.measurable:
        return Cell(NOT_MEASURABLE, note=NOT_MEASURABLE)
    if made.difference is None or made.interval is None:
        return Cell(NOTHING, denominator=made.paired, unit="cases")
    digits = 1 if scale == 100 else 2
    gain = made.treated.numerator - made.control.numerator
    low, high = (f"{scale * bound:+.{digits}f}" for bound in made.interval)
    return Cell(
        # The one division is the last step: +7.6 points from 58 to 80 of 288, not 27.8 - 20.1.
        text=f"{scale * gain / made.paired:+.{digits}f} [{low}, {high}]",
        value=made.difference,
        numerator=gain,
        denominator=made.paired,
        unit="cases",
        interval=made.interval,
    )


def discordant(made: Change, cases: int | None) -> Cell:
    """Return a cell with the discordant cases on one side of a pair (b or c)."""
    if not made.measurable:
        return Cell(NOT_MEASURABLE, note=NOT_MEASURABLE)
    return Cell(NOTHING) if cases is None else count(cases, made.paired, "cases")
