"""Reading records: sentence by sentence, each record by itself, then put in the order of sessions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memjoin.text.graph import Attribute, Classes, Handle, Same, Statement
from memjoin.text.reading.bind import Taken, bind, on_values, without_speakers
from memjoin.text.reading.complete import complete, dangling, untied
from memjoin.text.reading.known import Outright, Placed
from memjoin.text.reading.lexicon import Lexicon, Wording, spaced
from memjoin.text.reading.ordinals import with_ordinals
from memjoin.text.reading.outline import Outline, denies, outline
from memjoin.text.reading.surfaces import Mention
from memjoin.text.reading.ties import Subject, Ties, value_of
from memjoin.text.reading.topic import (
    Reference,
    Topic,
    after,
    body,
    is_label,
    refers,
    speaks_of_place,
    takes_up,
)
from memjoin.text.sentences import split_sentences
from memjoin.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class RecordReading:
    """What one record states of a case."""

    statements: tuple[Placed, ...] = ()
    outright: tuple[Outright, ...] = ()
    """Values tied to a person without an entry."""
    loose: frozenset[tuple[str, str]] = frozenset()
    """(kind, canonical) of values that stand in an assertion and are tied to nothing."""
    untied: frozenset[Statement] = frozenset()
    """Holder and ``Same`` statements of the case that the record does not make and may be read to make: their
    ends share a sentence, or one end stands in a sentence about something that the record does not name."""
    foreign: frozenset[Statement] = frozenset()
    """Attributes that the record gives an entry of the case and the case does not."""
    named: frozenset[tuple[str, str]] = frozenset()
    """(kind, name) of everything the record mentions, asserted or not."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What records state of a case, record by record."""

    records: tuple[RecordReading, ...]

    def statements(self, through_values: bool = True) -> list[Statement]:
        """Return what all records together state, in the order in which the case states it.

        What is tied outright to a person becomes the attributes of an entry of its own, so that
        entailment needs no other rule for it. With ``through_values`` False, statements that hang on a
        site or date are left out.
        """
        placed = sorted({item for record in self.records for item in record.statements}, key=by_place)
        placed += _one_holder(placed)
        classes = Classes()
        for _, statement in placed:
            if isinstance(statement, Same):
                classes.merge(statement.a, statement.b)
        direct: set[Placed] = set()
        for tie in {tie for record in self.records for tie in record.outright}:
            person = classes.root(Handle("person", tie.person)).name
            entry = Handle("entry", f"{tie.entry.name}{_OUTRIGHT}{person}")
            direct.add(Placed(tie.holder_place, Attribute("holder", entry, tie.person)))
            direct.add(Placed(tie.place, Attribute(tie.kind, entry, tie.value)))
        return [
            statement
            for _, statement in sorted([*placed, *direct], key=by_place)
            if through_values or isinstance(statement, Same) or statement.on.type not in ("site", "date")
        ]


def by_place(item: Placed) -> tuple[int, str, str, str]:
    """Order statements as the case does, and those of one place the same way in every process."""
    place, statement = item
    if isinstance(statement, Same):
        return place, "", statement.a.name, statement.b.name
    return place, statement.kind, statement.on.name, statement.value


def _one_holder(placed: Sequence[Placed]) -> list[Placed]:
    """Return that two names are one person's, where records give both to one entry by one tie of the case.

    'KX-1 is Priya Raman's' and 'KX-1 is Juniper's' say so between them: an entry has one holder at a time.
    """
    holders: dict[tuple[int, Handle], str] = {}
    found: list[Placed] = []
    for place, statement in placed:
        if isinstance(statement, Attribute) and statement.kind == "holder":
            first = holders.setdefault((place, statement.on), statement.value)
            if first != statement.value:
                found.append(Placed(place, Same(Handle("person", first), Handle("person", statement.value))))
    return found


_LIST_MARK = re.compile(r"\s*(?:[-*\u2022\u2013\u2014\u25aa\u25e6>#|]+|\(?\d{1,3}[.)])\s*")
_NOTHING = RecordReading()
_OUTRIGHT = "\0 outright of "  # no name of a case holds a NUL


def is_outright(entry: Handle) -> bool:
    """Tell whether an entry stands for what was tied outright to a person."""
    return _OUTRIGHT in entry.name


def read(records: Iterable[str], lexicon: Lexicon, *, completing: bool = True) -> Reading:
    """Read what records state of a case.

    Every record is read by itself: what 'it' means never comes from another record. The order of records
    does not matter; where statements replace one another, the case's own order of sessions decides.

    Args:
        records: The texts of a store, of an input, or one answer.
        lexicon: The case's surfaces and statements.
        completing: Apply rule 8 (completion), which suits stores and inputs, not answers.
    """
    return Reading(tuple(read_record(record, lexicon, completing=completing) for record in records))


def read_record(text: str, lexicon: Lexicon, *, completing: bool = True) -> RecordReading:
    """Read one record; see ``read``."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    mentions, words = lexicon.surfaces.find(text)
    if not mentions:
        return _NOTHING
    ties = Ties(lexicon.known)
    verbatim = _verbatim(spaced(words), lexicon)
    for wording in verbatim:
        for placed in wording.statements:
            ties.accept(placed)
    loose: set[tuple[str, str]] = set()
    open_ties: set[Statement] = set()
    topic = Topic()
    nouns = lexicon.surfaces.nouns
    for start, end, named in _sentences(text, mentions):
        here = with_ordinals(text, start, end, named, topic.several)
        if not here:
            if not is_label(text, body(text, start, end), end) and not _is_item(text, start):
                topic = Topic()
            continue
        if verbatim and _is_worded(spaced(tokens(text[start:end])), here, verbatim):
            topic = after(topic, here, False, ties)
            continue
        spoken = outline(text, start, end, here, ties.one_name)
        asserted = without_speakers(spoken)
        if not asserted.mentions:
            topic = after(topic, here, False, ties)
            continue
        ties.begin_sentence()
        begin = body(text, start, end)
        reference = refers(text, begin, end, asserted.mentions[0], nouns)
        carried = topic.subject(reference) if reference else None
        _link(asserted, topic, carried, reference, takes_up(text, start, end, nouns), ties)
        bind(asserted, carried, _thing(text, topic, nouns), nouns, ties)
        on_values(asserted, ties)
        if topic.value is not None and (
            (reference and carried is None) or speaks_of_place(text, start, asserted.mentions[0].start)
        ):
            ties.tie_value(topic.value, [v for m in asserted.mentions if (v := value_of(m)) is not None])
        if completing:
            complete(text, asserted.mentions, ties)
        open_ties.update(untied(asserted.mentions, ties))
        if reference and topic == Topic():
            open_ties.update(dangling(asserted.mentions, ties))
        loose |= {
            (m.kind, m.name)
            for m in asserted.mentions
            if m.kind in ("site", "date", "service") and (m.kind, m.name) not in ties.bound
        }
        topic = after(topic, spoken.mentions, bool(reference), ties)
    ties.settle()
    return RecordReading(
        tuple(ties.statements),
        tuple(ties.outright),
        frozenset(loose),
        frozenset(statement for statement in open_ties if not ties.states(statement)),
        frozenset(ties.foreign),
        frozenset((mention.kind, mention.name) for mention in mentions),
    )


def _sentences(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int, list[Mention]]]:
    """Yield each sentence with its mentions; a stop inside a mention ends no sentence."""
    spans = split_sentences(text)
    at, number = 0, 0
    while number < len(spans):
        start, end = spans[number]
        here: list[Mention] = []
        while at < len(mentions) and mentions[at].start < end:
            here.append(mentions[at])
            if mentions[at].end > end and number + 1 < len(spans):
                number += 1
                end = spans[number][1]
            at += 1
        yield start, end, here
        number += 1


def _verbatim(spaced_text: str, lexicon: Lexicon) -> list[Wording]:
    """Rule 1: find the remarks whose sentences all stand in a record word for word."""
    return [
        wording
        for wording in lexicon.wordings
        if all(sentence in spaced_text for sentence, _ in wording.sentences)
    ]


def _is_worded(words: str, mentions: Sequence[Mention], verbatim: Sequence[Wording]) -> bool:
    """Tell whether a sentence is one of those sentences, or part of one, and mentions nothing beyond it."""
    for wording in verbatim:
        for sentence, count in wording.sentences:
            if words in sentence or (sentence in words and len(mentions) <= count):
                return True
    return False


def _thing(text: str, topic: Topic, nouns: Collection[str]) -> Taken:
    """Return what a part of a sentence takes up as 'it' or 'that slot'."""

    def taken(start: int, end: int) -> Subject | None:
        if topic.entries and takes_up(text, start, end, nouns) and not denies(text, start, end):
            return Subject("entry", topic.entries)
        return None

    return taken


def _link(
    asserted: Outline,
    topic: Topic,
    carried: Subject | None,
    reference: Reference,
    taken_up: bool,
    ties: Ties,
) -> None:
    """Tie the one handle of a sentence to what it takes up: 'Her code is KX-1', 'It is Priya Raman's'."""
    handles = {(m.kind, m.name) for m in asserted.mentions if m.kind in ("entry", "person", "unknown")}
    if len(handles) != 1:
        return
    kind, name = next(iter(handles))
    entries, people = Subject("entry", topic.entries), Subject("person", topic.people)
    if kind == "person":
        if carried is not None and topic.people and ties.all_same("person", (*topic.people, name)):
            return
        if topic.entries and (carried is not None or taken_up):
            ties.hold(entries, Subject("person", (name,)))
    elif kind == "entry" and carried is not None:
        if reference == "thing" and topic.entries and ties.all_same("entry", (*topic.entries, name)):
            return
        if topic.people:
            ties.hold(Subject("entry", (name,)), people)


def _is_item(text: str, start: int) -> bool:
    """Tell whether a sentence opens a list item."""
    return _LIST_MARK.fullmatch(text, text.rfind("\n", 0, start) + 1, start) is not None
