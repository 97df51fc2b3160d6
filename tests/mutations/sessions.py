"""Sessions and remarks that are missing, doubled or out of order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from damage import Damage as D
from memjoin.cases.schema import Case, Clue, Span, Turn
from memjoin.text.graph import Attribute, Same
from mutations.base import KINDS, another, breaks, ours, sentence, state, turning


@breaks("P1")
def drop_a_session(case: Case) -> Iterator[Case]:
    for number in sorted({clue.session for clue in ours(case)}):
        yield D.drop_session(case, number)


@breaks("P1")
def drop_a_session_but_not_its_annotation(case: Case) -> Iterator[Case]:
    first = ours(case)[turning(case) % 4].session
    yield replace(case, sessions=case.sessions[:first] + case.sessions[first + 1 :])


@breaks("P1")
def drop_a_remark(case: Case) -> Iterator[Case]:
    clue = ours(case)[turning(case) % 4]
    kept = D.annotated(case, clues=tuple(one for one in case.annotation.clues if one is not clue))
    yield D.replace_at(kept, clue.sentences[0], "So be it.")


@breaks("P2")
def say_a_remark_in_another_session_too(case: Case) -> Iterator[Case]:
    target = case.annotation.target
    aliases = {cue.handle.name for cue in case.annotation.cues}
    final = {target.subject.canonical, *aliases, *(getattr(target, kind).canonical for kind in KINDS)}
    remarks = ours(case)
    for clue, other in zip(remarks, (*remarks[1:], remarks[0]), strict=True):
        if all(isinstance(one, Same) or one.value in final for one in clue.statements):
            yield _copied(case, clue, other.session)


def _copied(case: Case, clue: Clue, session: int) -> Case:
    """Say a remark once more at the end of another session's first turn, and annotate it there."""
    spans = clue.sentences
    length = len(case.sessions[session].turns[0].text) + 1
    moved = {}
    for span in spans:
        moved[span] = length - span.start
        length += span.end - span.start + 1

    def move(place: Span) -> Span:
        by = next(by for span, by in moved.items() if _inside(place, span))
        return Span(session, 0, place.start + by, place.end + by)

    changed = D.add_text(case, session, 0, sentence(case, clue))
    copy = D.map_spans(replace(clue, session=session), move)
    cues = [
        replace(
            cue,
            places=(
                *cue.places,
                *(move(place) for place in cue.places if any(_inside(place, span) for span in spans)),
            ),
        )
        for cue in case.annotation.cues
    ]
    # In the order of sessions: within one, what is annotated later was said later.
    return D.annotated(changed, clues=(*case.annotation.clues, copy), cues=tuple(cues))


def _inside(place: Span, span: Span) -> bool:
    return place[:2] == span[:2] and span.start <= place.start and place.end <= span.end


@breaks("P4")
def say_a_remark_in_another_session_without_annotation(case: Case) -> Iterator[Case]:
    remarks = ours(case)
    at = turning(case) % 4
    yield D.add_text(case, remarks[at - 1].session, 0, sentence(case, remarks[at]))


@breaks("P2")
def tell_everything_in_one_session(case: Case) -> Iterator[Case]:
    """All sessions run together."""
    starts: list[int] = []
    turns: list[Turn] = []
    for session in case.sessions:
        starts.append(len(turns))
        turns += session.turns
    annotation = D.map_spans(
        case.annotation, lambda span: span._replace(session=0, turn=span.turn + starts[span.session])
    )
    clues = tuple(replace(clue, session=0) for clue in annotation.clues)
    sessions = (replace(case.sessions[0], turns=tuple(turns)),)
    yield replace(case, sessions=sessions, annotation=replace(annotation, clues=clues))


@breaks("P1")
def exchange_the_sessions_of_what_was_and_what_is(case: Case) -> Iterator[Case]:
    target = case.annotation.target
    now = {kind: getattr(target, kind).canonical for kind in KINDS} | {"holder": target.subject.canonical}
    said = [(clue.session, one) for clue in ours(case) for one in clue.statements]
    for before, old in said:
        for after, new in said:
            if isinstance(old, Same) or isinstance(new, Same) or old.kind != new.kind:
                continue
            if before < after and old.value != now[old.kind] == new.value:
                yield _exchanged(case, before, after)


def _exchanged(case: Case, a: int, b: int) -> Case:
    """Let two sessions change places; the times stay in order."""
    to = {a: b, b: a}
    order = [to.get(number, number) for number in range(len(case.sessions))]
    sessions = tuple(
        replace(case.sessions[old], at=now.at) for old, now in zip(order, case.sessions, strict=True)
    )
    annotation = D.map_spans(
        case.annotation, lambda span: span._replace(session=to.get(span.session, span.session))
    )
    clues = [replace(clue, session=to.get(clue.session, clue.session)) for clue in annotation.clues]
    return replace(case, sessions=sessions, annotation=replace(annotation, clues=tuple(clues)))


@breaks("P1")
def date_a_session_before_the_one_before(case: Case) -> Iterator[Case]:
    at = turning(case) % (len(case.sessions) - 1)
    first, second = case.sessions[at : at + 2]
    pair = replace(first, at=second.at), replace(second, at=first.at)
    yield replace(case, sessions=(*case.sessions[:at], *pair, *case.sessions[at + 2 :]))


@breaks("P1")
def say_in_the_end_that_it_is_elsewhere(case: Case) -> Iterator[Case]:
    """A later statement about the target's own entry, annotated."""
    name, _, _ = another(case, "site")
    entry = next(cue for cue in case.annotation.cues if cue.handle.type == "entry")
    last = len(case.sessions) - 1
    start = len(case.sessions[last].turns[0].text) + 1
    form = entry.forms[0]
    changed = state(
        case, last, f"{form} is at {name} now.", Attribute("site", entry.handle, name), decoy=False
    )
    place = Span(last, 0, start, start + len(form))
    cues = [
        replace(cue, places=(*cue.places, place)) if cue is entry else cue for cue in changed.annotation.cues
    ]
    yield D.annotated(changed, cues=tuple(cues))
