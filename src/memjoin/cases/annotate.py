"""The annotation of a case that has just been written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from memjoin.cases.draw import PASSING, PEOPLE, Cast
from memjoin.cases.schema import Annotation, Cue, NamedHandle, Target, Value
from memjoin.cases.surface import Surface
from memjoin.cases.topologies import Plan
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
    used = dict.fromkeys([variable for turn in written for variable, _ in turn.marks])
    values = tuple(
        [(_VALUES[variable[0]], _value(surfaces[variable])) for variable in used if variable[0] in _VALUES]
    )
    cues = tuple([_cue(variable, cast, written) for variable in plan.cues])
    people = [variable for variable in PEOPLE if variable in used or variable in PASSING]
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


def _handles(variables: Iterable[str], plan: Plan, cast: Cast) -> Iterable[NamedHandle]:
    """Name every person and entry, and sites or dates where they connect."""
    valued = {kind for kind in _VALUES if kind not in plan.cues}
    for variable in dict.fromkeys(variables):
        surface = cast.surfaces[variable]
        if surface.handle is not None and variable[0] not in valued:
            yield NamedHandle(surface.handle, surface.forms)


def _cue(variable: str, cast: Cast, written: Sequence[Written]) -> Cue:
    surface = cast.surfaces[variable]
    if surface.handle is None:
        raise ValueError(f"a service connects nothing: {surface.name}")
    places = [span for turn in written for name, span in turn.marks if name == variable]
    return Cue(surface.handle, surface.forms, tuple(places))


def _value(surface: Surface) -> Value:
    return _make_value(surface.name, surface.forms)


# Services, sites and dates come back in case after case.
_make_value = lru_cache(maxsize=1 << 12)(Value)
