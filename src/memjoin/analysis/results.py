"""Everything that the tables and figures of one run take, computed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memjoin.analysis.bootstrap import Draws
from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.families import Family, PlannedFamily, named, plan
from memjoin.analysis.filling import frame
from memjoin.analysis.frame import Frame
from memjoin.analysis.outcomes import Rates, all_rates
from memjoin.analysis.paired import Comparison, compare
from memjoin.errors import MemJoinError
from memjoin.judging.verdict import VerdictRow


@dataclass(frozen=True)
class Results:
    """What a run found.

    ``rates`` holds every measure of ``outcomes.OUTCOMES`` for every arm; ``comparisons`` those of every
    planned family, by its name.
    """

    frame: Frame
    drawn: Draws
    rates: Rates
    families: tuple[PlannedFamily, ...]
    comparisons: Mapping[str, Sequence[Comparison]]

    @property
    def design(self) -> Design:
        """What the run planned."""
        return self.frame.design

    def pair(self, treated: ArmKey, control: ArmKey) -> Comparison | None:
        """Return the comparison of two arms, from whichever family has it first; None if none has."""
        for family in self.families:
            for comparison in self.comparisons[family.name]:
                if (comparison.treated, comparison.control) == (treated, control):
                    return comparison
        return None


def compute(rows: Iterable[VerdictRow], design: Design, own: Iterable[Family] = ()) -> Results:
    """Measure and compare all that a run answered.

    Args:
        rows: The run's verdicts.
        design: What the run planned.
        own: Families of comparisons beside the named ones.

    Raises:
        VerdictTableError: The rows contradict each other or the plan.
        MemJoinError: The design has no case, or a comparison of ``own`` has an arm that it does not plan.
    """
    if not design.cases:
        raise MemJoinError("A run without cases has no tables.", "Select at least one case.")
    families = plan(design, (*named(), *own))
    verdicts = frame(rows, design)
    drawn = Draws(len(design.cases), design.resamples, design.seed)
    return Results(
        frame=verdicts,
        drawn=drawn,
        rates=all_rates(verdicts, drawn),
        families=families,
        comparisons=compare(verdicts, families, drawn),
    )
