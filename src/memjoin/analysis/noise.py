"""The noise floor: how often the same case, asked again, comes out otherwise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memjoin.analysis.frame import UNKNOWN, Arm, Counts, Flags
from memjoin.analysis.rates import PerCase, Rate, counted


@dataclass(frozen=True, slots=True)
class Flips:
    """How often two answers to one case disagree on whether they state the complete relation (Y).

    ``within``: two different trials of one arm, over both arms; there is no denominator with one trial.
    ``between``: a trial of one arm and a trial of the other. Both are shares of pairs of answers. If the arms
    do not differ, the two agree but for chance, so that ``within`` is the floor under ``between``.
    """

    within: Rate
    between: Rate


def flips(one: Arm, other: Arm, cases: Flags) -> Flips:
    """Return how often trials disagree within two arms and between them.

    Args:
        one: An arm.
        other: Another, of the same cases and as many trials.
        cases: The cases to count, complete in both.
    """
    trials = one.level.shape[1]
    judged = cases & np.all((one.level != UNKNOWN) & (other.level != UNKNOWN), axis=1)
    first, second = _positive(one), _positive(other)
    within = first * (trials - first) + second * (trials - second)
    between = first * (trials - second) + second * (trials - first)
    return Flips(
        within=_rate(within, trials * (trials - 1), judged), between=_rate(between, trials**2, judged)
    )


def _positive(arm: Arm) -> Counts:
    counts: Counts = np.sum(arm.level == 4, axis=1, dtype=np.int64)
    return counts


def _rate(disagree: Counts, pairs: int, cases: Flags) -> Rate:
    numerators, denominators = np.where(cases, disagree, 0), np.where(cases, pairs, 0)
    return counted(PerCase(numerators, denominators, "pairs of answers"))
