"""A rate as sums over cases, and the measured rate with its counts and intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from memjoin.analysis.bootstrap import Draws, Interval, Ratios, exact_interval
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

    def of(self, cases: Flags) -> PerCase:
        """Return what the given cases alone add, without a place for the others."""
        return replace(self, numerators=self.numerators[cases], denominators=self.denominators[cases])


def not_measurable(unit: Unit, cases: int) -> PerCase:
    """Return a rate of which nothing can be counted in any of the cases."""
    nothing = np.zeros(cases, np.int32)
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


def measured(keys: Iterable[Key], per_case: Callable[[Key], PerCase], drawn: Draws) -> dict[Key, Rate]:
    """Sum each rate over the cases, and give it its intervals.

    Args:
        keys: The rates' names.
        per_case: Returns a rate of that name, over the cases that are drawn. Each is asked for once and not
            kept.
        drawn: The bootstrap's draws of the cases.
    """
    everyone = np.ones(drawn.cases, np.bool_)
    found = measured_by_group(keys, per_case, {"": everyone}, drawn)
    return {key: rate for (_, key), rate in found.items()}


def measured_by_group(
    keys: Iterable[Key], per_case: Callable[[Key], PerCase], groups: Mapping[str, Flags], drawn: Draws
) -> dict[tuple[str, Key], Rate]:
    """Sum each rate over the cases of each group, and give it its intervals. As ``measured``."""
    names = list(keys)
    ratios = Ratios(drawn, len(names))
    rates: dict[tuple[str, Key], Rate] = {}
    countable: list[Key] = []
    for key in names:
        rate = per_case(key)
        rates |= {(group, key): counted(rate.of(cases)) for group, cases in groups.items()}
        if rate.measurable:
            countable.append(key)
            ratios.add(rate.numerators, rate.scale * rate.denominators)
    if countable and groups:
        for group, intervals in zip(groups, ratios.intervals(list(groups.values())), strict=True):
            for key, interval in zip(countable, intervals, strict=True):
                rates[group, key] = replace(rates[group, key], interval=interval)
    return rates


def counted(per_case: PerCase) -> Rate:
    """Sum a rate over the cases, without intervals."""
    if not per_case.measurable:
        return Rate(0, 0, per_case.unit, measurable=False)
    top, bottom = int(per_case.numerators.sum()), int(per_case.denominators.sum())
    return Rate(
        numerator=top if per_case.scale == 1 else top / per_case.scale,
        denominator=bottom,
        unit=per_case.unit,
        exact=exact_interval(top, bottom) if bottom and _yes_or_no(per_case) else None,
    )


def _yes_or_no(per_case: PerCase) -> bool:
    """Tell whether every case adds one yes or no, or nothing: then, and only then, it is a binomial share."""
    if per_case.graded or per_case.scale != 1:
        return False
    top, bottom = per_case.numerators, per_case.denominators
    return bool(np.all(bottom <= 1) and np.all(top <= bottom))
