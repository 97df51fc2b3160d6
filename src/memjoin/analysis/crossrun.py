"""Two runs compared on the cases that they have in common: another model, another version, a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from memjoin.analysis.bootstrap import Draws
from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.families import PlannedFamily
from memjoin.analysis.filling import frame
from memjoin.analysis.frame import Frame
from memjoin.analysis.outcomes import COMPARED
from memjoin.analysis.paired import Change, Comparison, compare
from memjoin.analysis.power import ALPHA, POWER, detectable
from memjoin.errors import MemJoinError
from memjoin.judging.verdict import VerdictRow

FIRST, SECOND = "A", "B"
FAMILY = "runs"

_INTERVAL_TO_DETECTABLE = (1.959964 + 0.841621) / (2 * 1.959964)
"""Of a mean: 80% power takes 2.8 standard errors, of which a 95% interval is 3.92 wide."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison says of one measure in one arm.

    ``differs``: the difference is real, by Holm's p below 0.05 or, of a mean, by its interval; None where
    nothing could be compared. ``detectable`` is the smallest difference that this many cases find four times
    in five, in the measure's own scale as a fraction; None where they find none.
    """

    differs: bool | None
    detectable: float | None


@dataclass(frozen=True)
class RunsCompared:
    """Two runs side by side.

    ``comparisons`` hold for each common arm the second run (treated) minus the first (control).
    ``only_first`` and ``only_second`` are arms that one of them lacks, ``trials`` how many of both were used.
    """

    design: Design
    comparisons: tuple[Comparison, ...]
    only_first: tuple[ArmKey, ...]
    only_second: tuple[ArmKey, ...]
    trials: int

    def verdict(self, comparison: Comparison, name: str) -> Verdict:
        """Judge one measure of ``outcomes.COMPARED`` in one arm."""
        change = comparison.changes[name]
        if not change.measurable or change.difference is None or change.interval is None:
            return Verdict(None, None)
        if COMPARED[name].yes_or_no:
            return self._by_test(change)
        low, high = change.interval
        return Verdict(low > 0 or high < 0, _INTERVAL_TO_DETECTABLE * (high - low))

    def _by_test(self, change: Change) -> Verdict:
        discordance = ((change.b or 0) + (change.c or 0)) / change.paired
        level = ALPHA / len(self.comparisons)
        found = detectable(change.paired, discordance, level, POWER)
        return Verdict((change.adjusted or 0.0) < ALPHA, found.difference)


def compare_runs(
    first: tuple[Callable[[], Iterable[VerdictRow]], Design],
    second: tuple[Callable[[], Iterable[VerdictRow]], Design],
    cases: Iterable[str] | None = None,
) -> RunsCompared:
    """Compare every arm that two runs have in common, over their common cases.

    Where one run has fewer trials, only as many of the other's are used: a case that is disclosed in two of
    three trials is not the same thing as one that is in one of one. All arms are one family of comparisons.

    Args:
        first: Gives the verdicts of the first run, and its plan.
        second: The same of the second.
        cases: Cases to compare, of those that both have; all by default.

    Raises:
        MemJoinError: They have no case or no arm in common.
        VerdictTableError: The rows of a run contradict each other or its plan.
    """
    designs = first[1], second[1]
    allowed = set(designs[1].cases) if cases is None else set(designs[1].cases) & set(cases)
    common = tuple(case for case in designs[0].cases if case in allowed)
    if not common:
        raise MemJoinError(
            "The two runs have no case in common.", "Run the same cases twice; --cases chooses them."
        )
    trials, shared_cases = min(design.trials for design in designs), set(common)
    cut = [replace(design, cases=common, trials=trials) for design in designs]
    frames = [
        frame(
            (row for row in rows() if row.trial < trials and row.case in shared_cases),
            design,
        )
        for (rows, _), design in zip((first, second), cut, strict=True)
    ]
    shared = [key for key in frames[0].arms if key in frames[1].arms]
    if not shared:
        raise MemJoinError(
            "The two runs have no input in common.",
            f"The first has {_names(frames[0])}; the second {_names(frames[1])}.",
        )
    pairs = tuple((_of(SECOND, key), _of(FIRST, key)) for key in shared)
    merged = Frame(
        design=replace(cut[0], embedded=cut[0].embedded | cut[1].embedded),
        arms={
            _of(name, key): each.arms[key]
            for name, each in zip((FIRST, SECOND), frames, strict=True)
            for key in shared
        },
        groups=frames[0].groups,
    )
    drawn = Draws(len(common), designs[0].resamples, designs[0].seed)
    made = compare(merged, [PlannedFamily(FAMILY, "Two runs", pairs)], drawn)[FAMILY]
    return RunsCompared(
        design=merged.design,
        comparisons=tuple(
            replace(comparison, treated=key, control=key)
            for comparison, key in zip(made, shared, strict=True)
        ),
        only_first=tuple(key for key in frames[0].arms if key not in frames[1].arms),
        only_second=tuple(key for key in frames[1].arms if key not in frames[0].arms),
        trials=trials,
    )


def _of(run: str, key: ArmKey) -> ArmKey:
    """Return an arm of one of the two runs; the name cannot be a system's, for it holds a line break."""
    return key._replace(system=f"{run}\n{key.system}")


def _names(of: Frame) -> str:
    return ", ".join(str(key) for key in of.arms)
