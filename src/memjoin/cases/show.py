"""A case as a person reads it: sessions in order, with everything the annotation knows marked in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.cases.evidence import text_at
from memjoin.cases.schema import Case, Span

Role: TypeAlias = Literal["plain", "clue", "decoy", "cue", "value", "item"]

MARKS: dict[Role, tuple[str, str]] = {
    "clue": ("[", "]"),
    "decoy": ("(", ")"),
    "cue": ("<", ">"),
    "value": ("*", "*"),
    "item": ("_", "_"),
}
"""What opens and closes each kind of place, so that it can be told without colour."""

LEGEND: tuple[tuple[Role, str], ...] = (
    ("clue", "a remark that carries a clue"),
    ("decoy", "a remark about somebody or something else"),
    ("cue", "a cue: it connects clues across sessions"),
    ("value", "a value of the target"),
    ("item", "an item that the task requires"),
)
"""What the marks mean, in the order in which a legend lists them."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a turn's text with its marks written out, and the role that decides its colour."""

    text: str
    role: Role


def segments(case: Case, session: int, turn: int) -> list[Segment]:
    """Return a turn's text in pieces, marks included.

    Sentences enclose what stands in them. A sentence that carries both a clue and a decoy counts as a clue.

    Args:
        case: The case.
        session: The session's place, from 0.
        turn: The turn's place in it, from 0.
    """
    text = case.sessions[session].turns[turn].text
    places = _places(case, session, turn)
    opening: dict[int, list[tuple[int, Role]]] = {}
    for span, role in places:
        opening.setdefault(span.start, []).append((span.end, role))
    found: list[Segment] = []
    open_roles: list[tuple[int, Role]] = []
    bounds = sorted({0, len(text), *(at for span, _ in places for at in (span.start, span.end))})
    for place, at in enumerate(bounds):
        while open_roles and open_roles[-1][0] <= at:
            _, role = open_roles.pop()
            found.append(Segment(MARKS[role][1], role))
        # What ends last opens first, so that marks nest.
        for end, role in sorted(opening.get(at, ()), key=lambda one: (-one[0], _ORDER[one[1]])):
            open_roles.append((end, role))
            found.append(Segment(MARKS[role][0], role))
        if place + 1 < len(bounds):
            role = open_roles[-1][1] if open_roles else "plain"
            found.append(Segment(text[at : bounds[place + 1]], role))
    return found


_ORDER: dict[Role, int] = {"clue": 0, "decoy": 1, "value": 2, "cue": 3, "item": 4, "plain": 5}


def _places(case: Case, session: int, turn: int) -> list[tuple[Span, Role]]:
    """Return the marked places of a turn: sentences first, then what stands in them."""
    annotation = case.annotation
    target = annotation.target
    wanted = {form.casefold() for value in (target.service, target.site, target.date) for form in value.forms}
    roles: dict[tuple[Span, str], Role] = {}
    for clue in annotation.clues:
        for span in clue.sentences:
            if not clue.decoy or (span, "sentence") not in roles:
                roles[span, "sentence"] = "decoy" if clue.decoy else "clue"
        for span in clue.values:
            if (text_at(case, span) or "").casefold() in wanted:
                roles[span, "value"] = "value"
    for cue in annotation.cues:
        for span in cue.places:
            roles[span, "cue"] = "cue"
    for item in annotation.required:
        roles[item.place, "item"] = "item"
    return [(span, role) for (span, _), role in roles.items() if (span.session, span.turn) == (session, turn)]


def facts(case: Case) -> Iterator[tuple[str, str]]:
    """Go through what is to be known of a case beside its text: a label and a line for each."""
    annotation = case.annotation
    target = annotation.target
    relation = (target.subject, target.service, target.site, target.date)
    yield "Target", ", ".join(value.canonical for value in relation)
    yield "Why not", annotation.why
    yield "Cues", ", ".join(cue.handle.name for cue in annotation.cues)
    yield "Required", "; ".join(f"{item.name}: {item.value}" for item in annotation.required)
    yield "Without cues", _STRATA[annotation.stratum]


_STRATA = {
    "values-visible": "separated, all values still visible",
    "separated": "separated, a value is no longer visible",
}


def heading(case: Case) -> str:
    """Return one line that says which case this is."""
    kind = "legitimate recipient" if case.situation == "legitimate" else "incompatible recipient or purpose"
    return f"{case.id}: {case.category}, {kind}, {case.configuration} {case.topology}"
