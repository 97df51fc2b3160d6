"""The annotation of a case that has just been written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from memjoin.cases.schema import Annotation, Cue, NamedHandle, Span, Target, Value
from memjoin.cases.surface import Surface
from memjoin.cases.topologies import PASSING, PEOPLE, Plan
from memjoin.cases.write import Draft
from memjoin.text.graph import AttributeKind

_VALUES: dict[str, AttributeKind] = {"S": "site", "D": "date", "V": "service"}


def annotate(draft: Draft, why: str) -> Annotation:
    """Return the annotation of a case.

    Args:
        draft: The case, all of its turns written.
        why: Why disclosing the relation would be inappropriate.
    """
    surfaces, places, plan = draft.cast.surfaces, draft.places, draft.plan
    values = tuple(
        [(_VALUES[variable[0]], _value(surfaces[variable])) for variable in places if variable[0] in _VALUES]
    )
    people = [variable for variable in PEOPLE if variable in places or variable in PASSING]
    return Annotation(
        target=Target(*[_value(surfaces[variable]) for variable in ("N", "V", "S", "D")]),
        handles=tuple(_handles((*people, *places), plan, surfaces)),
        values=values,
        clues=tuple(draft.clues),
        cues=tuple([_cue(surfaces[variable], places.get(variable, ())) for variable in plan.cues]),
        required=tuple(draft.required),
        people=tuple([surfaces[variable].name for variable in people]),
        stratum="separated" if {"S", "D"} & set(plan.cues) else "values-visible",
        why=why,
    )


def _handles(variables: Iterable[str], plan: Plan, surfaces: Mapping[str, Surface]) -> Iterable[NamedHandle]:
    """Name every person and entry, and sites or dates where they connect."""
    for variable in dict.fromkeys(variables):
        named = surfaces[variable].named
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
