"""The arms of a run: an input condition, and what interventions do to it or to its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memjoin.conditions.interventions.base import is_filter
from memjoin.conditions.interventions.registry import Step, chain, joined
from memjoin.conditions.views import CONDITIONS, condition
from memjoin.errors import MemJoinError
from memjoin.runs.cell import Cell

RECORDS = "itemized"
"""The history in records: what M3 edits, and is compared with, where Full history is meant."""


class Arm(NamedTuple):
    """A condition, with an intervention (or several, joined by plus signs) or none."""

    condition: str
    intervention: str = ""

    @property
    def place(self) -> str:
        """Its name within a cell, in the ledger and in flags: ``retrieved``, ``retrieved+M1``."""
        return f"{self.condition}+{self.intervention}" if self.intervention else self.condition

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its interventions in the order in which they are applied. Raises ``MemJoinError``."""
        return chain(self.intervention) if self.intervention else ()

    @property
    def filtered(self) -> bool:
        """Whether a filter edits its answer. Raises ``MemJoinError``."""
        return any(is_filter(step.intervention) for step in self.steps)

    @property
    def unfiltered(self) -> Arm:
        """The same arm without its filter of the answer. Raises ``MemJoinError``."""
        kept = tuple(step for step in self.steps if not is_filter(step.intervention))
        return self._replace(intervention=joined(kept))


def read_arm(place: str) -> Arm:
    """Return the arm of a name that ``Arm.place`` gave."""
    name, _, intervention = place.partition("+")
    return Arm(name, intervention)


def arms_of(cell: Cell, conditions: Sequence[str], treated: Iterable[str] = ()) -> tuple[Arm, ...]:
    """Return what a cell answers: its conditions, then the arms with an intervention on one of them.

    Args:
        cell: The cell; without a system it has the references, otherwise the others.
        conditions: The run's conditions.
        treated: The run's arms with an intervention, by name.
    """
    arms = (*map(Arm, conditions), *map(read_arm, treated))
    return tuple(arm for arm in arms if condition(arm.condition).reference == (not cell.system))


def plan_arms(wanted: Sequence[str], conditions: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a run's conditions, and its arms with an intervention by name.

    An arm with a filter of the answer brings along the same arm without it, whose answer is the original. M3
    edits records: on Full history, its input and what that is compared with are the history in records, which
    it brings along (the paper's Table F.1 has Itemized history as the control of Full history with M3).

    Args:
        wanted: ``M1``, ``M1+M3``: on every condition of the run that it makes sense for; ``all+M1``: on one.
        conditions: The run's conditions.

    Raises:
        MemJoinError: There is no such intervention, or none of the run's conditions is one for it.
    """
    arms: list[Arm] = []
    for text in wanted:
        first, _, rest = text.strip().partition("+")
        steps = chain(rest if first in CONDITIONS else text)
        if first in CONDITIONS:
            conditions, on = _named(first, steps, conditions)
        else:
            conditions, on = _suited(text, steps, conditions)
        edits = tuple(step for step in steps if not is_filter(step.intervention))
        for name in on:
            if edits and edits != steps:
                arms.append(Arm(name, joined(edits)))
            arms.append(Arm(name, joined(steps)))
    return conditions, tuple(dict.fromkeys(arm.place for arm in arms))


def _named(
    name: str, steps: tuple[Step, ...], conditions: tuple[str, ...]
) -> tuple[tuple[str, ...], list[str]]:
    if name in ("history", RECORDS) and _edits_records(steps):
        return tuple(dict.fromkeys((*conditions, RECORDS))), [RECORDS]
    if name not in conditions:
        raise MemJoinError(
            f"The run has no condition {name}, which an intervention is named for.",
            f"Add --condition {name}: the answer without the intervention is what it is compared with.",
        )
    return conditions, [name]


def _suited(
    text: str, steps: tuple[Step, ...], conditions: tuple[str, ...]
) -> tuple[tuple[str, ...], list[str]]:
    suited = [name for name in CONDITIONS if all(name in step.intervention.conditions for step in steps)]
    if _edits_records(steps) and RECORDS in suited and "history" in conditions:
        conditions = tuple(dict.fromkeys((*conditions, RECORDS)))
    on = [name for name in conditions if name in suited]
    if not on:
        raise MemJoinError(
            f"No condition of {', '.join(conditions)} is one that {text} is for.",
            f"It is for {', '.join(suited)}; a condition in front names another: retrieved+{text}."
            if suited
            else f"Its parts share none; name one in front: retrieved+{text}.",
        )
    return conditions, on


def _edits_records(steps: Iterable[Step]) -> bool:
    return any(step.name.partition(":")[0] == "M3" for step in steps)
