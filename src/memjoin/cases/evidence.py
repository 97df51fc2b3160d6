"""What a case's text shows: the ground on which the properties are checked.

Everything here is read off the text. An annotated span counts only for the characters that stand there, and
an annotated statement only if the sentences it points to name all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import repeat
from operator import contains
from typing import NamedTuple, TypeAlias

from memjoin.cases.plaintext import GAP, NOWHERE, any_in, count, count_of, phrase, phrases, plain_all
from memjoin.cases.schema import Annotation, Case, Clue, RequiredItem, Span, Value
from memjoin.text.graph import Same, Statement
from memjoin.text.record import maker, record

_STOPS = ".!?"
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


# The same as Stated(...), which goes through a function of Python's.
_stated: Callable[[tuple[int, Statement, tuple[Key, Key], bool, bool]], Stated] = partial(
    tuple.__new__, Stated
)


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


_make_thing, _make_evidence = maker(Thing), maker(Evidence)


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


def describe(statement: Statement) -> str:
    """Say a statement in a few words."""
    if isinstance(statement, Same):
        return f"{statement.a.name} is {statement.b.name}"
    return f"the {statement.kind} of {statement.on.name} is {statement.value}"


def ends(statement: Statement) -> tuple[Key, Key]:
    """Return the two things that a statement connects."""
    if isinstance(statement, Same):
        a, b = statement.a, statement.b
        return (a.type, a.name), (b.type, b.name)
    on, kind = statement.on, statement.kind
    return (on.type, on.name), ("person" if kind == "holder" else kind, statement.value)


def gather(case: Case) -> Evidence:
    """Read off a case's text what its annotation claims."""
    annotation = case.annotation
    turns = [[turn.text for turn in session.turns] for session in case.sessions]
    sessions = tuple([plain_all(texts) for texts in turns])
    text = GAP.join(sessions)
    misplaced: list[tuple[Span, str]] = []
    spans, placed = _value_spans(annotation, turns, misplaced)
    whole = _sentences(annotation.clues, turns)
    codes = [named.forms for named in annotation.handles if len(named.forms) == 1]
    # One look at all of it, since each look costs more than what is looked at.
    lines = [*whole.values(), *[code for (code,) in codes]]
    words = plain_all(lines).split(GAP) if lines else []
    called: dict[tuple[str, ...], tuple[str, ...]] = {
        forms: (one or NOWHERE,) for forms, one in zip(codes, words[len(whole) :], strict=True)
    }
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
    days, in_others = _numbers(text, day)
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
    sentences = dict(zip(whole, zip(whole.values(), words[: len(whole)], strict=True), strict=True))
    misplaced += [
        (span, "a whole sentence of its clue")
        for clue in annotation.clues
        for span in clue.sentences
        if span not in sentences or span[0] != clue.session
    ]
    stated, unsupported = _read(annotation.clues, sentences, known, placed, removed)
    return _make_evidence(
        sessions,
        text,
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
    return _make_thing(name, wanted, frozenset(places), count_of(wanted, text))


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
        return _make_thing(date.canonical, wanted, places, days)
    return _make_thing(date.canonical, wanted, places, count_of(wanted, text))


def _numbers(text: str, number: str) -> tuple[int, bool]:
    """Return how often plain text has a number, given plain, and whether its digits stand in other tokens."""
    digits = number.strip()
    if not digits.isalnum():
        return count(number, text), True
    times, in_others, at = 0, False, text.find(digits)
    while at >= 0:
        if text.startswith(number, at - 1):
            times += 1
        else:
            in_others = True
        at = text.find(digits, at + len(digits))
    return times, in_others


def _read(
    clues: Sequence[Clue],
    sentences: Mapping[Span, tuple[str, str]],
    known: Mapping[Key, tuple[str, ...]],
    placed: Sequence[set[Key]],
    removed: set[Key],
) -> tuple[list[Stated], list[tuple[Clue, Statement]]]:
    """Return the annotated statements that their sentences support, in session order, and those they do not.

    Args:
        clues: The clues.
        sentences: Their sentences, as they stand and plain.
        known: The phrases of every handle and value.
        placed: For each clue, the values that stand in its places for values.
        removed: What is gone once every cue's places are deleted.
    """
    sharing: dict[Span, list[Clue]] = {}
    if sum([len(clue.sentences) for clue in clues]) > len(sentences):
        for clue in clues:
            for span in clue.sentences:
                sharing.setdefault(span, []).append(clue)
    stated: list[Stated] = []
    unsupported: list[tuple[Clue, Statement]] = []
    for clue, values in sorted(zip(clues, placed, strict=True), key=_session_of):
        session, decoy = clue.session, clue.decoy
        said = GAP.join([sentences[span][1] for span in clue.sentences if span in sentences])
        beside = _beside(clue, sharing) if sharing else ()
        for statement in clue.statements:
            left, right = both = ends(statement)
            one, other = known.get(left) or _NOTHING, known.get(right) or _NOTHING
            if (
                (one[0] in said or any_in(one, said))
                and (other[0] in said or any_in(other, said))
                and (right in values or left[0] == "person" or right[0] in ("person", "entry"))
                and _makes_sense(statement, left[0], right[0])
                and not (beside and _crossed(said, statement, beside, known))
            ):
                survives = left not in removed and right not in removed
                stated.append(_stated((session, statement, both, decoy, survives)))
            else:
                unsupported.append((clue, statement))
    return stated, unsupported


def _beside(clue: Clue, sharing: Mapping[Span, Sequence[Clue]]) -> list[Clue]:
    """Return the other clues that share a sentence with a clue."""
    return [other for span in clue.sentences for other in sharing[span] if other is not clue]


def _makes_sense(statement: Statement, left: str, right: str) -> bool:
    """Tell whether a statement is one of the graph's: a file of somebody's own may hold others."""
    return left == right if isinstance(statement, Same) else left not in ("person", right)


def _crossed(
    said: str, statement: Statement, beside: Iterable[Clue], known: Mapping[Key, tuple[str, ...]]
) -> bool:
    """Tell whether a sentence that clues share pairs the ends of their statements the other way round.

    In "KV-1 goes to A and KV-2 to B" the order of the codes is that of the places.
    """
    left, right = [_place(said, known.get(end, ())) for end in ends(statement)]
    for stated in [one for other in beside for one in other.statements]:
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


def _session_of(one: tuple[Clue, set[Key]]) -> int:
    return one[0].session


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
