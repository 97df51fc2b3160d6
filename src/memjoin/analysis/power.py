"""What a comparison could have shown: the power of the exact McNemar test, and the difference it detects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, gammaln

ALPHA = 0.05
POWER = 0.8
DISCORDANCES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
"""The range that is reported where nobody knows the discordance."""

_TAIL = 1e-12
_STEPS = 40


@dataclass(frozen=True, slots=True)
class Detectable:
    """The smallest difference that a comparison detects.

    ``difference`` is that of two case rates, as a fraction; None where so few cases detect none at all.
    ``discordance`` is the share of cases that come out differently in the two arms. Where a difference needs
    more than was assumed it is raised to the difference: then all discordant cases are on one side.
    """

    cases: int
    assumed: float
    discordance: float
    difference: float | None


def power(cases: int, discordance: float, difference: float, alpha: float = ALPHA) -> float:
    """Return the probability that the two-sided exact McNemar test rejects, before any case is run.

    The number of discordant cases is binomial; given it, so is that on either side.

    Args:
        cases: Paired cases.
        discordance: Share of cases that come out differently in the two arms.
        difference: Difference of the two case rates, in absolute value at most the discordance.
        alpha: Level of the test.

    Raises:
        ValueError: A number is out of its range.
    """
    if cases < 1 or not 0 < alpha < 1 or not abs(difference) <= discordance <= 1:
        raise ValueError(f"no power for {cases} cases, discordance {discordance}, difference {difference}")
    if discordance == 0:
        return 0.0
    counts, chances = _binomial(cases, discordance)
    critical = _critical(counts, alpha)
    share = (1 + abs(difference) / discordance) / 2
    tests = critical >= 0
    at, of = critical[tests].astype(np.float64), counts[tests]
    rejects = bdtr(at, of, share) + bdtr(at, of, 1 - share)
    return float(np.sum(chances[tests] * np.minimum(rejects, 1.0)))


def detectable(cases: int, discordance: float, alpha: float = ALPHA, at_power: float = POWER) -> Detectable:
    """Return the smallest difference that the exact McNemar test finds with the given power.

    Args:
        cases: Paired cases.
        discordance: Share of cases that come out differently in the two arms; see ``Detectable``.
        alpha: Level of the test; of m comparisons under Holm's correction, at least alpha / m.
        at_power: The probability of finding it.

    Raises:
        ValueError: A number is out of its range.
    """
    if not 0 < at_power < 1:
        raise ValueError(f"a power of {at_power} is none: it lies between 0 and 1")
    if power(cases, 1.0, 1.0, alpha) < at_power:
        return Detectable(cases, discordance, discordance, None)
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if power(cases, max(discordance, middle), middle, alpha) >= at_power:
            high = middle
        else:
            low = middle
    return Detectable(cases, discordance, max(discordance, high), high)


def _binomial(of: int, chance: float) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the counts that a binomial variable takes with more than a tiny chance, and the chances."""
    if chance == 1:
        return np.array([of]), np.array([1.0])
    spread = 10 * np.sqrt(of * chance * (1 - chance)) + 30
    counts = np.arange(max(0, int(of * chance - spread)), min(of, int(of * chance + spread)) + 1)
    logs = gammaln(of + 1) - gammaln(counts + 1) - gammaln(of - counts + 1)
    chances = np.exp(logs + counts * np.log(chance) + (of - counts) * np.log1p(-chance))
    kept = chances > _TAIL
    return counts[kept], chances[kept]


def _critical(counts: npt.NDArray[np.int64], alpha: float) -> npt.NDArray[np.int64]:
    """Return for each number of discordant cases the most on the smaller side that rejects; -1: none."""
    low = np.full(len(counts), -1, dtype=np.int64)
    high = counts // 2 + 1
    while np.any(high - low > 1):
        middle = np.maximum((low + high) // 2, 0)
        rejects = 2 * bdtr(middle.astype(np.float64), counts, 0.5) <= alpha
        open_ = high - low > 1
        low, high = np.where(open_ & rejects, middle, low), np.where(open_ & ~rejects, middle, high)
    return low
