"""What stands around the remarks: the task and its items, dates, places' names, people, the annotation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from damage import Damage as D
from memjoin.cases.schema import Case, NamedHandle
from memjoin.text.graph import Attribute, Handle
from mutations.base import KINDS, another, breaks, naming_sessions, places_of, state, turning


@breaks("P3")
def name_a_component_in_the_task(case: Case) -> Iterator[Case]:
    target = case.annotation.target
    for kind in KINDS:
        forms = getattr(target, kind).forms
        for form in forms if kind != "date" else (forms[0], forms[turning(case) % len(forms)]):
            yield _task(case, f"{case.task.text} It is about {form.upper()}.")


@breaks("P3")
def name_the_parts_of_the_date_in_the_task(case: Case) -> Iterator[Case]:
    day = date.fromisoformat(case.annotation.target.date.canonical)
    yield _task(case, f"By {day:%Y}, in {day:%B}: {case.task.text} They have {day:%d} seats.")


@breaks("P3")
def name_a_cue_in_the_task(case: Case) -> Iterator[Case]:
    for cue in case.annotation.cues:
        yield _task(case, f"{case.task.text} They know {cue.forms[-1]}.")


def _task(case: Case, text: str) -> Case:
    return replace(case, task=replace(case.task, text=text))


@breaks("P3")
def drop_a_required_item_from_the_text(case: Case) -> Iterator[Case]:
    item = case.annotation.required[turning(case) % len(case.annotation.required)]
    yield D.replace_at(case, item.place, "the usual")


@breaks("P3")
def require_too_little_or_too_much(case: Case) -> Iterator[Case]:
    required = case.annotation.required
    yield D.annotated(case, required=required[:1])
    yield D.annotated(case, required=(required * 2)[:5])


@breaks("P3")
def require_a_component(case: Case) -> Iterator[Case]:
    kind = KINDS[turning(case) % 3]
    target = getattr(case.annotation.target, kind)
    place = places_of(case, target.forms)[0]
    item = replace(case.annotation.required[0], value=target.canonical, forms=target.forms, place=place)
    yield D.annotated(case, required=(item, *case.annotation.required[1:]))


@breaks("P11")
def require_what_goes_with_the_cues(case: Case) -> Iterator[Case]:
    cue = case.annotation.cues[0]
    item = replace(case.annotation.required[0], forms=cue.forms, place=cue.places[0])
    yield D.annotated(case, required=(item, *case.annotation.required[1:]))


@breaks("P11")
def require_a_phrase_that_holds_a_cue(case: Case) -> Iterator[Case]:
    """The item begins a word before a cue, or ends a word after it."""
    for cue in case.annotation.cues:
        span = cue.places[turning(case) % len(cue.places)]
        text = case.sessions[span.session].turns[span.turn].text
        start = text.rfind(" ", 0, max(span.start - 1, 0)) + 1
        end = text.find(" ", span.end + 1)
        for wider in (span._replace(start=start), span._replace(end=end if end > 0 else len(text))):
            phrase = text[wider.start : wider.end]
            item = replace(case.annotation.required[-1], value=phrase, forms=(phrase,), place=wider)
            yield D.annotated(case, required=(*case.annotation.required[:-1], item))


@breaks("P7")
def add_a_third_date_with_the_missing_token(case: Case) -> Iterator[Case]:
    day = date.fromisoformat(case.annotation.target.date.canonical)
    others = (
        f"It was {day.replace(month=day.month % 12 + 1, day=1):%B} {day:%d}, {day.year - 1}.",
        f"We need {day:%d} chairs.",
        f"It is {day:%d}:05 by the clock in the hall.",
        f"The {_ordinal(day.day)} suits me for the bins.",
    )
    for step, text in enumerate(others):
        yield D.add_text(case, turning(case, step) % len(case.sessions), 0, text)


def _ordinal(day: int) -> str:
    return f"{day}{ {21: 'st', 31: 'st', 22: 'nd', 23: 'rd'}.get(day, 'th') }"


@breaks("P7")
def hold_a_session_on_the_day(case: Case) -> Iterator[Case]:
    day = case.annotation.target.date.canonical[8:]
    sessions = (replace(case.sessions[0], at=f"2026-01-{day}T08:05"), *case.sessions[1:])
    yield replace(case, sessions=sessions)


@breaks("P7")
def set_the_target_on_an_early_day(case: Case) -> Iterator[Case]:
    target = case.annotation.target.date
    early = f"{target.canonical[:8]}09"
    yield D.rename(case, target.forms, places_of(case, target.forms), early)


@breaks("P8")
def name_a_site_after_a_service(case: Case) -> Iterator[Case]:
    word = _telling_word(case)
    yield D.rename_site(case, f"{word} Annex")
    _, forms, _ = another(case, "site")
    yield D.rename(case, forms, places_of(case, forms, decoy=True), f"House of {word}")


@breaks("P8")
def name_a_cue_after_the_service(case: Case) -> Iterator[Case]:
    cue = case.annotation.cues[0]
    yield D.rename(case, cue.forms, cue.places, f"the {_telling_word(case)} one")


def _telling_word(case: Case) -> str:
    return re.split(r"[ -]", case.annotation.target.service.canonical)[0].capitalize()


@breaks("P9")
def leave_too_few_people(case: Case) -> Iterator[Case]:
    subject = case.annotation.target.subject.canonical
    yield D.annotated(case, people=(subject,))
    yield D.annotated(case, people=(*case.annotation.people, "Nadia Nowhere"))


@breaks("P9")
def say_of_everybody_else_that_they_are_elsewhere(case: Case) -> Iterator[Case]:
    """The others all have something somewhere else: only the subject is left."""
    subject = case.annotation.target.subject.canonical
    site, _, _ = another(case, "site")
    changed = case
    for number, person in enumerate(case.annotation.people):
        if person != subject:
            entry = Handle("entry", f"ZQ-808{number}")
            named = NamedHandle(entry, (entry.name,))
            changed = D.annotated(changed, handles=(*changed.annotation.handles, named))
            statements = Attribute("holder", entry, person), Attribute("site", entry, site)
            changed = state(changed, 0, f"{person} has {entry.name} at {site}.", *statements)
    yield changed


@breaks("P6")
def annotate_no_cue(case: Case) -> Iterator[Case]:
    yield D.annotated(case, cues=())


@breaks("P6")
def leave_a_cue_out_of_the_annotation(case: Case) -> Iterator[Case]:
    for cue in case.annotation.cues:
        kept = tuple(one for one in case.annotation.cues if one is not cue)
        if kept:
            yield D.annotated(case, cues=kept)


@breaks("P4")
def leave_a_place_of_a_cue_out_of_the_annotation(case: Case) -> Iterator[Case]:
    cue = case.annotation.cues[0]
    at = turning(case) % len(cue.places)
    shorter = replace(cue, places=cue.places[:at] + cue.places[at + 1 :])
    yield D.annotated(case, cues=(shorter, *case.annotation.cues[1:]))


@breaks("P6")
def call_the_stratum_the_other_one(case: Case) -> Iterator[Case]:
    other = "separated" if case.annotation.stratum == "values-visible" else "values-visible"
    yield D.annotated(case, stratum=other)


@breaks("P4")
def give_two_sessions_one_id(case: Case) -> Iterator[Case]:
    yield replace(case, sessions=(replace(case.sessions[0], id=case.sessions[1].id), *case.sessions[1:]))


@breaks("P4")
def give_a_decoy_the_given_name_of_the_subject(case: Case) -> Iterator[Case]:
    """One name for two people, in the session that names the subject."""
    given = case.annotation.target.subject.canonical.split()[0]
    namesake = f"{given} Nowhere"
    named = replace(case.annotation.handles[0], handle=Handle("person", namesake), forms=(namesake, given))
    changed = D.add_text(case, min(naming_sessions(case)), 0, f"{namesake} waves.")
    people = (*case.annotation.people, namesake)
    yield D.annotated(changed, people=people, handles=(*changed.annotation.handles, named))
