"""Paired comparisons: exact McNemar tests, and Holm's correction within a family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import TypeAlias

import numpy as np

from memjoin.analysis.bootstrap import Interval, Weights, percentile_intervals
from memjoin.analysis.frame import Arm, Frame
from memjoin.analysis.rates import PerCase

ArmKey: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Comparison:
    """One outcome of cases in two arms, over the cases that are complete in both.

    ``treated`` and ``control`` are (system, condition). ``planned`` is the number of cases of the design,
    ``paired`` of those complete in both arms. The counts of positive cases are over the latter: of each arm,
    of those positive in the treated arm only (``b``), and in the control arm only (``c``). ``difference`` is
    treated minus control, a share of the paired cases, with its 95% bootstrap interval. ``p`` is McNemar's
    exact p value, ``adjusted`` the one after Holm. All three are None where no case is paired.
    """

    treated: ArmKey
    control: ArmKey
    planned: int
    paired: int
    treated_count: int
    control_count: int
    b: int
    c: int
    difference: float | None
    interval: Interval | None
    p: float | None
    adjusted: float | None


def compare(
    frame: Frame,
    pairs: Sequence[tuple[ArmKey, ArmKey]],
    outcome: Callable[[Arm], PerCase],
    drawn: Weights,
) -> list[Comparison]:
    """Compare a family of planned pairs of arms.

    Args:
        frame: The verdicts.
        pairs: (treated, control) of every comparison that was planned; Holm's correction counts them all.
        outcome: What makes a case positive, e.g. ``measures.disclosed``.
        drawn: From ``bootstrap.weights``, over the frame's cases.
    """
    made = [_pair(frame, treated, control, outcome, drawn) for treated, control in pairs]
    adjusted = iter(holm([pair.p for pair in made if pair.p is not None], planned=len(pairs)))
    return [pair if pair.p is None else replace(pair, adjusted=next(adjusted)) for pair in made]


def _pair(
    frame: Frame, treated: ArmKey, control: ArmKey, outcome: Callable[[Arm], PerCase], drawn: Weights
) -> Comparison:
    one, other = outcome(frame.arms[treated]), outcome(frame.arms[control])
    both = (one.denominators > 0) & (other.denominators > 0)
    first, second = one.among(both).numerators, other.among(both).numerators
    paired, b, c = int(both.sum()), int(np.sum(first > second)), int(np.sum(first < second))
    (interval,) = percentile_intervals(drawn, (first - second)[:, None], both.astype(np.int64)[:, None])
    return Comparison(
        treated=treated,
        control=control,
        planned=len(both),
        paired=paired,
        treated_count=int(first.sum()),
        control_count=int(second.sum()),
        b=b,
        c=c,
        difference=(b - c) / paired if paired else None,
        interval=interval,
        p=mcnemar(b, c) if paired else None,
        adjusted=None,
    )


def mcnemar(b: int, c: int) -> float:
    """Return the two-sided exact p value of McNemar's test.

    Under the null hypothesis each of the b + c discordant cases falls on either side with probability 1/2.
    The binomial tail is summed in whole numbers, so the value is exact to the last digit.

    Args:
        b: Cases positive in the first arm only.
        c: Cases positive in the second arm only.

    Raises:
        ValueError: A count is negative.
    """
    if b < 0 or c < 0:
        raise ValueError(f"discordant counts cannot be negative: {b}, {c}")
    tail = sum(comb(b + c, count) for count in range(min(b, c) + 1))
    return min(1.0, float(Fraction(2 * tail, 1 << (b + c))))


def holm(p_values: Sequence[float], planned: int | None = None) -> list[float]:
    """Return p values adjusted by Holm's step-down procedure, in the order given.

    The smallest is multiplied by the number of comparisons, the next by one less, and so on; each is then
    lifted to the largest before it (the running maximum), and none exceeds 1.

    Args:
        p_values: The p values of the comparisons of one family that could be made.
        planned: The number of comparisons that were planned; by default as many as there are p values.

    Raises:
        ValueError: There are more p values than planned comparisons.
    """
    comparisons = len(p_values) if planned is None else planned
    if comparisons < len(p_values):
        raise ValueError(f"{len(p_values)} comparisons in a family of {comparisons}")
    adjusted = [1.0] * len(p_values)
    running = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        running = max(running, (comparisons - rank) * p_values[at])
        adjusted[at] = min(1.0, running)
    return adjusted
