"""Remarks that are no plain assertions, and decoys that are missing or say too much."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from damage import Damage as D
from memjoin.cases.evidence import text_at
from memjoin.cases.schema import Case, Clue, Span
from memjoin.text.graph import Attribute, Handle, Statement
from mutations.base import KINDS, another, breaks, ours, places_of, state, turning

NEGATIONS = ("not", "never", "no longer", "definitely not", "nowhere", "hardly", "neither", "don't")
HEARSAY = (
    ", or so I heard",
    ", they said",
    ", apparently",
    ", somebody told me",
    ", according to the rumour",
    ", I believe",
    ", supposedly",
)
CONDITIONS = (
    ", if all goes well",
    ", unless it moves",
    ", perhaps",
    ", provided that it stays so",
    ", assuming that it is the same one",
    ", depending on the weather",
)


@breaks("P10")
def negate_a_remark(case: Case) -> Iterator[Case]:
    for step, clue in enumerate(ours(case)):
        span = clue.sentences[-1]
        at = span.start + _blank(case, clue, span)
        word = NEGATIONS[turning(case, step) % len(NEGATIONS)]
        yield D.replace_at(case, Span(span.session, span.turn, at, at + 1), f" {word} ")


def _blank(case: Case, clue: Clue, sentence: Span) -> int:
    """Return where a sentence has its last blank outside all that is annotated."""
    taken = [*clue.values, *(place for cue in case.annotation.cues for place in cue.places)]
    return max(
        found.start()
        for found in re.finditer(" ", text_at(case, sentence) or "")
        if not any(
            span[:2] == sentence[:2] and span.start <= sentence.start + found.start() < span.end
            for span in taken
        )
    )


def _ended(case: Case, step: int, ending: str) -> Case:
    """Let one of the case's own remarks end in other words."""
    remarks = ours(case)
    span = remarks[turning(case, step) % len(remarks)].sentences[-1]
    return D.replace_at(case, span._replace(start=span.end - 1), ending)


@breaks("P10")
def ask_instead_of_stating(case: Case) -> Iterator[Case]:
    yield _ended(case, 0, (" - right?", "?", ", is that so?")[turning(case) % 3])


@breaks("P10")
def report_hearsay(case: Case) -> Iterator[Case]:
    yield _ended(case, 1, f"{HEARSAY[turning(case) % len(HEARSAY)]}.")


@breaks("P10")
def set_a_condition(case: Case) -> Iterator[Case]:
    yield _ended(case, 2, f"{CONDITIONS[turning(case) % len(CONDITIONS)]}.")


@breaks("P5")
def delete_the_decoys_of_a_kind(case: Case) -> Iterator[Case]:
    """Nothing is left of them, in the text either."""
    kept = {span for clue in ours(case) for span in clue.sentences}
    for kind in KINDS:
        gone = [
            clue
            for clue in case.annotation.clues
            if clue.decoy
            for one in clue.statements
            if isinstance(one, Attribute) and one.kind == kind
        ]
        clues = tuple(clue for clue in case.annotation.clues if clue not in gone)
        changed = D.annotated(case, clues=clues)
        spans = {span for clue in gone for span in clue.sentences} - kept
        for span in sorted(spans, reverse=True):
            changed = D.replace_at(changed, span, "So much for that.")
        yield changed


@breaks("P5")
def delete_all_decoys_but_one(case: Case) -> Iterator[Case]:
    carrying = [clue for clue in case.annotation.clues if clue.decoy and clue.values]
    first = carrying[0].statements[0]
    assert isinstance(first, Attribute)
    clues = (
        clue
        for clue in case.annotation.clues
        if not clue.decoy or any(isinstance(one, Attribute) and one.on == first.on for one in clue.statements)
    )
    yield D.annotated(case, clues=tuple(clues))


@breaks("P5")
def give_a_decoy_a_whole_relation(case: Case) -> Iterator[Case]:
    values = {kind: another(case, kind)[0] for kind in KINDS}
    subject = case.annotation.target.subject.canonical
    person = next(name for name in reversed(case.annotation.people) if name != subject)
    entry = Handle("entry", "ZQ-8080")
    handles = (
        *case.annotation.handles,
        replace(case.annotation.handles[0], handle=entry, forms=(entry.name,)),
    )
    text = f"{person} has {entry.name}, the {values['service']} at {values['site']} on {values['date']}."
    statements = (
        Attribute("holder", entry, person),
        Attribute("service", entry, values["service"]),
        Attribute("site", entry, values["site"]),
        Attribute("date", entry, values["date"]),
    )
    yield state(D.annotated(case, handles=handles), len(case.sessions) - 1, text, *statements)


@breaks("P5")
def give_a_decoy_a_value_of_the_target(case: Case) -> Iterator[Case]:
    for kind in KINDS:
        target = getattr(case.annotation.target, kind)
        name, forms, _ = another(case, kind)
        changed = case
        for place in sorted(places_of(case, forms, decoy=True), reverse=True):
            changed = D.replace_at(changed, place, target.canonical)
        clues = tuple(
            replace(
                clue, statements=tuple(_valued(one, kind, name, target.canonical) for one in clue.statements)
            )
            if clue.decoy
            else clue
            for clue in changed.annotation.clues
        )
        yield D.annotated(changed, clues=clues)


def _valued(one: Statement, kind: str, old: str, new: str) -> Statement:
    if isinstance(one, Attribute):
        if one.kind == kind and one.value == old:
            return replace(one, value=new)
        if one.on.type == kind and one.on.name == old:
            return replace(one, on=replace(one.on, name=new))
    return one
