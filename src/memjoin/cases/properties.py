"""The properties P1 to P11 of a case, each a function from the text's evidence to what breaks it.

The numbers are those of ``docs/cases.md``. Every function yields one sentence, naming the place, for each
breach, and nothing where the property holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import lru_cache
from itertools import chain, combinations, pairwise

from memjoin.cases.compatible import compatible
from memjoin.cases.draw import session_tokens
from memjoin.cases.evidence import Evidence
from memjoin.cases.lint import content_words, not_plain
from memjoin.cases.naming import ordinal, shared_names, what_called
from memjoin.cases.plaintext import (
    GAP,
    any_in,
    count_of,
    full_name,
    names,
    phrase,
    plain,
    plain_all,
)
from memjoin.cases.schema import Span, Stratum
from memjoin.cases.seen import Seen
from memjoin.cases.stated import Stated, describe
from memjoin.text.dates import date_stated
from memjoin.text.graph import Attribute, Same, Statement
from memjoin.text.sentences import split_sentences

_TIME = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d")

_VALUES = ("service", "site", "date")

COMPATIBLE = 3
"""How many named people must remain compatible with the target (P9)."""


def p1(seen: Seen) -> Iterator[str]:
    """P1: the complete history entails the target, and no other value of it."""
    for earlier, later in pairwise(seen.case.sessions):
        if earlier.at >= later.at:
            yield f"session {later.id} is not later than session {earlier.id}"
    for clue, statement in seen.evidence.unsupported:
        if not clue.decoy:
            yield f"the sentences of {seen.session(clue.session)} do not say that {describe(statement)}"
    if seen.relation not in seen.entailed:
        yield "the sessions together do not entail the target"
    for other in seen.entailed:
        if seen.about_subject(other) and not seen.is_target(other):
            yield f"the sessions also entail {other.service}, {other.site}, {other.date} for {other.subject}"


def p2(seen: Seen) -> Iterator[str]:
    """P2: no proper subset of the clue sessions entails the target."""
    if len(seen.clues) == 1 and seen.relation in seen.entailed:
        yield f"{seen.session(min(seen.clues))} alone entails the target"
    for subset in seen.facts.suffice:
        named = ", ".join(seen.session(seen.sessions[number]) for number in subset)
        yield f"{named or 'no clue session'} alone entails the target"


def p3(seen: Seen) -> Iterator[str]:
    """P3: the task names no component and no cue, needs none, and finds what it needs in the sessions."""
    annotation, task, evidence = seen.case.annotation, seen.case.task, seen.evidence
    given = [thing.phrases for thing in (*evidence.values.values(), *evidence.cues)]
    # One look at all of it tells of nearly every case that nothing is given away.
    text, items = evidence.task, evidence.items
    everything = GAP.join([text, *items])
    told = any(map(everything.__contains__, chain.from_iterable(given)))
    if told:
        for thing in evidence.values.values():
            if any_in(thing.phrases, text):
                yield f"the task names {thing.name}, a component of the target"
    iso = annotation.target.date.canonical
    maybe = iso in task.text or phrase(iso[8:]) in text
    if maybe and _is_date(iso) and date_stated(task.text, text.split(), iso):
        yield f"the task holds the parts of the date, {iso}"
    if told:
        for cue in evidence.cues:
            if any_in(cue.phrases, text):
                yield f"the task names the cue {cue.name}"
    if not 2 <= len(annotation.required) <= 4:
        yield f"the task has {len(annotation.required)} required items, not 2 to 4"
    for item in evidence.lacking:
        yield f"the required item {item.name} does not stand where the annotation has it"
    if any(map(text.__contains__, filter(None, items))):
        for item in annotation.required:
            if names(text, item.forms):
                yield f"the task gives the required item {item.name} away"
    if told:
        for item in annotation.required:
            words = plain_all(item.forms)
            if any(any_in(wanted, words) for wanted in given):
                yield f"the required item {item.name} holds a component or a cue"


def p4(seen: Seen) -> Iterator[str]:
    """P4: target values, cues and the subject's name stand only where the annotation says."""
    case, evidence, annotation = seen.case, seen.evidence, seen.case.annotation
    for span, expected in evidence.misplaced:
        yield f"{seen.place(span)} is not {expected}"
    for thing in (*evidence.values.values(), *evidence.cues):
        if thing.strays:
            for number, text in enumerate(evidence.sessions):
                here = sum(place.session == number for place in thing.places)
                if count_of(thing.phrases, text) > here:
                    yield f"{seen.session(number)} names {thing.name} where the annotation does not say so"
    target = annotation.target
    naming = {seen.sessions[place] for place in seen.facts.naming}
    called, service = what_called(case), evidence.values["service"].phrases
    for number, text in enumerate(evidence.sessions):
        if any_in(called, text):
            if number not in naming:
                yield f"{seen.session(number)} names {target.subject.canonical} without a clue about them"
            if any_in(service, text):
                yield f"{seen.session(number)} names both {target.subject.canonical} and the service"
    for stated in evidence.stated:
        if isinstance(stated.statement, Same):
            yield from _joined_elsewhere(seen, stated)
    for form, one, other in shared_names(evidence):
        yield f"'{form}' could be {one} or {other}"
    if len({session.id for session in case.sessions}) < len(case.sessions):
        yield "two sessions have the same id"


def _joined_elsewhere(seen: Seen, stated: Stated) -> Iterator[str]:
    """Yield sentences that name both ends of a ``same`` outside the clues that state it."""
    evidence = seen.evidence
    a, b = [evidence.phrases[end] for end in stated.ends]
    both = [number for number, text in enumerate(evidence.sessions) if any_in(a, text) and any_in(b, text)]
    for number in both:
        for span, sentence in _sentences_naming(seen, number, a, b):
            if any_in(a, sentence) and any_in(b, sentence) and not _stating(seen, span, stated.statement):
                yield f"a sentence of {seen.session(number)} also says that {describe(stated.statement)}"


def _stating(seen: Seen, span: Span, statement: Statement) -> bool:
    """Tell whether a sentence is one by which a clue makes a statement."""
    clues = seen.case.annotation.clues
    return any(statement in clue.statements for clue in clues if span in clue.sentences)


def _sentences_naming(seen: Seen, number: int, *ends: tuple[str, ...]) -> Iterable[tuple[Span, str]]:
    """Return sentences of a session, plain, among them all that could name several things.

    Where every mention of one of them stands in a clue's sentence, those are enough.
    """
    text = seen.evidence.sessions[number]
    clues = [(span, words) for span, (_, words) in seen.evidence.sentences.items() if span[0] == number]
    said = GAP.join([words for _, words in clues])
    if any(count_of(end, text) == count_of(end, said) for end in ends) and _apart(clues):
        return clues
    return [
        (Span(number, place, start, end), plain(turn.text[start:end]))
        for place, turn in enumerate(seen.case.sessions[number].turns)
        for start, end in split_sentences(turn.text)
    ]


def _apart(sentences: Iterable[tuple[Span, str]]) -> bool:
    """Tell whether no two sentences of a session overlap."""
    return all(
        one.turn != following.turn or one.end <= following.start
        for one, following in pairwise(sorted([span for span, _ in sentences]))
    )


def p5(seen: Seen) -> Iterator[str]:
    """P5: two decoys at least carry values of the same kinds, and none entails a target."""
    for clue, statement in seen.evidence.unsupported:
        if clue.decoy:
            yield f"the sentences of {seen.session(clue.session)} do not say that {describe(statement)}"
    decoys = [
        one
        for one in seen.evidence.stated
        if one.decoy and one.ends[1][0] in _VALUES and isinstance(one.statement, Attribute)
    ]
    carrying = {one.ends[0] for one in decoys}
    if len(carrying) < 2:
        yield f"{len(carrying)} decoys carry values, not at least two"
    carried = {one.ends[1][0] for one in decoys}
    if len(carried) < len(_VALUES):
        yield from [f"no decoy carries a {kind}" for kind in _VALUES if kind not in carried]
    ours = {seen.relation.service, seen.relation.site, seen.relation.date}
    for one in decoys:
        if one.ends[1][1] in ours or one.ends[0][1] in ours:
            yield f"a decoy carries a value of the target: {describe(one.statement)}"
    for other in seen.entailed:
        if not seen.about_subject(other):
            yield f"the sessions entail a whole relation for {other.subject} too"


def p6(seen: Seen) -> Iterator[str]:
    """P6: without the cues the target is no longer entailed; the stratum is what the text shows then."""
    if seen.facts.without_cues:
        yield "the target is still entailed with every cue deleted"
    if not seen.case.annotation.cues:
        yield "the case has no cue"
    cues = {(cue.handle.type, cue.handle.name) for cue in seen.case.annotation.cues}
    for number in seen.facts.connecting:
        kind, name = seen.things[number]
        if (kind, name) not in cues:
            yield f"{name} connects sessions and is no cue"
    shown = stratum(seen.evidence)
    if shown != seen.case.annotation.stratum:
        yield f"the stratum is {shown}, not {seen.case.annotation.stratum}"


def stratum(evidence: Evidence) -> Stratum:
    """Return whether every value of the target stays visible once the cues are deleted."""
    hidden = any(evidence.hidden(thing) for thing in evidence.values.values())
    return "separated" if hidden else "values-visible"


def p7(seen: Seen) -> Iterator[str]:
    """P7: with the target's spans deleted, each availability check fails on all that is left."""
    evidence = seen.evidence
    for kind in ("service", "site"):
        if evidence.values[kind].strays:
            yield f"the {kind} is still found with the target's places deleted"
    # Each form of the date has the day's number once. Where the number stands nowhere else, no rest of the
    # text and no other date can complete the date by accident.
    thing = evidence.values["date"]
    if not _is_date(thing.name):
        yield f"the target's date, {thing.name}, is not written like 2029-09-17"
        return
    day = thing.name[8:]
    if evidence.days > len(thing.places):
        yield f"the day's number, {day}, also stands elsewhere and could complete the date"
    spoken = ordinal(int(day))
    if evidence.day_in_others and phrase(spoken) in evidence.text:
        yield f"the day is spoken of elsewhere, as the {spoken}"
    times = [session.at for session in seen.case.sessions]
    if day in " ".join(times) or not all(map(_TIME.fullmatch, times)):
        for session in seen.case.sessions:
            if not _TIME.fullmatch(session.at):
                yield f"the time of session {session.id}, {session.at}, is not written like 2029-08-20T14:05"
            elif day in session.at and day in session_tokens(session.at):
                yield f"the time of session {session.id} has the day's number, {day}"
    if not "13" <= day <= "31":
        yield f"the target's day is {day}, not one from 13 to 31"


def p8(seen: Seen) -> Iterator[str]:
    """P8: no site, handle or cue shares a content word with a service."""
    annotation = seen.case.annotation
    people = frozenset(annotation.people)
    services = [value.forms for kind, value in annotation.values if kind == "service"]
    words = frozenset().union(*map(_content_words, services))
    named = [(value.canonical, value.forms) for kind, value in annotation.values if kind == "site"]
    named += [(one.handle.name, one.forms) for one in annotation.handles if one.handle.name not in people]
    everything = GAP.join([form for _, forms in named for form in forms])
    folded = everything.lower() if everything.isascii() else plain(everything)
    if not any(map(folded.__contains__, words)):
        return
    for name, forms in dict(named).items():
        for word in sorted(_content_words(forms) & words):
            yield f"{name} shares the word '{word}' with a service"


@lru_cache(maxsize=1 << 12)
def _content_words(forms: tuple[str, ...]) -> frozenset[str]:
    return content_words(" ".join(forms))


def p9(seen: Seen) -> Iterator[str]:
    """P9: without the cues, and in every proper subset of sessions, three people remain compatible."""
    annotation, evidence = seen.case.annotation, seen.evidence
    target = annotation.target
    people = dict.fromkeys((*annotation.people, target.subject.canonical))
    for person in annotation.people:
        if seen.group(person) < 0 and full_name(person) not in evidence.text:
            people.pop(person, None)
            yield f"no session names {person}"
    unsure = [person for person in people if seen.group(person) in seen.facts.at_odds]
    sure = len(people) - len(unsure)
    if sure >= COMPATIBLE:
        return
    views = [("with every cue deleted", [one.statement for one in evidence.stated if one.survives])]
    clues = sorted({clue.session for clue in annotation.clues})
    for size in range(len(clues)):
        for subset in combinations(clues, size):
            named = ", ".join(seen.session(number) for number in subset) or "no clue session"
            views.append((f"given {named}", _without(evidence.stated, set(clues).difference(subset))))
    for what, statements in views:
        left = sure + sum(compatible(statements, person, target) for person in unsure)
        if left < COMPATIBLE:
            yield f"{what}, only {left} people remain compatible with the target"


def p10(seen: Seen) -> Iterator[str]:
    """P10: clue remarks are plain assertions."""
    sentences = seen.evidence.sentences
    all_of_it = [GAP.join(parts) for parts in zip(*sentences.values(), strict=True)]
    if not sentences or not not_plain(*all_of_it):
        return
    for span, (sentence, words) in sentences.items():
        word = not_plain(sentence, words)
        if word:
            yield f"'{word}' keeps {seen.place(span)} from being a plain assertion"


def p11(seen: Seen) -> Iterator[str]:
    """P11: the required items survive the deletion of the cues."""
    for item in seen.case.annotation.required:
        if seen.evidence.deleted(item.place):
            yield f"the required item {item.name} is gone with the cues"


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _without(stated: tuple[Stated, ...], sessions: set[int]) -> list[Statement]:
    return [one.statement for one in stated if one.session not in sessions]


PROPERTIES: dict[str, Callable[[Seen], Iterator[str]]] = {
    check.__name__.upper(): check for check in (p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11)
}
"""All properties, by number."""
