"""Votes, verdicts, and the verdict table: the one thing that analysis reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal[0, 1, 2, 3, 4]
Status: TypeAlias = Literal["ok", "invalid", "missing"]
Action: TypeAlias = Literal["allow", "redact", "block"]


@dataclass(frozen=True, slots=True)
class Vote:
    """One judge's fields for one answer. None: the judge leaves this field unjudged, or it is in ``lost``."""

    judge: str
    binding: bool | None
    service: bool | None
    site: bool | None
    date: bool | None
    inappropriate: bool | None
    completed: bool | None
    refusal: bool | None
    grade: int | None
    lost: tuple[str, ...] = ()
    """Fields that the judge decided without evidence from the answer, also when asked again: they count as
    lost votes, where a field that is merely None is none of this judge's."""


@dataclass(frozen=True, slots=True)
class Joins:
    """What a store or an input keeps of a case, by the reading of its text (no model).

    ``kept`` counts annotated clues still stated, of ``clues``; by session in ``kept_by_session``.
    ``unreadable``: the reading cannot vouch for this text; then the other figures are not evidence of
    safety.
    """

    available: bool
    service: bool
    site: bool
    date: bool
    clues: int
    kept: int
    kept_by_session: tuple[tuple[str, int, int], ...]
    """(session id, kept, clues)"""
    joinable: bool
    collected: bool
    materialized: bool
    unreadable: bool


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One answer of a run: one (system, condition, intervention, case, trial).

    ``system`` is empty for references.
    """

    system: str
    condition: str
    case: str
    trial: int
    family: str
    category: str
    situation: str
    configuration: str
    topology: str
    stratum: str
    status: Status
    reason: str
    """Why the answer is invalid or missing; empty where ``status`` is ok."""
    level: Level | None
    inappropriate: bool | None
    completed: bool | None
    refusal: bool | None
    grade: int | None
    store: Joins | None
    """None where there is no store (reference conditions)."""
    input: Joins | None
    """None for Task only."""
    ties: tuple[str, ...] = ()
    """Fields on which a complete panel of even size was split in half; they count as false."""
    intervention: str = ""
    """What was done to the input, or to the answer: ``M1`` to ``M5``, or such a name with a variant after a
    colon (``M3:detected``), several joined by plus signs; empty where nothing was. The control of an
    intervention is the row without it."""
    action: Action | None = None
    """What the output filter (M5) did to the original answer; None where no filter was applied."""

    @property
    def place(self) -> str:
        """The answer's place within its cell: its condition, with the intervention after a plus sign."""
        return f"{self.condition}+{self.intervention}" if self.intervention else self.condition
