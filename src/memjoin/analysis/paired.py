"""Paired comparisons: exact McNemar tests, and Holm's correction within a family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from memjoin.analysis import noise
from memjoin.analysis.bootstrap import Draws, Interval, Ratios
from memjoin.analysis.design import ArmKey
from memjoin.analysis.families import Pair, PlannedFamily
from memjoin.analysis.frame import Flags, Frame
from memjoin.analysis.noise import Flips
from memjoin.analysis.outcomes import COMPARED, outcome
from memjoin.analysis.rates import PerCase, Rate, counted


@dataclass(frozen=True)
class Change:
    """One measure of cases in two arms, over the cases that have it in both.

    ``control`` and ``treated`` are the measure over these cases. ``difference`` is treated minus control,
    with its 95% bootstrap interval over cases, both arms drawn together; None where nothing is paired or the
    measure is not measurable. Where each case is a yes or no: ``b`` cases are positive in the treated arm
    only, ``c`` in the control arm only, ``p`` is McNemar's exact p value and ``adjusted`` the one after Holm;
    otherwise these are None.
    """

    control: Rate
    treated: Rate
    difference: float | None = None
    interval: Interval | None = None
    b: int | None = None
    c: int | None = None
    p: float | None = None
    adjusted: float | None = None

    @property
    def measurable(self) -> bool:
        """Whether the roles of the run can measure it in both arms."""
        return self.control.measurable and self.treated.measurable

    @property
    def paired(self) -> int:
        """The cases that have the measure in both arms."""
        return self.control.denominator


@dataclass(frozen=True)
class Comparison:
    """Two arms over the cases that are complete in both.

    ``planned`` is the number of cases of the design (or of its part that is compared), ``paired`` of those
    complete in both arms. ``changes`` holds a ``Change`` for each of ``outcomes.COMPARED``. ``answer_pairs``
    counts the (case, trial) that are valid in both arms; over those whose inputs are known too,
    ``available_control`` and ``available_treated`` are the shares of inputs with all target values.
    ``flips`` is how often two trials of one case disagree, within the arms and between them.
    """

    treated: ArmKey
    control: ArmKey
    planned: int
    paired: int
    changes: Mapping[str, Change]
    answer_pairs: int
    available_control: Rate
    available_treated: Rate
    flips: Flips

    @property
    def disclosed(self) -> Change:
        """The change of the case disclosure rate."""
        return self.changes["disclosed"]


def compare(
    frame: Frame, families: Sequence[PlannedFamily], drawn: Draws, among: Flags | None = None
) -> dict[str, list[Comparison]]:
    """Compare every pair of every family.

    Args:
        frame: The verdicts.
        families: What was planned; Holm's correction counts all pairs of a family, made or not.
        drawn: The bootstrap's draws of the frame's cases.
        among: The cases to compare, all by default.

    Returns:
        The comparisons by the family's name, in its order.
    """
    cases = np.ones(len(frame.design.cases), np.bool_) if among is None else among
    pairs = [(family.name, pair) for family in families for pair in family.pairs]
    ratios = Ratios(drawn, len(pairs) * len(COMPARED))
    changes = [
        {name: _change(ratios, *_joint(frame, pair, name, cases), name) for name in COMPARED}
        for _, pair in pairs
    ]
    bounds = iter(ratios.intervals()[0])
    made: dict[str, list[Comparison]] = {family.name: [] for family in families}
    for (family, pair), of in zip(pairs, changes, strict=True):
        with_bounds = {name: _with_interval(change, next(bounds)) for name, change in of.items()}
        made[family].append(_comparison(frame, pair, cases, with_bounds))
    return {name: _adjusted(comparisons) for name, comparisons in made.items()}


def _joint(frame: Frame, pair: Pair, name: str, cases: Flags) -> tuple[PerCase, PerCase]:
    """Return (treated, control) of a measure, over the cases that have it in both."""
    treated, control = (outcome(frame, key, name) for key in pair)
    both = cases & (treated.denominators > 0) & (control.denominators > 0)
    return treated.among(both), control.among(both)


def _change(ratios: Ratios, treated: PerCase, control: PerCase, name: str) -> Change:
    """Return the change of a measure without its interval, which is to come from ``ratios``."""
    gains = treated.numerators - control.numerators
    ratios.add(gains, treated.scale * treated.denominators)
    change = Change(control=counted(control), treated=counted(treated))
    if not change.measurable or not change.paired:
        return change
    change = replace(change, difference=int(gains.sum()) / (treated.scale * change.paired))
    if not COMPARED[name].yes_or_no:
        return change
    b, c = int(np.sum(gains > 0)), int(np.sum(gains < 0))
    return replace(change, b=b, c=c, p=mcnemar(b, c))


def _with_interval(change: Change, interval: Interval | None) -> Change:
    return change if change.difference is None else replace(change, interval=interval)


def _comparison(frame: Frame, pair: Pair, cases: Flags, changes: Mapping[str, Change]) -> Comparison:
    treated, control = (frame.arms[key] for key in pair)
    valid = treated.ok & control.ok & cases[:, None]
    known = valid & treated.input.known & control.input.known
    available = [
        counted(
            PerCase(
                np.sum(arm.input.available & known, axis=1, dtype=np.int32),
                np.sum(known, axis=1, dtype=np.int32),
                "answers",
            )
        )
        for arm in (control, treated)
    ]
    complete = treated.complete & control.complete & cases
    return Comparison(
        *pair,
        planned=int(cases.sum()),
        paired=int(complete.sum()),
        changes=changes,
        answer_pairs=int(valid.sum()),
        available_control=available[0],
        available_treated=available[1],
        flips=noise.flips(treated, control, complete),
    )


def _adjusted(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Correct the p values of each measure within the family."""
    changes = [dict(comparison.changes) for comparison in comparisons]
    for name in COMPARED:
        made = [each[name] for each in changes if each[name].p is not None]
        corrected = iter(holm([change.p for change in made if change.p is not None], len(comparisons)))
        for each in changes:
            if each[name].p is not None:
                each[name] = replace(each[name], adjusted=next(corrected))
    return [replace(comparison, changes=each) for comparison, each in zip(comparisons, changes, strict=True)]


def mcnemar(b: int, c: int) -> float:
    """Return the two-sided exact p value of McNemar's test.

    Under the null hypothesis each of the b + c discordant cases falls on either side with probability 1/2.
    The binomial tail is summed in whole numbers, so the value is exact to the last digit (``statsmodels`` has
    the same test; importing it takes longer than all tables of a run).

    Args:
        b: Cases positive in the first arm only.
        c: Cases positive in the second arm only.

    Raises:
        ValueError: A count is negative.
    """
    if b < 0 or c < 0:
        raise ValueError(f"discordant counts cannot be negative: {b}, {c}")
    ways = tail = 1
    for count in range(1, min(b, c) + 1):
        # Each from the one before: made afresh, those of thousands of discordant cases take minutes.
        ways = ways * (b + c - count + 1) // count
        tail += ways
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
