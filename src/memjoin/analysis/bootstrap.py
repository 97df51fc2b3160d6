"""Intervals: the percentile bootstrap over cases, and the exact one of Clopper and Pearson.

A rate here is a ratio of sums over cases, so that one matrix, how often each resample draws each case, serves
every rate of a run: a resampled rate is one row of the matrix times the cases' numerators, over the same row
times their denominators. Arms of a pair are drawn together in this way. The matrix is made in blocks of rows,
and what is multiplied with it is held as short numbers, so that memory hardly grows with the number of cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

Floats: TypeAlias = npt.NDArray[np.floating]
Counts: TypeAlias = npt.NDArray[np.signedinteger]
Flags: TypeAlias = npt.NDArray[np.bool_]
Interval: TypeAlias = tuple[float, float]

LEVEL = 0.95

BLOCK = 4_000_000
"""Entries of the matrix that are held at once: 16 MB. The draws do not depend on it."""

_AT_ONCE = 250_000
"""Entries that are drawn at once; each takes some 24 bytes while it is."""

_EXACT = 1 << 24
"""Whole numbers up to this are exact as floats of four bytes."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The bootstrap's draws: ``resamples`` times as many cases as there are, with replacement.

    They are those of ``scipy.stats.bootstrap`` with the generator ``numpy.random.default_rng(seed)``.
    """

    cases: int
    resamples: int
    seed: int

    def blocks(self) -> Iterator[npt.NDArray[np.float32]]:
        """Yield how often each resample draws each case, shape (some resamples, cases) a block.

        Whole numbers, held as floats: sums of whole numbers over them are exact in any order. A block holds
        until the next is asked for.
        """
        if self.cases * self.resamples <= BLOCK:
            yield _whole(self)
            return
        yield from self._fresh(max(1, BLOCK // self.cases))

    def _fresh(self, rows: int) -> Iterator[npt.NDArray[np.float32]]:
        generator = np.random.default_rng(self.seed)
        matrix = np.empty((min(rows, self.resamples), self.cases), np.float32)
        for begin in range(0, self.resamples, rows):
            block = matrix[: min(rows, self.resamples - begin)]
            for piece in np.array_split(block, -(-block.size // _AT_ONCE)):
                many = len(piece)
                drawn = generator.integers(0, self.cases, (many, self.cases))
                drawn += self.cases * np.arange(many)[:, None]
                piece[:] = np.bincount(drawn.ravel(), minlength=piece.size).reshape(piece.shape)
            yield block


@lru_cache(maxsize=2)
def _whole(draws: Draws) -> npt.NDArray[np.float32]:
    (matrix,) = draws._fresh(draws.resamples)
    matrix.flags.writeable = False
    return matrix


class Ratios:
    """Ratios of sums over cases, gathered one by one, whose intervals are then found together.

    Args:
        drawn: The draws of the cases.
        room: How many ratios there will be at most.
    """

    def __init__(self, drawn: Draws, room: int) -> None:
        self._drawn = drawn
        self._tops = np.empty((drawn.cases, room), np.float32, order="F")
        self._bottoms: list[npt.NDArray[np.float32]] = []
        self._which: list[int] = []
        self._known: dict[bytes, int] = {}
        self._largest = 0

    def add(self, numerators: Counts, denominators: Counts) -> None:
        """Take what each case adds to a ratio, shape (cases,) each; whole numbers below 2 ** 24."""
        self._tops[:, len(self._which)] = numerators
        bottom = denominators.astype(np.float32)
        # Most rates of a table have one and the same denominator: each is drawn once.
        digest = blake2b(bottom.tobytes()).digest()
        place = self._known.setdefault(digest, len(self._bottoms))
        if place == len(self._bottoms):
            self._bottoms.append(bottom)
        self._which.append(place)
        for each in (numerators, denominators):
            self._largest = max(self._largest, int(np.abs(each).max(initial=0)))

    def intervals(self, groups: Sequence[Flags] = ()) -> list[list[Interval | None]]:
        """Return the 95% percentile bootstrap interval of each ratio, in the order in which they came.

        Args:
            groups: Cases, shape (cases,) each. Cases are always drawn from all.

        Returns:
            A list for each group, or one of all cases where there is none. A resample that draws no case
            with a denominator says nothing of that ratio and is left out; None where none draws one.
        """
        # Sums that could pass what four bytes can hold exactly are made with eight.
        precise = self._largest * self._drawn.cases >= _EXACT
        parts = [slice(None) if group.all() else np.flatnonzero(group) for group in groups] or [slice(None)]
        tops: Floats = self._tops[:, : len(self._which)]
        bottoms: Floats = np.stack(self._bottoms, axis=1) if self._bottoms else tops
        if precise:
            tops, bottoms = tops.astype(np.float64), bottoms.astype(np.float64)
        shape = (len(parts), self._drawn.resamples)
        above = np.empty((*shape, tops.shape[1]), tops.dtype)
        below = np.empty((*shape, bottoms.shape[1]), tops.dtype)
        end = 0
        for block in self._drawn.blocks():
            begin, end = end, end + len(block)
            for at, part in enumerate(parts):
                weights: Floats = block[:, part]
                if precise:
                    weights = weights.astype(np.float64)
                above[at, begin:end] = weights @ tops[part]
                below[at, begin:end] = weights @ bottoms[part]
        return [
            [_interval(top[:, at], bottom[:, place]) for at, place in enumerate(self._which)]
            for top, bottom in zip(above, below, strict=True)
        ]


def _interval(top: Floats, bottom: Floats) -> Interval | None:
    drew = bottom > 0
    if not drew.any():
        return None
    tails = (100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2)
    low, high = np.percentile(top[drew].astype(np.float64) / bottom[drew], tails)
    return float(low), float(high)


def percentile_intervals(
    drawn: Draws, numerators: npt.NDArray[np.int64], denominators: npt.NDArray[np.int64]
) -> list[Interval | None]:
    """Return the 95% percentile bootstrap interval of each ratio of sums over cases.

    Args:
        drawn: The draws of the cases.
        numerators: What each case adds, shape (cases, ratios).
        denominators: The same.

    Returns:
        (low, high) for each ratio, as ``Ratios.intervals`` gives them.
    """
    ratios = Ratios(drawn, numerators.shape[1])
    for top, bottom in zip(numerators.T, denominators.T, strict=True):
        ratios.add(top, bottom)
    return ratios.intervals()[0]


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
