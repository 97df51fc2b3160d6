"""Intervals: the percentile bootstrap over cases, and the exact one of Clopper and Pearson.

A rate here is a ratio of sums over cases, so that one matrix, how often each resample draws each case, serves
every rate of a run: a resampled rate is one row of the matrix times the cases' numerators, over the same row
times their denominators. Arms of a pair are drawn together in this way. The matrix is made in blocks of rows,
so that memory does not grow with the number of cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

Weights: TypeAlias = npt.NDArray[np.float64]
Interval: TypeAlias = tuple[float, float]

LEVEL = 0.95

BLOCK = 4_000_000
"""Entries of the matrix that are held at once: 32 MB. The draws do not depend on it."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The bootstrap's draws: ``resamples`` times as many cases as there are, with replacement.

    They are those of ``scipy.stats.bootstrap`` with the generator ``numpy.random.default_rng(seed)``.
    """

    cases: int
    resamples: int
    seed: int

    def blocks(self) -> Iterator[Weights]:
        """Yield how often each resample draws each case, shape (some resamples, cases) a block.

        Whole numbers, held as floats: sums of whole numbers over them are exact in any order.
        """
        if self.cases * self.resamples <= BLOCK:
            yield _whole(self)
            return
        yield from self._fresh(max(1, BLOCK // self.cases))

    def _fresh(self, rows: int) -> Iterator[Weights]:
        generator = np.random.default_rng(self.seed)
        for begin in range(0, self.resamples, rows):
            many = min(rows, self.resamples - begin)
            drawn = generator.integers(0, self.cases, (many, self.cases))
            flat = (drawn + self.cases * np.arange(many)[:, None]).ravel()
            counts = np.bincount(flat, minlength=many * self.cases).reshape(many, self.cases)
            yield counts.astype(np.float64)


@lru_cache(maxsize=2)
def _whole(draws: Draws) -> Weights:
    (matrix,) = draws._fresh(draws.resamples)
    matrix.flags.writeable = False
    return matrix


def percentile_intervals(
    drawn: Draws, numerators: npt.NDArray[np.int64], denominators: npt.NDArray[np.int64]
) -> list[Interval | None]:
    """Return the 95% percentile bootstrap interval of each ratio of sums over cases.

    Args:
        drawn: The draws of the cases.
        numerators: What each case adds, shape (cases, ratios).
        denominators: The same.

    Returns:
        (low, high) for each ratio. A resample that draws no case with a denominator says nothing of that
        ratio and is left out; None where none draws one.
    """
    above, below = numerators.astype(np.float64), denominators.astype(np.float64)
    # Most rates of a table have one and the same denominator: each is drawn once.
    below, which = np.unique(below, axis=1, return_inverse=True)
    pieces = [(block @ above, block @ below) for block in drawn.blocks()]
    tops, bottoms = (np.concatenate(each) for each in zip(*pieces, strict=True))
    tails = (100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2)
    intervals: list[Interval | None] = []
    for top, at in zip(tops.T, which.ravel(), strict=True):
        bottom = bottoms[:, at]
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
