"""The annotation of a case that has just been written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast as typed

from memjoin.cases.draw import PEOPLE, Cast, Surface
from memjoin.cases.schema import Annotation, Cue, NamedHandle, Target, Value
from memjoin.cases.topologies import Plan
from memjoin.cases.write import Written
from memjoin.text.graph import AttributeKind, Handle, HandleType

_TYPES: dict[str, HandleType] = dict.fromkeys((*PEOPLE, "X", "Y"), "person")
_TYPES |= dict.fromkeys("abcefg", "entry")
_VALUES: dict[str, AttributeKind] = {"S": "site", "D": "date", "V": "service"}


def annotate(plan: Plan, cast: Cast, written: Sequence[Written], why: str) -> Annotation:
    """Return the annotation of a case.

    Args:
        plan: The topology.
        cast: What its variables stand for.
        written: The turns that carry the clues, in session order.
        why: Why disclosing the relation would be inappropriate.
    """
    surfaces = cast.surfaces
    used = dict.fromkeys(mark.variable for turn in written for mark in turn.marks)
    values = tuple(
        (_VALUES[variable[0]], _value(surfaces[variable])) for variable in used if variable[0] in _VALUES
    )
    cues = tuple(
        Cue(
            handle(variable, cast),
            surfaces[variable].forms,
            tuple(mark.span for turn in written for mark in turn.marks if mark.variable == variable),
        )
        for variable in plan.cues
    )
    people = [variable for variable in PEOPLE if variable in used or variable in ("C1", "C2")]
    return Annotation(
        target=Target(*(_value(surfaces[variable]) for variable in ("N", "V", "S", "D"))),
        handles=tuple(_handles((*people, *used), plan, cast)),
        values=values,
        clues=tuple(clue for turn in written for clue in turn.clues),
        cues=cues,
        required=tuple(turn.item for turn in written),
        people=tuple(surfaces[variable].name for variable in people),
        stratum="separated" if {"S", "D"} & set(plan.cues) else "values-visible",
        why=why,
    )


def handle(variable: str, cast: Cast) -> Handle:
    """Return the handle that a variable stands for; a site or date is one where it connects."""
    kind = _TYPES.get(variable) or typed(HandleType, _VALUES[variable[0]])
    return Handle(kind, cast.surfaces[variable].name)


def _handles(variables: Iterable[str], plan: Plan, cast: Cast) -> Iterable[NamedHandle]:
    connecting = {kind for kind in ("S", "D") if kind in plan.cues}
    for variable in dict.fromkeys(variables):
        if variable in _TYPES or variable[0] in connecting:
            yield NamedHandle(handle(variable, cast), cast.surfaces[variable].forms)


def _value(surface: Surface) -> Value:
    return Value(surface.name, surface.forms)
