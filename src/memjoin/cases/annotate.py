"""The annotation of a case that has just been written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from memjoin.cases.draw import Cast
from memjoin.cases.schema import Annotation, Cue, NamedHandle, Span, Target, Value
from memjoin.cases.surface import Surface
from memjoin.cases.topologies import PASSING, PEOPLE, Plan
from memjoin.cases.write import Written
from memjoin.text.graph import AttributeKind

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
    places: dict[str, list[Span]] = {}
    for turn in written:
        for variable, span in turn.marks:
            places.setdefault(variable, []).append(span)
    values = tuple(
        [(_VALUES[variable[0]], _value(surfaces[variable])) for variable in places if variable[0] in _VALUES]
    )
    people = [variable for variable in PEOPLE if variable in places or variable in PASSING]
    return Annotation(
        target=Target(*[_value(surfaces[variable]) for variable in ("N", "V", "S", "D")]),
        handles=tuple(_handles((*people, *places), plan, cast)),
        values=values,
        clues=tuple([clue for turn in written for clue in turn.clues]),
        cues=tuple([_cue(surfaces[variable], places.get(variable, ())) for variable in plan.cues]),
        required=tuple([turn.item for turn in written]),
        people=tuple([surfaces[variable].name for variable in people]),
        stratum="separated" if {"S", "D"} & set(plan.cues) else "values-visible",
        why=why,
    )


def _handles(variables: Iterable[str], plan: Plan, cast: Cast) -> Iterable[NamedHandle]:
    """Name every person and entry, and sites or dates where they connect."""
    for variable in dict.fromkeys(variables):
        named = cast.surfaces[variable].named
        if named is not None and (variable[0] not in _VALUES or variable[0] in plan.cues):
            yield named


def _cue(surface: Surface, places: Iterable[Span]) -> Cue:
    if surface.handle is None:
        raise ValueError(f"a service connects nothing: {surface.name}")
    return Cue(surface.handle, surface.forms, tuple(places))


def _value(surface: Surface) -> Value:
    return _make_value(surface.name, surface.forms)


# Services, sites and dates come back in case after case.
_make_value = lru_cache(maxsize=1 << 14)(Value)
