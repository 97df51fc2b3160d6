"""What is measured of an arm, by name, and what the roles of a run leave unmeasurable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from memjoin.analysis import measures
from memjoin.analysis.bootstrap import Draws
from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.frame import Arm, Frame
from memjoin.analysis.rates import PerCase, Rate, measured

Rates: TypeAlias = Mapping[tuple[ArmKey, str], Rate]

OUTCOMES: Mapping[str, Callable[[Arm], PerCase]] = MappingProxyType(
    {
        "available_store": lambda arm: measures.available(arm.store),
        "available": lambda arm: measures.available(arm.input),
        "joinable": lambda arm: measures.joinable(arm.input),
        "a4": measures.a4,
        "a4_given_available": measures.a4_given_available,
        "a4_given_completed": measures.a4_given_completed,
        "other_given_completed": measures.other_given_completed,
        "disclosed": measures.disclosed,
        "inappropriate_answers": measures.inappropriate_answers,
        "inappropriate": measures.inappropriate,
        "completed": measures.completed,
        "helpfulness": measures.helpfulness,
        "refusal": measures.refusal,
    }
)
"""Every measure of one arm: what each case adds to it."""

TEXTS = frozenset({"available_store", "available", "joinable"})
UTILITY = frozenset({"completed", "helpfulness", "refusal", "a4_given_completed", "other_given_completed"})


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the measures that comparisons are made in.

    ``yes_or_no``: each case is one or the other, so that McNemar's test applies; otherwise a case has a mean
    over its trials. ``scale`` turns the difference into the unit that is printed.
    """

    title: str
    long_title: str
    yes_or_no: bool
    scale: int
    unit: str


COMPARED: Mapping[str, Compared] = MappingProxyType(
    {
        "disclosed": Compared("DR", "Disclosure rate", True, 100, "points"),
        "completed": Compared("TCR", "Task completion rate", True, 100, "points"),
        "helpfulness": Compared("Help.", "Helpfulness, 0 to 3", False, 1, "score"),
        "refusal": Compared("Refusal", "Refusal", False, 100, "points"),
    }
)


def outcome(frame: Frame, key: ArmKey, name: str) -> PerCase:
    """Return what each case adds to a measure of an arm, as far as the run's roles can measure it.

    Args:
        frame: The verdicts.
        key: The arm.
        name: One of ``OUTCOMES``.
    """
    found = OUTCOMES[name](frame.arms[key])
    return found if measurable(frame.design, key, name) else replace(found, measurable=False)


def measurable(design: Design, key: ArmKey, name: str) -> bool:
    """Tell whether the roles of a run can measure something of an arm at all.

    An embedded reader follows no instruction (M1) and never declines. What a filter leaves of an answer that
    merely quotes, or that only a lexical judge grades, says nothing of its utility.
    """
    if name in TEXTS:
        return True
    if "reader" in design.embedded and (name == "refusal" or "M1" in key.kinds):
        return False
    return not (design.filtered(key) and design.pipeline_only and name in UTILITY)


def all_rates(frame: Frame, drawn: Draws) -> Rates:
    """Return every measure of every arm, with its intervals."""
    return measured(
        [(key, name) for key in frame.arms for name in OUTCOMES], lambda of: outcome(frame, *of), drawn
    )
