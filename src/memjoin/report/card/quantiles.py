"""A few numbers in place of many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Least, tenth, median, ninetieth and highest value in percent of the ranks, and the mean."""

    least: float
    p10: float
    median: float
    p90: float
    most: float
    mean: float


def quantiles(numbers: Iterable[float]) -> Quantiles:
    """Return the quantiles of some numbers, interpolated between neighbours; zeros for none."""
    import numpy as np

    values = np.asarray(list(numbers) or [0.0], dtype=np.float64)
    least, p10, median, p90, most = np.quantile(values, (0, 0.1, 0.5, 0.9, 1)).tolist()
    return Quantiles(least, p10, median, p90, most, float(values.mean()))
