"""What a run set out to do, as plain values: all that analysis knows of it besides the verdict rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

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

INTERVENTIONS: Mapping[str, str] = MappingProxyType(
    {
        "M1": "Privacy instruction",
        "M2": "Value sanitization",
        "M3": "Cross-record cue removal",
        "M4": "Retrieval budget",
        "M5": "Output filtering",
    }
)
"""The interventions' titles, as in the paper's Table 3. M5 edits answers, the others the reader's input."""

FILTER = "M5"
"""The paper's filter of answers. A run may have others (``Design.filters``)."""

RESAMPLES = 10_000

EMBEDDED_LABEL = "Embedded roles: the pipeline at work, not a language model."


class ArmKey(NamedTuple):
    """One arm: a memory system (empty for references) under a condition, with an intervention or none."""

    system: str
    condition: str
    intervention: str = ""

    def __str__(self) -> str:
        """Return it as families of comparisons write it: ``mem0/retrieved+M1``, ``history``."""
        place = f"{self.system}/{self.condition}" if self.system else self.condition
        return f"{place}+{self.intervention}" if self.intervention else place

    @property
    def untreated(self) -> ArmKey:
        """What the intervention is compared with: the same arm without it.

        M3 edits records. The control of Full history with M3 is therefore the history in records.
        """
        edited = self.condition == "history" and "M3" in self.kinds
        condition = "itemized" if edited else self.condition
        return ArmKey(self.system, condition)

    @property
    def kind(self) -> str:
        """The intervention without its variant: ``M3`` of ``M3:detected``; of several, all together."""
        return "+".join(self.kinds)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The interventions that are combined, each without its variant."""
        return tuple(name.partition(":")[0] for name in self.intervention.split("+") if name)


@dataclass(frozen=True)
class Design:
    """What a run planned.

    Args:
        systems: Names of the memory systems, in the order of the tables.
        conditions: Names of the conditions, in the order of the tables; references among them.
        cases: Ids of the planned cases. Their order is the order in which the bootstrap draws them.
        trials: Planned trials of each case in each condition, numbered from 0.
        titles: What prose calls the systems, by their names; a system without a title goes by its name.
        k: How many records each system retrieves, in words: ``k=10``, or ``k=2, its own``.
        embedded: The roles that were embedded ones, not models: of writer, reader, judge, filter, embedder.
        judges: Names of the judges, the whole panel.
        resamples: Bootstrap resamples.
        seed: The bootstrap's seed.
        treated: The planned arms with an intervention, beside every system under every condition.
        annotated: Names of the interventions that use the evaluator's annotation.
        filters: Names of the interventions that edit answers; all others edit the reader's input.
        remarks: What must be said of an intervention beside its name, by name: what it finds with, how much
            it leaves.
        warnings: What must be known of the judges before their figures are believed; in every table of
            theirs.
    """

    systems: tuple[str, ...]
    conditions: tuple[str, ...]
    cases: tuple[str, ...]
    trials: int
    titles: Mapping[str, str] = field(default_factory=dict)
    k: Mapping[str, str] = field(default_factory=dict)
    embedded: frozenset[str] = frozenset()
    judges: tuple[str, ...] = ()
    resamples: int = RESAMPLES
    seed: int = 0
    treated: tuple[ArmKey, ...] = ()
    annotated: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset({FILTER})
    remarks: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def arms(self) -> tuple[ArmKey, ...]:
        """Every arm of the run: each system's conditions together, then the references.

        Arms with an intervention stand last, in the same order.
        """
        own = [condition for condition in self.conditions if condition not in REFERENCES]
        references = [condition for condition in self.conditions if condition in REFERENCES]
        plain = (
            *(ArmKey(system, condition) for system in self.systems for condition in own),
            *(ArmKey("", condition) for condition in references),
        )
        place = {key: at for at, key in enumerate(plain)}
        last = len(plain)
        treated = sorted(self.treated, key=lambda key: (place.get(key.untreated, last), key.intervention))
        return (*plain, *treated)

    @property
    def answers(self) -> int:
        """Planned answers of one arm."""
        return len(self.cases) * self.trials

    @property
    def pipeline_only(self) -> bool:
        """Whether what was answered or judged was not a language model's: then the memory leads."""
        return bool(self.embedded & {"reader", "judge"})

    def filtered(self, key: ArmKey) -> bool:
        """Whether a filter edits an arm's answers."""
        return not self.filters.isdisjoint((*key.kinds, *key.intervention.split("+")))

    def system_title(self, system: str) -> str:
        """Return what prose calls a system."""
        return self.titles.get(system, system)

    def title(self, system: str, condition: str, intervention: str = "") -> str:
        """Return a condition's title, with the number of records that a system retrieves.

        An intervention stands behind it by its short name: ``Retrieved memory, k=10 + M1``.
        """
        title = TITLES.get(condition, condition)
        if condition == "retrieved" and system in self.k:
            title += f", {self.k[system]}"
        return f"{title} + {intervention}" if intervention else title
