"""A rate as sums over cases, and the measured rate with its counts and intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from memjoin.analysis.bootstrap import Draws, Interval, exact_interval, percentile_intervals
from memjoin.analysis.frame import Counts, Flags

Unit: TypeAlias = Literal["answers", "cases", "clues", "pairs of answers"]
Key = TypeVar("Key")


@dataclass(frozen=True)
class PerCase:
    """What each case adds to a rate, shape (cases,) each: the rate is the ratio of the sums.

    Both are whole numbers. ``scale`` divides the numerators, where a case's part is a mean over its trials.
    ``graded`` is true where an answer adds a grade and not a yes or no. ``measurable`` is false where the
    roles of the run leave nothing to count.
    """

    numerators: Counts
    denominators: Counts
    unit: Unit
    scale: int = 1
    graded: bool = False
    measurable: bool = True

    def among(self, cases: Flags) -> PerCase:
        """Return what the given cases alone add."""
        return replace(
            self,
            numerators=np.where(cases, self.numerators, 0),
            denominators=np.where(cases, self.denominators, 0),
        )


def not_measurable(unit: Unit, cases: int) -> PerCase:
    """Return a rate of which nothing can be counted in any of the cases."""
    nothing = np.zeros(cases, np.int64)
    return PerCase(nothing, nothing, unit, measurable=False)


@dataclass(frozen=True)
class Rate:
    """A measured rate.

    ``value`` is None where the denominator is zero, and where the measure is not measurable. ``numerator``
    is a whole number, but for means over cases of a mean over trials. ``interval`` is the 95% percentile
    bootstrap interval over cases. ``exact`` is the 95% Clopper-Pearson interval, given where every case
    adds one independent yes or no.
    """

    numerator: float
    denominator: int
    unit: Unit
    measurable: bool = True
    interval: Interval | None = None
    exact: Interval | None = None

    @property
    def value(self) -> float | None:
        """The rate, unrounded."""
        return self.numerator / self.denominator if self.measurable and self.denominator else None


def measured(per_case: Mapping[Key, PerCase], drawn: Draws) -> dict[Key, Rate]:
    """Sum each rate over the cases, and give it its intervals.

    Args:
        per_case: The rates, over the cases that are drawn.
        drawn: The bootstrap's draws of the cases.
    """
    countable = [key for key, rate in per_case.items() if rate.measurable]
    intervals: dict[Key, Interval | None] = {}
    if countable:
        numerators = np.stack([per_case[key].numerators for key in countable], axis=1)
        denominators = np.stack(
            [per_case[key].scale * per_case[key].denominators for key in countable], axis=1
        )
        intervals = dict(zip(countable, percentile_intervals(drawn, numerators, denominators), strict=True))
    return {key: _rate(rate, intervals.get(key)) for key, rate in per_case.items()}


def counted(per_case: PerCase) -> Rate:
    """Sum a rate over the cases, without intervals."""
    return _rate(per_case, None)


def _rate(per_case: PerCase, interval: Interval | None) -> Rate:
    if not per_case.measurable:
        return Rate(0, 0, per_case.unit, measurable=False)
    top, bottom = int(per_case.numerators.sum()), int(per_case.denominators.sum())
    return Rate(
        numerator=top if per_case.scale == 1 else top / per_case.scale,
        denominator=bottom,
        unit=per_case.unit,
        interval=interval,
        exact=exact_interval(top, bottom) if bottom and _yes_or_no(per_case) else None,
    )


def _yes_or_no(per_case: PerCase) -> bool:
    """Tell whether every case adds one yes or no, or nothing: then, and only then, it is a binomial share."""
    if per_case.graded or per_case.scale != 1:
        return False
    top, bottom = per_case.numerators, per_case.denominators
    return bool(np.all(bottom <= 1) and np.all(top <= bottom))
