"""Agreement of judges: raw, and Krippendorff's alpha, which takes away what chance alone would give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Scale: TypeAlias = Literal["nominal", "ordinal"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two or more raters agree on units.

    ``units`` are those that at least two of them rated, ``equal`` those on which all of these said the same.
    ``alpha`` is Krippendorff's: 1 where all agree, 0 where they agree as by chance; None where there is no
    unit, or where one and the same value is all that anybody said, so that nothing was told apart.
    """

    units: int
    equal: int
    alpha: float | None


def agreement(ratings: Sequence[Sequence[int | None]], scale: Scale = "nominal") -> Agreement:
    """Return how far raters agree (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011).

    Args:
        ratings: For each unit what each rater said of it; None where one said nothing.
        scale: ``ordinal`` for grades and levels, where a difference of two is worse than one of one.
    """
    units = [[value for value in unit if value is not None] for unit in ratings]
    units = [unit for unit in units if len(unit) > 1]
    equal = sum(len(set(unit)) == 1 for unit in units)
    weights: dict[tuple[int, int], float] = {}
    for unit in units:
        for at, one in enumerate(unit):
            for place, other in enumerate(unit):
                if at != place:
                    weights[one, other] = weights.get((one, other), 0.0) + 1 / (len(unit) - 1)
    totals: dict[int, float] = {}
    for (one, _), weight in weights.items():
        totals[one] = totals.get(one, 0.0) + weight
    distance = _distance(totals, scale)
    whole = sum(totals.values())
    observed = sum(weight * distance(one, other) for (one, other), weight in weights.items())
    expected = sum(totals[one] * totals[other] * distance(one, other) for one in totals for other in totals)
    alpha = None if not expected else 1 - (whole - 1) * observed / expected
    return Agreement(len(units), equal, alpha)


def _distance(totals: dict[int, float], scale: Scale) -> Callable[[int, int], float]:
    """Return the squared distance of two values: 0 or 1, or by how many ratings lie between them."""
    if scale == "nominal":
        return lambda one, other: float(one != other)
    ranked = sorted(totals)

    def between(one: int, other: int) -> float:
        low, high = sorted((one, other))
        inside = sum(totals[value] for value in ranked if low <= value <= high)
        return (inside - (totals[low] + totals[high]) / 2) ** 2

    return between
