"""M4, retrieval budget: the reader gets less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memjoin.cases.schema import Case
from memjoin.conditions.interventions.base import Given
from memjoin.models.tokens import estimate_text

SOURCE = "The paper's Table 3, M4"
CONDITIONS = ("retrieved",)


@dataclass(frozen=True, slots=True)
class FewerThanClues:
    """One item fewer than the case has sessions with clues, which is known from the annotation."""

    name: str = "M4"
    title: str = "Retrieval budget"
    sentence: str = (
        "The reader gets the best of what was retrieved, one item fewer than the case has sessions with "
        "clues, as the evaluator's annotation counts them."
    )
    source: str = SOURCE
    conditions: tuple[str, ...] = CONDITIONS

    def edit_annotated(self, given: Given, case: Case) -> Given:
        """Return the first items only."""
        return _first(given, _fewer(case))

    def remark(self, cases: Sequence[Case]) -> str:
        """Say how many items are left in a run's cases."""
        left = sorted({_fewer(case) for case in cases}) or [0]
        many = str(left[0]) if left[0] == left[-1] else f"{left[0]} to {left[-1]}"
        return f"the first {many} items retrieved, one fewer than a case has sessions with clues"


@dataclass(frozen=True, slots=True)
class ItemBudget:
    """A fixed number of items."""

    items: int
    title: str = "Retrieval budget"
    source: str = SOURCE
    conditions: tuple[str, ...] = CONDITIONS

    @property
    def name(self) -> str:
        """Its name, with the number."""
        return f"M4:items={self.items}"

    @property
    def sentence(self) -> str:
        """What it does."""
        return f"The reader gets the best {self.items} of the items that were retrieved."

    def edit(self, given: Given) -> Given:
        """Return the first items only."""
        return _first(given, self.items)


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """As many whole items, from the first on, as a number of tokens has room for."""

    tokens: int
    title: str = "Retrieval budget"
    source: str = SOURCE
    conditions: tuple[str, ...] = CONDITIONS

    @property
    def name(self) -> str:
        """Its name, with the number."""
        return f"M4:tokens={self.tokens}"

    @property
    def sentence(self) -> str:
        """What it does."""
        return (
            f"The reader gets the best of what was retrieved, up to an estimated {self.tokens} tokens of "
            "whole items."
        )

    def edit(self, given: Given) -> Given:
        """Return the first items only: up to the first for which there is no room."""
        spent = 0
        for number, item in enumerate(given.items or ()):
            spent += estimate_text(item)
            if spent > self.tokens:
                return _first(given, number)
        return given


def _fewer(case: Case) -> int:
    sessions = {clue.session for clue in case.annotation.clues if not clue.decoy}
    return max(len(sessions) - 1, 0)


def _first(given: Given, number: int) -> Given:
    return given if given.items is None else replace(given, items=given.items[:number])
