"""Interventions for a program of one's own, between a memory and a model: on plain lists of strings.

What is here sees only the records, or only the answer, as a deployment does. docs/interventions.md shows how
each is used.
"""

from __future__ import annotations

from collections.abc import Sequence

from memjoin.conditions.interventions.base import DecisionError, Draft, Filtered, Given, several
from memjoin.conditions.interventions.budget import ItemBudget, TokenBudget
from memjoin.conditions.interventions.detected import remove_cues
from memjoin.conditions.interventions.instruction import INSTRUCTION
from memjoin.conditions.interventions.output_filter import OutputFilter
from memjoin.conditions.interventions.personal import redact_personal
from memjoin.errors import MemJoinError
from memjoin.models.filter import decide

__all__ = [
    "INSTRUCTION",
    "DecisionError",
    "Draft",
    "Filtered",
    "OutputFilter",
    "filter_by_rules",
    "limit",
    "redact_personal",
    "remove_cues",
]


def limit(records: Sequence[str], *, items: int | None = None, tokens: int | None = None) -> tuple[str, ...]:
    """Return the first of some records (M4): so many, and as many whole ones as fit into so many tokens.

    Args:
        records: The texts of the records, best first.
        items: How many at most; None: all.
        tokens: How many estimated tokens at most (a quarter of the bytes); None: no limit.

    Raises:
        MemJoinError: A limit is below zero, or ``records`` is one text.
    """
    for limited in (items, tokens):
        if limited is not None and limited < 0:
            raise MemJoinError(f"A limit of {limited} is below zero.", "Give a number from 0 on, or None.")
    given = Given(several(records))
    if items is not None:
        given = ItemBudget(items).edit(given)
    if tokens is not None:
        given = TokenBudget(tokens).edit(given)
    return given.items or ()


def filter_by_rules(task: str, answer: str) -> Filtered:
    """Return what rules by shape, without a model, make of an answer (M5).

    For a model's decision, ask it with ``OutputFilter().request(Draft(task, answer))`` and give its reply to
    ``OutputFilter().apply``, which raises ``DecisionError`` where it cannot be understood.
    """
    return OutputFilter().decided(Draft(task, answer), *decide(task, answer))
