"""What each intervention costs and brings, input by input, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from memjoin.analysis.design import TITLES
from memjoin.analysis.paired import Change
from memjoin.analysis.results import Results


@dataclass(frozen=True, slots=True)
class TradeOff:
    """What one intervention costs and brings in one input: changes of task completion and of disclosure.

    Attributes:
        system: The memory system; empty for a reference.
        view: The title of the input condition.
        intervention: The intervention's name.
        disclosed: The change of disclosure, against the same input without the intervention.
        completed: The change of task completion.
    """

    system: str
    view: str
    intervention: str
    disclosed: Change
    completed: Change

    @property
    def measurable(self) -> bool:
        """Whether both are measurable, and anything is paired."""
        return self.disclosed.difference is not None and self.completed.difference is not None


def trade_offs(results: Results) -> list[TradeOff]:
    """Return every arm with an intervention that has its control, in the order of the arms."""
    found = []
    for key in results.frame.arms:
        pair = results.pair(key, key.untreated) if key.intervention else None
        if pair is not None:
            view = TITLES.get(key.condition, key.condition)
            changes = pair.changes
            found.append(
                TradeOff(key.system, view, key.intervention, changes["disclosed"], changes["completed"])
            )
    return found
