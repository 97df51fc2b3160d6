"""Values, names and cues that are others, or stand elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from damage import Damage as D
from memjoin.cases.evidence import text_at
from memjoin.cases.schema import Case, Clue, Span
from memjoin.text.graph import Same
from mutations.base import KINDS, another, breaks, naming_sessions, ours, places_of, turning


@breaks("P1")
def swap_a_value_with_a_decoys(case: Case) -> Iterator[Case]:
    for kind in KINDS:
        name, _, theirs = another(case, kind)
        mine = places_of(case, getattr(case.annotation.target, kind).forms)[0]
        texts = {mine: text_at(case, theirs) or name, theirs: text_at(case, mine) or ""}
        changed = case
        for span in sorted(texts, reverse=True):  # the later first: the earlier stays where it is
            changed = D.replace_at(changed, span, texts[span])
        yield changed


@breaks("P1")
def give_the_remark_to_somebody_else(case: Case) -> Iterator[Case]:
    subject = case.annotation.target.subject
    other = next(name for name in case.annotation.people if name != subject.canonical)
    clue = next(clue for clue in ours(case) if clue.session in naming_sessions(case))
    for span in clue.sentences:
        text = text_at(case, span) or ""
        for form in subject.forms:
            if form in text:
                at = span.start + text.index(form)
                yield D.replace_at(case, Span(span.session, span.turn, at, at + len(form)), other)
                return


@breaks("P4")
def leak_the_name_into_another_session(case: Case) -> Iterator[Case]:
    full = case.annotation.target.subject.canonical
    names = (full, full.split()[0], full.split()[-1], full.upper())
    for number in set(range(len(case.sessions))) - naming_sessions(case):
        name = names[turning(case, number) % len(names)]
        yield D.add_text(case, number, 0, f"By the way, {name} sends greetings.")


@breaks("P4")
def leak_the_service_to_the_session_of_the_name(case: Case) -> Iterator[Case]:
    for number in naming_sessions(case):
        for form in case.annotation.target.service.forms[-1:]:
            yield D.add_text(case, number, 0, f"It is for the {form}.")


@breaks("P4")
def say_a_value_where_the_annotation_is_silent(case: Case) -> Iterator[Case]:
    for step, kind in enumerate(KINDS):
        forms = getattr(case.annotation.target, kind).forms
        at = turning(case, step)
        yield D.add_text(case, at % len(case.sessions), 0, f"So, {forms[at % len(forms)]} it is.")


@breaks("P4")
def say_a_cue_where_the_annotation_is_silent(case: Case) -> Iterator[Case]:
    for cue in case.annotation.cues:
        yield D.add_text(case, turning(case) % len(case.sessions), 0, f"Mind {cue.forms[-1]}.")


@breaks("P1")
def move_a_cue(case: Case) -> Iterator[Case]:
    """Take a cue out of its remark and say it in another session, annotated there."""
    for number, cue in enumerate(case.annotation.cues):
        old = cue.places[turning(case) % len(cue.places)]
        home = next(clue.session for clue in ours(case) if clue.session != old.session)
        text = text_at(case, old) or ""
        moved = D.add_text(D.replace_at(case, old, "that one"), home, 0, f"Mind {text}")
        end = len(moved.sessions[home].turns[0].text)
        new = Span(home, 0, end - len(text), end)
        cues = list(moved.annotation.cues)
        places = cues[number].places
        at = cue.places.index(old)
        cues[number] = replace(cues[number], places=(*places[:at], new, *places[at + 1 :]))
        yield D.annotated(moved, cues=tuple(cues))


@breaks("P4")
def say_two_names_of_one_thing_in_one_more_sentence(case: Case) -> Iterator[Case]:
    same = next((one for clue in ours(case) for one in clue.statements if isinstance(one, Same)), None)
    if same is not None:
        clue = next(clue for clue in ours(case) if same in clue.statements)
        yield D.add_text(case, clue.session, 0, f"{same.a.name} comes before {same.b.name}.")


@breaks("P4")
def shift_a_span(case: Case) -> Iterator[Case]:
    clue = next(clue for clue in case.annotation.clues[turning(case) % 3 :] if clue.values)
    shifted = clue.values[0]._replace(start=clue.values[0].start + 1, end=clue.values[0].end + 1)
    yield _exchanged(case, clue, replace(clue, values=(shifted, *clue.values[1:])))


@breaks("P4")
def say_that_a_remark_stands_in_another_session(case: Case) -> Iterator[Case]:
    remarks = ours(case)
    at = turning(case) % 4
    yield _exchanged(case, remarks[at], replace(remarks[at], session=remarks[at - 1].session))


def _exchanged(case: Case, clue: Clue, new: Clue) -> Case:
    clues = tuple(new if one is clue else one for one in case.annotation.clues)
    return D.annotated(case, clues=clues)
