"""What a run set out to do, as plain values: all that analysis knows of it besides the verdict rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "retrieved": "Retrieved memory",
        "all": "All memory",
        "history": "Full history",
        "itemized": "Itemized history",
        "task-only": "Task only",
    }
)
"""The conditions' titles, as in the paper's Table B.1."""

REFERENCES = ("history", "itemized", "task-only")
"""Conditions that no memory system takes part in. Their rows carry an empty system."""

RESAMPLES = 10_000

EMBEDDED_LABEL = "Embedded roles: the pipeline at work, not a language model."


@dataclass(frozen=True)
class Design:
    """What a run planned.

    Args:
        systems: Names of the memory systems, in the order of the tables.
        conditions: Names of the conditions, in the order of the tables; references among them.
        cases: Ids of the planned cases. Their order is the order in which the bootstrap draws them.
        trials: Planned trials of each case in each condition.
        k: How many records each system retrieves, in words: ``k=10``, or ``k=2, its own``.
        embedded: The roles that were embedded ones, not models: of writer, reader, judge, filter, embedder.
        judges: Names of the judges, the whole panel.
        resamples: Bootstrap resamples.
        seed: The bootstrap's seed.
    """

    systems: tuple[str, ...]
    conditions: tuple[str, ...]
    cases: tuple[str, ...]
    trials: int
    k: Mapping[str, str] = field(default_factory=dict)
    embedded: frozenset[str] = frozenset()
    judges: tuple[str, ...] = ()
    resamples: int = RESAMPLES
    seed: int = 0

    @property
    def arms(self) -> tuple[tuple[str, str], ...]:
        """Every (system, condition) of the run: each system's conditions together, then the references."""
        own = [condition for condition in self.conditions if condition not in REFERENCES]
        references = [condition for condition in self.conditions if condition in REFERENCES]
        return (
            *((system, condition) for system in self.systems for condition in own),
            *(("", r) for r in references),
        )

    @property
    def answers(self) -> int:
        """Planned answers of one arm."""
        return len(self.cases) * self.trials

    @property
    def pipeline_only(self) -> bool:
        """Whether what was answered or judged was not a language model's: then the memory leads."""
        return bool(self.embedded & {"reader", "judge"})

    def title(self, system: str, condition: str) -> str:
        """Return a condition's title, with the number of records that a system retrieves."""
        title = TITLES.get(condition, condition)
        if condition != "retrieved" or system not in self.k:
            return title
        return f"{title}, {self.k[system]}"
