"""Intervals: the percentile bootstrap over cases, and the exact one of Clopper and Pearson.

A rate here is a ratio of sums over cases, so that one matrix, how often each resample draws each case, serves
every rate of a run: a resampled rate is one row of the matrix times the cases' numerators, over the same row
times their denominators. Arms of a pair are drawn together in this way.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

Weights: TypeAlias = npt.NDArray[np.float64]
Interval: TypeAlias = tuple[float, float]

LEVEL = 0.95


@lru_cache(maxsize=4)
def weights(cases: int, resamples: int, seed: int) -> Weights:
    """Return how often each resample draws each case, shape (resamples, cases).

    The draws are those of ``scipy.stats.bootstrap`` with the generator ``numpy.random.default_rng(seed)``.
    Whole numbers, held as floats: sums of whole numbers over them are exact in any order.
    """
    drawn = np.random.default_rng(seed).integers(0, cases, (resamples, cases))
    flat = (drawn + cases * np.arange(resamples)[:, None]).ravel()
    counts = np.bincount(flat, minlength=resamples * cases).reshape(resamples, cases)
    matrix: Weights = counts.astype(np.float64)
    matrix.flags.writeable = False
    return matrix


def percentile_intervals(
    drawn: Weights, numerators: npt.NDArray[np.int64], denominators: npt.NDArray[np.int64]
) -> list[Interval | None]:
    """Return the 95% percentile bootstrap interval of each ratio of sums over cases.

    Args:
        drawn: From ``weights``, shape (resamples, cases).
        numerators: What each case adds, shape (cases, ratios).
        denominators: The same.

    Returns:
        (low, high) for each ratio. A resample that draws no case with a denominator says nothing of that
        ratio and is left out; None where none draws one.
    """
    tops, bottoms = drawn @ numerators.astype(np.float64), drawn @ denominators.astype(np.float64)
    tails = (100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2)
    intervals: list[Interval | None] = []
    for top, bottom in zip(tops.T, bottoms.T, strict=True):
        drew = bottom > 0
        if not drew.any():
            intervals.append(None)
            continue
        low, high = np.percentile(top[drew] / bottom[drew], tails)
        intervals.append((float(low), float(high)))
    return intervals


def exact_interval(count: int, of: int) -> Interval:
    """Return the 95% Clopper-Pearson interval of ``count`` of ``of`` independent cases.

    Raises:
        ValueError: ``of`` is not positive, or ``count`` is not from 0 to ``of``.
    """
    if of < 1 or not 0 <= count <= of:
        raise ValueError(f"there is no interval for {count} of {of}")
    tail = (1 - LEVEL) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, of - count + 1, tail))
    high = 1.0 if count == of else float(betaincinv(count + 1, of - count, 1 - tail))
    return low, high
