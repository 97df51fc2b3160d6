"""What a case's text shows: the ground on which the properties are checked.

Everything here is read off the text. An annotated span counts only for the characters that stand there, and
an annotated statement only if the sentences it points to name all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from operator import contains

from memjoin.cases.plaintext import GAP, NOWHERE, count_of, number_in, phrase, phrases, plain_all
from memjoin.cases.schema import Annotation, Case, Clue, RequiredItem, Span, Value
from memjoin.cases.stated import Key, Stated, read_stated
from memjoin.text.graph import Statement
from memjoin.text.record import record

_STOPS = ".!?"


@record
class Thing:
    """A value of the target, or a cue: its phrases, its annotated places, and how often the text has it."""

    name: str
    phrases: tuple[str, ...]
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
    task: str
    items: tuple[str, ...]
    """Every form of every required item."""
    phrases: Mapping[Key, tuple[str, ...]]
    """The plain forms of every handle and value."""
    values: Mapping[str, Thing]
    """The target's service, site and date."""
    days: int
    """How often the text has the number of the target's day."""
    day_in_others: bool
    """Whether its digits stand in other numbers or words, too: 17 in 4217 and in 17th."""
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
        gone = self.gone.get(place[:2])
        if gone is None:
            return False
        _, _, start, end = place
        return any(one.start < end and start < one.end for one in gone)

    def hidden(self, thing: Thing) -> bool:
        """Tell whether a value is out of sight once every cue's places are deleted."""
        return thing.times <= sum([self.deleted(place) for place in thing.places])


def text_at(case: Case, span: Span) -> str | None:
    """Return the characters of a span, or None where the case has no such place."""
    session, turn, start, end = span
    sessions = case.sessions
    if 0 <= session < len(sessions):
        turns = sessions[session].turns
        if 0 <= turn < len(turns):
            text = turns[turn].text
            if 0 <= start < end <= len(text):
                return text[start:end]
    return None


def gather(case: Case) -> Evidence:
    """Read off a case's text what its annotation claims."""
    annotation = case.annotation
    turns = [[turn.text for turn in session.turns] for session in case.sessions]
    whole = _sentences(annotation.clues, turns)
    codes = [named.forms for named in annotation.handles if len(named.forms) == 1]
    items = [form for item in annotation.required for form in item.forms]
    # All is made plain in one go, since to begin costs as much as a session does.
    said = list(chain.from_iterable(turns))
    lines = plain_all([*said, *whole.values(), *[code for (code,) in codes], case.task.text, *items]).split(
        GAP
    )
    sessions, at = [], 0
    for texts in turns:
        sessions.append(GAP.join(lines[at : at + len(texts)]))
        at += len(texts)
    text = GAP.join(sessions)
    words = lines[at : at + len(whole)]
    at += len(whole)
    called: dict[tuple[str, ...], tuple[str, ...]] = {
        forms: (one or NOWHERE,) for forms, one in zip(codes, lines[at : at + len(codes)], strict=True)
    }
    asked, *needed = lines[at + len(codes) :]
    misplaced: list[tuple[Span, str]] = []
    spans, placed = _value_spans(annotation, turns, misplaced)
    known: dict[Key, tuple[str, ...]] = {}
    for named in annotation.handles:
        handle, forms = named.handle, named.forms
        known[handle.type, handle.name] = called.get(forms) or phrases(forms)
    for kind, value in annotation.values:
        known[kind, value.canonical] = phrases(value.forms)
    target = annotation.target
    values = {
        kind: _thing(text, value.canonical, phrases(value.forms), spans.get((kind, value.canonical), ()))
        for kind, value in (("service", target.service), ("site", target.site))
    }
    day = phrase(target.date.canonical[8:])
    days, in_others = number_in(text, day)
    values["date"] = _date(text, target.date, spans.get(("date", target.date.canonical), ()), day, days)
    cues = []
    gone: dict[tuple[int, int], list[Span]] = {}
    removed: set[Key] = set()
    for cue in annotation.cues:
        forms, handle = cue.forms, cue.handle
        places = [span for span in cue.places if _is_one_of(forms, _text(turns, span))]
        if len(places) < len(cue.places):
            misplaced += [(span, f"the cue {handle.name}") for span in cue.places if span not in places]
        thing = _thing(text, handle.name, called.get(forms) or phrases(forms), places)
        cues.append(thing)
        for place in thing.places:
            gone.setdefault(place[:2], []).append(place)
        if not thing.strays:  # a cue that also stands elsewhere is not gone with its places
            removed.add((handle.type, handle.name))
    lacking = [item for item in annotation.required if not _is_one_of(item.forms, _text(turns, item.place))]
    misplaced += [(item.place, f"the required item {item.name}") for item in lacking]
    sentences = dict(zip(whole, zip(whole.values(), words, strict=True), strict=True))
    misplaced += [
        (span, "a whole sentence of its clue")
        for clue in annotation.clues
        for span in clue.sentences
        if span not in sentences or span[0] != clue.session
    ]
    stated, unsupported = read_stated(annotation.clues, sentences, known, placed, removed)
    return Evidence(
        tuple(sessions),
        text,
        asked,
        tuple(needed),
        known,
        values,
        days,
        in_others,
        tuple(cues),
        tuple(stated),
        sentences,
        tuple(unsupported),
        tuple(misplaced),
        gone,
        tuple(lacking),
    )


def _text(turns: Sequence[Sequence[str]], span: Span) -> str:
    """Return what stands at a place, nothing where the case has no such place.

    Args:
        turns: The texts of all turns, session by session.
        span: The place.
    """
    session, turn, start, end = span
    if session < 0 or turn < 0 or start < 0:
        return ""
    try:
        text = turns[session][turn][start:end]
    except IndexError:
        return ""
    return text if len(text) == end - start else ""


def _is_one_of(forms: tuple[str, ...], text: str) -> bool:
    """Tell whether a text is one of some forms, in any case."""
    return text in forms or (text != "" and text.casefold() in _folded(forms))


def _thing(text: str, name: str, wanted: tuple[str, ...], places: Iterable[Span]) -> Thing:
    """Count how often the text names a thing."""
    return Thing(name, wanted, frozenset(places), count_of(wanted, text))


def _date(text: str, date: Value, spans: Iterable[Span], day: str, days: int) -> Thing:
    """Count how often the text names the target's date.

    Args:
        text: All sessions, plain.
        date: The date.
        spans: Its annotated places.
        day: The day's number, plain.
        days: How often it stands in the text.
    """
    wanted, places = phrases(date.forms), frozenset(spans)
    # Where every form has the day's number, and that stands in the places alone, so does the date.
    if days == len(places) and all(map(contains, wanted, repeat(day))):
        return Thing(date.canonical, wanted, places, days)
    return Thing(date.canonical, wanted, places, count_of(wanted, text))


def _value_spans(
    annotation: Annotation, turns: Sequence[Sequence[str]], misplaced: list[tuple[Span, str]]
) -> tuple[dict[Key, list[Span]], list[set[Key]]]:
    """Return the annotated places of every value, by what stands there, and the values in each clue's."""
    forms = [(value.forms, (kind, value.canonical)) for kind, value in annotation.values]
    forms.reverse()  # of two values with one form the later counts
    found: dict[Key, list[Span]] = {}
    placed: list[set[Key]] = []
    for clue in annotation.clues:
        here: set[Key] = set()
        for span in clue.values:
            text = _text(turns, span)
            read = [key for known, key in forms if text in known] if text else []
            key = read[0] if read else _any_case(text, forms)
            if key is None:
                misplaced.append((span, "a service, a site or a date of the case"))
            else:
                found.setdefault(key, []).append(span)
                here.add(key)
        placed.append(here)
    return found, placed


def _any_case(text: str, forms: Iterable[tuple[tuple[str, ...], Key]]) -> Key | None:
    folded = text.casefold()
    return next((key for known, key in forms if text and folded in _folded(known)), None)


@lru_cache(maxsize=1 << 11)
def _folded(forms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(form.casefold() for form in forms)


def _sentences(clues: Iterable[Clue], turns: Sequence[Sequence[str]]) -> dict[Span, str]:
    """Return the clues' sentences as they stand: those that start and end where a sentence does."""
    found: dict[Span, str] = {}
    for clue in clues:
        for span in clue.sentences:
            session, turn, start, _ = span
            if session == clue.session and span not in found:
                text = _text(turns, span)
                if text and text[-1] in _STOPS:
                    before = turns[session][turn][:start].rstrip()
                    if not before or before[-1] in _STOPS:
                        found[span] = text
    return found
