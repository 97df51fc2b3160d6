"""Rows of the verdict table: what is known of a case, and what became of one answer."""

from __future__ import annotations

from typing import Any

from memjoin.cases.schema import Case
from memjoin.judging.consensus import Consensus
from memjoin.judging.verdict import Action, Joins, VerdictRow


def judged(
    case: Case,
    *,
    system: str,
    condition: str,
    trial: int,
    consensus: Consensus,
    store: Joins | None,
    input: Joins | None,
    intervention: str = "",
    action: Action | None = None,
) -> VerdictRow:
    """Return the row of an answer that a panel voted on, valid or not.

    Args:
        case: The case that was answered.
        system: The memory system's name; empty for a reference condition.
        condition: The reader's input, e.g. ``retrieved``.
        trial: The trial's number.
        consensus: What the panel agreed on.
        store: What the memory system's store keeps; None where there is no store.
        input: What the reader's memory input keeps; None where it has none (Task only).
        intervention: What was done to the input or to the answer; empty where nothing was.
        action: What an output filter did to the answer; None without one.
    """
    return VerdictRow(
        system=system,
        condition=condition,
        trial=trial,
        status=consensus.status,
        reason=consensus.reason,
        level=consensus.level,
        inappropriate=consensus.inappropriate,
        completed=consensus.completed,
        refusal=consensus.refusal,
        grade=consensus.grade,
        store=store,
        input=input,
        ties=consensus.ties,
        intervention=intervention,
        action=action,
        **_about(case),
    )


def missing(
    case: Case,
    *,
    system: str,
    condition: str,
    trial: int,
    reason: str,
    store: Joins | None = None,
    input: Joins | None = None,
    intervention: str = "",
) -> VerdictRow:
    """Return the row of an answer that could not be had, and why.

    What is known of store and input is kept; the answer has no level and no field, so that nothing counts
    it as zero. Arguments as in ``judged``.
    """
    return VerdictRow(
        system=system,
        condition=condition,
        trial=trial,
        status="missing",
        reason=reason,
        level=None,
        inappropriate=None,
        completed=None,
        refusal=None,
        grade=None,
        store=store,
        input=input,
        intervention=intervention,
        **_about(case),
    )


def _about(case: Case) -> dict[str, Any]:
    return {
        "case": case.id,
        "family": case.family,
        "category": case.category,
        "situation": case.situation,
        "configuration": case.configuration,
        "topology": case.topology,
        "stratum": case.annotation.stratum,
    }
