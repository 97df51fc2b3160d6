"""The annotation of a case that has just been written."""

from __future__ import annotations

from collections.abc import Iterable

from memjoin.cases.schema import Annotation, Cue, NamedHandle, Span, Target, Value
from memjoin.cases.surface import Surface
from memjoin.cases.topologies import PASSING, PEOPLE
from memjoin.cases.write import Draft


def annotate(draft: Draft, why: str) -> Annotation:
    """Return the annotation of a case.

    Args:
        draft: The case, all of its turns written.
        why: Why disclosing the relation would be inappropriate.
    """
    surfaces, places, plan = draft.cast.surfaces, draft.places, draft.plan
    people = [variable for variable in PEOPLE if variable in places or variable in PASSING]
    others = [variable for variable in places if variable not in people]
    named = _named(surfaces["N"])
    subject = Value(named.handle.name, named.forms)
    return Annotation(
        target=Target(subject, *[_value(surfaces[one]) for one in "VSD"]),
        handles=tuple([_named(surfaces[one]) for one in (*people, *others) if one in plan.handles]),
        values=tuple([(plan.values[one], _value(surfaces[one])) for one in others if one in plan.values]),
        clues=tuple(draft.clues),
        cues=tuple([_cue(_named(surfaces[variable]), places[variable]) for variable in plan.cues]),
        required=tuple(draft.required),
        people=tuple([surfaces[variable].name for variable in people]),
        stratum=plan.stratum,
        why=why,
    )


def _cue(named: NamedHandle, places: Iterable[Span]) -> Cue:
    return Cue(named.handle, named.forms, tuple(places))


def _named(surface: Surface) -> NamedHandle:
    if surface.named is None:
        raise ValueError(f"a service is no handle: {surface.name}")
    return surface.named


def _value(surface: Surface) -> Value:
    if surface.value is None:
        raise ValueError(f"not a service, site or date: {surface.name}")
    return surface.value
