"""What a case's text shows: the ground on which the properties are checked.

Everything here is read off the text. An annotated span counts only for the characters that stand there, and
an annotated statement only if the sentences it points to name all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from memjoin.cases.plaintext import GAP, any_in, occurrences, phrase, phrases, plain, plain_all
from memjoin.cases.schema import Case, Clue, RequiredItem, Span
from memjoin.text.graph import Same, Statement
from memjoin.text.record import record

_NOTHING = ("\0",)
"""The phrases of what the annotation does not know: they stand nowhere."""

Key: TypeAlias = tuple[str, str]
"""The type and name of a handle, or the kind and canonical form of a value."""


class Stated(NamedTuple):
    """An annotated statement that the text of its sentences supports."""

    session: int
    statement: Statement
    ends: tuple[Key, Key]
    """The two things that it connects."""
    decoy: bool
    survives: bool
    """Whether the sentences still name all of it with every cue's places deleted."""


@record
class Thing:
    """A value of the target, or a cue: its forms, its annotated places, and how often the text has it."""

    name: str
    forms: tuple[str, ...]
    places: frozenset[Span]
    times: int

    @property
    def strays(self) -> bool:
        """Whether the text names it where the annotation does not say so."""
        return self.times > len(self.places)


@record
class Evidence:
    """What the text of a case shows. Texts are plain (see ``plaintext``)."""

    sessions: tuple[str, ...]
    text: str
    """All sessions."""
    phrases: Mapping[Key, tuple[str, ...]]
    """The plain forms of every handle and value."""
    values: Mapping[str, Thing]
    """The target's service, site and date."""
    cues: tuple[Thing, ...]
    stated: tuple[Stated, ...]
    """The supported statements, in session order."""
    sentences: Mapping[Span, tuple[str, str]]
    """The clues' sentences: as they stand, and plain."""
    unsupported: tuple[tuple[Clue, Statement], ...]
    misplaced: tuple[tuple[Span, str], ...]
    """Spans that lie outside the text or hold something else than annotated, and what was expected."""
    gone: Mapping[tuple[int, int], Sequence[Span]]
    """The cues' places, by session and turn."""
    lacking: tuple[RequiredItem, ...]
    """The required items that do not stand where the annotation has them."""

    def deleted(self, place: Span) -> bool:
        """Tell whether a place is touched when every cue's places are deleted."""
        return any(
            gone.start < place.end and place.start < gone.end
            for gone in self.gone.get((place.session, place.turn), ())
        )

    def hidden(self, thing: Thing) -> bool:
        """Tell whether a value is out of sight once every cue's places are deleted."""
        return thing.times <= sum([self.deleted(place) for place in thing.places])


def text_at(case: Case, span: Span) -> str | None:
    """Return the characters of a span, or None where the case has no such place."""
    sessions = case.sessions
    if not 0 <= span.session < len(sessions) or not 0 <= span.turn < len(sessions[span.session].turns):
        return None
    text = sessions[span.session].turns[span.turn].text
    return text[span.start : span.end] if 0 <= span.start < span.end <= len(text) else None


def describe(statement: Statement) -> str:
    """Say a statement in a few words."""
    if isinstance(statement, Same):
        return f"{statement.a.name} is {statement.b.name}"
    return f"the {statement.kind} of {statement.on.name} is {statement.value}"


def ends(statement: Statement) -> tuple[Key, Key]:
    """Return the two things that a statement connects."""
    if isinstance(statement, Same):
        return (statement.a.type, statement.a.name), (statement.b.type, statement.b.name)
    kind = "person" if statement.kind == "holder" else statement.kind
    return (statement.on.type, statement.on.name), (kind, statement.value)


def gather(case: Case) -> Evidence:
    """Read off a case's text what its annotation claims."""
    annotation = case.annotation
    sessions = tuple([plain_all([turn.text for turn in session.turns]) for session in case.sessions])
    text = GAP.join(sessions)
    misplaced: list[tuple[Span, str]] = []
    known: dict[Key, tuple[str, ...]] = {
        (named.handle.type, named.handle.name): phrases(named.forms) for named in annotation.handles
    }
    for kind, value in annotation.values:
        known[kind, value.canonical] = phrases(value.forms)
    spans = _value_spans(case, misplaced)
    target = annotation.target
    values = {}
    for kind, value in (("service", target.service), ("site", target.site), ("date", target.date)):
        places = frozenset(spans.get((kind, value.canonical), ()))
        day = phrase(value.canonical[8:])
        if kind == "date" and _all_hold(value.forms, day) and text.count(day) == len(places):
            # Every form has the day's number: where that stands in the places alone, so does the date.
            times = len(places)
        else:
            times = occurrences(text, value.forms)
        values[kind] = Thing(value.canonical, value.forms, places, times)
    cues = []
    for cue in annotation.cues:
        places = frozenset(_matching(case, cue.places, cue.forms, f"the cue {cue.handle.name}", misplaced))
        cues.append(Thing(cue.handle.name, cue.forms, places, occurrences(text, cue.forms)))
    gone: dict[tuple[int, int], list[Span]] = {}
    for thing in cues:
        for place in thing.places:
            gone.setdefault((place.session, place.turn), []).append(place)
    lacking = tuple(
        [
            item
            for item in annotation.required
            if not _matching(case, (item.place,), item.forms, f"the required item {item.name}", misplaced)
        ]
    )
    # A cue that also stands elsewhere is not gone with its places.
    removed = {
        (cue.handle.type, cue.handle.name)
        for cue, thing in zip(annotation.cues, cues, strict=True)
        if not thing.strays
    }
    sentences = _sentences(case, misplaced)
    sharing: dict[Span, list[Clue]] = {}
    for clue in annotation.clues:
        for span in clue.sentences:
            sharing.setdefault(span, []).append(clue)
    stated: list[Stated] = []
    unsupported: list[tuple[Clue, Statement]] = []
    for clue in sorted(annotation.clues, key=_session_of):
        marked = [span for span in clue.sentences if span in sentences]
        said = GAP.join([sentences[span][1] for span in marked])
        beside = [
            other
            for span in clue.sentences
            if len(sharing[span]) > 1
            for other in sharing[span]
            if other is not clue
        ]
        for statement in clue.statements:
            both = left, right = ends(statement)
            if (
                _makes_sense(statement)
                and any_in(known.get(left, _NOTHING), said)
                and any_in(known.get(right, _NOTHING), said)
                and (left[0] == "person" or right[0] in ("person", "entry") or _spanned(clue, spans, right))
                and not (beside and any(_crossed(said, statement, other, known) for other in beside))
            ):
                survives = left not in removed and right not in removed
                stated.append(Stated(clue.session, statement, both, clue.decoy, survives))
            else:
                unsupported.append((clue, statement))
    return Evidence(
        sessions,
        text,
        known,
        values,
        tuple(cues),
        tuple(stated),
        sentences,
        tuple(unsupported),
        tuple(misplaced),
        gone,
        lacking,
    )


def _makes_sense(statement: Statement) -> bool:
    """Tell whether a statement is one of the graph's: a file of somebody's own may hold others."""
    if isinstance(statement, Same):
        return statement.a.type == statement.b.type
    return statement.on.type != "person" and statement.on.type != statement.kind


def _crossed(said: str, statement: Statement, other: Clue, known: Mapping[Key, tuple[str, ...]]) -> bool:
    """Tell whether a sentence that two clues share pairs their ends the other way round.

    In "KV-1 goes to A and KV-2 to B" the order of the codes is that of the places.
    """
    left, right = [_place(said, known.get(end, ())) for end in ends(statement)]
    for stated in other.statements:
        if type(stated) is type(statement) and getattr(stated, "kind", "") == getattr(statement, "kind", ""):
            its_left, its_right = [_place(said, known.get(end, ())) for end in ends(stated)]
            if (left < its_left) != (right < its_right):
                return True
    return False


def _place(said: str, wanted: tuple[str, ...]) -> int:
    """Return where the first of some phrases stands in plain text, -1 if none does."""
    if len(wanted) == 1:
        return said.find(wanted[0])
    return min([said.find(one) for one in wanted if one in said], default=-1)


def _session_of(clue: Clue) -> int:
    return clue.session


def _spanned(clue: Clue, spans: Mapping[Key, Sequence[Span]], value: Key) -> bool:
    return any(span in clue.values for span in spans.get(value, ()))


def _value_spans(case: Case, misplaced: list[tuple[Span, str]]) -> dict[Key, list[Span]]:
    """Return the annotated places of every value, by what stands there."""
    known: dict[str, Key] = {}
    for kind, value in case.annotation.values:
        for form in value.forms:
            known[form] = (kind, value.canonical)
    found: dict[Key, list[Span]] = {}
    for clue in case.annotation.clues:
        for span in clue.values:
            text = text_at(case, span)
            key = known.get(text) or _any_case(text, known) if text else None
            if key is None:
                misplaced.append((span, "a service, a site or a date of the case"))
            else:
                found.setdefault(key, []).append(span)
    return found


def _any_case(text: str, known: Mapping[str, Key]) -> Key | None:
    folded = text.casefold()
    return next((key for form, key in known.items() if form.casefold() == folded), None)


@lru_cache(maxsize=1 << 12)
def _all_hold(forms: tuple[str, ...], word: str) -> bool:
    return all(word in phrase(form) for form in forms)


@lru_cache(maxsize=1 << 11)
def _folded(forms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(form.casefold() for form in forms)


def _matching(
    case: Case,
    places: Iterable[Span],
    forms: tuple[str, ...],
    expected: str,
    misplaced: list[tuple[Span, str]],
) -> list[Span]:
    folded = _folded(forms)
    found = []
    for span in places:
        text = text_at(case, span)
        if text is not None and text.casefold() in folded:
            found.append(span)
        else:
            misplaced.append((span, expected))
    return found


def _sentences(case: Case, misplaced: list[tuple[Span, str]]) -> dict[Span, tuple[str, str]]:
    """Return the clues' sentences, as they stand and plain; spans must start and end where sentences do."""
    found: dict[Span, tuple[str, str]] = {}
    for clue in case.annotation.clues:
        for span in clue.sentences:
            if span in found and span.session == clue.session:
                continue
            text = text_at(case, span)
            if text and text[-1] in ".!?" and span.session == clue.session:
                before = case.sessions[span.session].turns[span.turn].text[: span.start].rstrip()
                if not before or before[-1] in ".!?":
                    found[span] = (text, plain(text))
                    continue
            misplaced.append((span, "a whole sentence of its clue"))
    return found
