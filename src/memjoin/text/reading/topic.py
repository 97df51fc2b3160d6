"""What a record is about as one reads on: what 'it', 'she', 'that slot' and a bare 'Venue:' refer to."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.text.graph import Handle
from memjoin.text.reading.surfaces import VAGUE_NOUNS, Mention
from memjoin.text.reading.ties import Subject, Ties

_SPEAKER = re.compile(
    r"\s*(?:[\[(]?\d{4}-\d\d-\d\d[^A-Za-z\n]*(?:T[\d:.]+Z?\s*)?[\])]?\s*)?"
    r"(?:\[?\b(?:user|assistant|human|ai|system|speaker \w+)\b\]?(?:\s+(?:says?|said))?\s*:\s*)?",
    re.IGNORECASE,
)
_OPENING = r"(?:(?:and|but|also|then|so|now|update|later|today|there)\b[,:]?\s+)*"
_SAME_THING = tuple(
    re.compile(_OPENING + pattern, re.IGNORECASE)
    for pattern in (
        r"(?:its?\b|(?:this|that|which|same)\s+(?:one|is|was|has|will|would|goes|takes|moved|belongs)\b)(?P<noun>)",
        r"(?:the|that|this|same|said)\s+(?P<noun>\w+)\b",
        r"(?:the|that|this|same|said)\s+[\w-]+\s+(?P<noun>\w+)\b",
        r"(?P<noun>\w+)\b(?=\s+(?:is|was|on|at|in|for|set|now|will|has|moved)\b)",
    )
)
_SAME_PERSON = re.compile(
    r"(?:(?:and|but|also|then|so|now|there)\b[,:]?\s+)*(?:for\s+)?"
    r"(?:she|he|her|his|hers|they|their|theirs|them|him|she['\u2019]s|he['\u2019]s)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[*_`\"']*(?:[A-Za-z][\w./#&'\u2019 -]{0,40})[*_`\"']*\s*(?::|=|->|\u2192|\s[-\u2013\u2014]\s)[*_`]*"
)
_FRAGMENT = re.compile(
    r"(?:[*_`\"'(]*(?:[a-z]{3,}s|scheduled|booked|set|planned|moved|rescheduled|located|held|takes? place"
    r"|taking place|goes out|going|due|assigned|confirmed|now|is|was|will be|happening|appointed|also"
    r"|only|has|goes)?\s*"
    r"(?:also\s+)?(?:on|at|in|for|to|by|the|a|an|of|as|from)?\s*(?:the|a|an)?\s*[*_`\"'(]*)",
    re.IGNORECASE,
)
_NO_VERB = re.compile(r"\W*(?:$|\n)|\s*[,;:()|/\u2013\u2014-]|\s*(?:on|at|in|for|and|with|from|by|to)\b")
_OWN_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|goes|go|do|does|it|we|i|they|you|he|she|there|gave|gives|means)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:(?:its?|this one|that one)\b|(?P<which>this|that|the|the same)\s+(?=(?P<noun>\w+)))", re.IGNORECASE
)
_OWN = re.compile(
    r"(?:\s+to\s+\w+)?\s+(?:for|of|on|in|at|with)\s+(?:the\s+|my\s+|our\s+)?(?:[\w-]+\s+)?", re.IGNORECASE
)
_THERE = re.compile(r"\b(?:there|that day|that date|that place|then)\b", re.IGNORECASE)
_BOTH = re.compile(r"both\b", re.IGNORECASE)

Reference: TypeAlias = Literal["thing", "person", "both", ""]


@dataclass(frozen=True, slots=True)
class Topic:
    """What the sentences before spoke of.

    At most one thing and one person, since two are nobody's antecedent; ``several`` holds these for 'both'.
    ``value`` is a site or date that the case uses as a handle.
    """

    entries: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    unknown: bool = False
    value: Handle | None = None
    several: Subject | None = None

    def subject(self, reference: Reference) -> Subject | None:
        """Return what a reference means here, or None where nothing, or more than one thing, would do."""
        if reference == "both":
            return self.several
        if reference == "person" and self.people:
            return Subject("person", self.people)
        if self.entries:
            return Subject("entry", self.entries)
        if self.people:
            return Subject("person", self.people)
        return Subject("unknown", ("",)) if self.unknown else None


def after(topic: Topic, mentions: Sequence[Mention], taken_up: bool, ties: Ties) -> Topic:
    """Return the topic after a sentence.

    Args:
        topic: The topic before it.
        mentions: What the sentence asserts something about.
        taken_up: Whether it went on about the topic.
        ties: What the record was found to tie together so far.
    """
    entries = tuple(dict.fromkeys(m.name for m in mentions if m.kind == "entry"))
    people = tuple(dict.fromkeys(m.name for m in mentions if m.kind == "person"))
    handles = {Handle(m.kind, m.name) for m in mentions if m.kind == "site" or m.kind == "date"}
    used = [handle for handle in handles if ties.known.hangs_on(handle)]
    value = used[0] if len(used) == 1 else None
    if not entries and not people:
        if taken_up:
            return topic
        return Topic(unknown=any(m.kind == "unknown" for m in mentions), value=value)
    several: Subject | None = None
    held = tuple(dict.fromkeys(entry for name in people for entry in ties.entries_of(name)))
    if not ties.one_thing("person", people):
        several, people = Subject("person", people, listed=True), ()
    if not ties.one_thing("entry", entries):
        several, entries = Subject("entry", entries, listed=True), ()
    elif not entries and ties.one_thing("entry", held):
        entries = held
    if several is None and not people:
        people = ties.holder_of(entries)
    return Topic(entries, people, value=value, several=several)


def body(text: str, start: int, end: int) -> int:
    """Return where a sentence begins once a stamp and a speaker's label before it are passed over."""
    match = _SPEAKER.match(text, start, end)
    return match.end() if match else start


def refers(text: str, start: int, end: int, first: Mention, nouns: Collection[str]) -> Reference:
    """Tell whether a sentence takes up what was spoken of before.

    Args:
        text: The record.
        start: Where the sentence's body starts.
        end: Where the sentence ends.
        first: Its first mention.
        nouns: What the things of the case may be called.

    Returns:
        ``person`` for she, his and the like; ``both`` for that word; ``thing`` for it, that slot, a label
        such as 'Venue:', or a sentence without a subject of its own; else the empty string.
    """
    if _BOTH.match(text, start):
        return "both"
    if _SAME_PERSON.match(text, start):
        return "person"
    noun_end = _same_thing(text, start, nouns)
    if 0 < noun_end <= first.start:
        # 'The place for KX-1 is ...' has its own subject.
        return "" if _OWN.fullmatch(text, noun_end, first.start) else "thing"
    if is_label(text, start, first.start):
        return "thing"
    if first.kind in ("site", "date", "service"):
        # 'At Northgate Annex.' goes on about the topic, 'At Northgate Annex it is quiet.' does not.
        if _FRAGMENT.fullmatch(text, start, first.start):
            opens = first.start > start or _NO_VERB.match(text, first.end) is not None
            if opens and not _OWN_CLAUSE.search(text, first.end, end):
                return "thing"
        if takes_up(text, start, first.start, nouns) or takes_up(text, first.end, end, nouns, pronouns=False):
            return "thing"
    return ""


def _same_thing(text: str, start: int, nouns: Collection[str]) -> int:
    """Return where a reference to the thing before ends ('it', 'that slot', 'the new date'), or 0."""
    for pattern in _SAME_THING:
        match = pattern.match(text, start)
        if match is None:
            continue
        if not match["noun"] or match["noun"].lower() in nouns:
            return match.end()
    return 0


def is_label(text: str, start: int, first: int) -> bool:
    """Tell whether a label ('Venue:', 'code =') opens a sentence before its first mention."""
    return _LABEL.match(text, start, first) is not None


def takes_up(text: str, start: int, end: int, nouns: Collection[str], pronouns: bool = True) -> bool:
    """Tell whether text speaks of the thing before without opening on it: 'Priya Raman has it'."""
    for match in _OBJECT.finditer(text, start, end):
        noun = match["noun"]
        if noun is None:
            found = pronouns
        else:
            found = noun.lower() in nouns and not (
                match["which"].lower() == "the" and noun.lower() in VAGUE_NOUNS
            )
        if found:
            return True
    return False


def speaks_of_place(text: str, start: int, end: int) -> bool:
    """Tell whether text speaks of the place or day before: 'there', 'that day'."""
    return _THERE.search(text, start, end) is not None
