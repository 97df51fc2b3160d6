"""M3 as a deployment can have it: cues found in the records themselves, without any annotation.

A cue is something that names an entry or a person in a way of its own and stands in several records, though
not in a large part of them: a code, a label with its number, a pair of words that was made a name, a single
name that is nobody's first or last one, or that a record calls somebody's other name. So two records that
refer to one thing by a handle are told apart from two that mention the same person; what refers to it
without any handle ("that one") connects only within a record, and stays. It goes by shapes and by what the
records share; it knows no vocabulary.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memjoin.conditions.interventions.annotated import REMOVED
from memjoin.conditions.interventions.base import Given, several
from memjoin.text.dates import find_dates
from memjoin.text.shapes import CALENDAR_WORDS, bare, find_shapes, is_function
from memjoin.text.spans import Span, parts, replaced
from memjoin.text.stretches import Stretches

FREQUENT_SHARE = 0.25
FREQUENT_LEAST = 8
"""What stands in more records than this share of them, and than this many, connects nothing."""

LONG = 20_000
"""Characters of a record that are read at once; a longer one is read in parts."""

_LABEL = re.compile(r"\b([^\W\d_]{2,20}) (?:(?:no\.?|nr\.?|number|#) ?)?#?(\d{1,5})\b", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:the|an?|as) ([^\W\d_a-z][^\W\d_]{2,20}) ([a-z]{3,20})\b")
_ALIAS = re.compile(
    r"\b(?:down|known|listed|entered|written|booked|filed|noted|saved|christened|called|named)"
    r"(?: it)?(?: in [^.!?]{0,30})?(?: as| under)? (?:the )?([^\W\d_a-z][^\W\d_]{2,20})\b"
)
_TIME = re.compile(r":\d\d| ?[ap]\.?m\b", re.IGNORECASE)
# What is counted or read off, and names nothing: 'room 4', 'page 12', 'week 3'.
_COUNTED = frozenset(
    (
        *("in", "on", "at", "to", "by", "of", "for", "and", "the", "about", "around", "until", "from"),
        *("year", "years", "week", "weeks", "day", "days", "hour", "hours", "minutes", "page", "level"),
        *("conversation", "user", "assistant", "session"),
    )
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A possible cue in a record: where, and what two mentions of one thing share."""

    start: int
    end: int
    key: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DetectedCueRemoval:
    """Cue removal that sees only the records."""

    name: str = "M3:detected"
    title: str = "Cross-record cue removal"
    sentence: str = (
        "Codes, numbered labels, names of one's own and aliases that several records share, as far as shapes "
        "tell, are replaced by one and the same mark; all else stays."
    )
    source: str = "The paper's Table 3, M3, without its annotation; the rules are ours"
    conditions: tuple[str, ...] = ("retrieved", "all", "itemized")

    def edit(self, given: Given) -> Given:
        """Return the records without what they share."""
        if given.items is None:
            return given
        return replace(given, items=remove_cues(given.items))


def remove_cues(records: Sequence[str]) -> tuple[str, ...]:
    """Return records with the cues that they share replaced by a mark, in the same order.

    Args:
        records: The texts of the records.

    Raises:
        MemJoinError: ``records`` is one text.
    """
    records = several(records)
    found = [tuple(_candidates(record)) for record in records]
    cues = _shared(found, _full_names(records))
    return tuple(
        replaced(record, (Span(each.start, each.end, REMOVED) for each in of if each.key in cues))
        for record, of in zip(records, found, strict=True)
    )


def _shared(found: Sequence[Sequence[_Found]], people: frozenset[str]) -> frozenset[tuple[str, ...]]:
    limit = max(FREQUENT_LEAST, int(FREQUENT_SHARE * len(found)))
    spread = Counter(key for of in found for key in {each.key for each in of})
    return frozenset(
        key
        for key, records in spread.items()
        if 1 < records <= limit and not (len(key) == 2 and key[0] == "name" and key[1] in people)
    )


def _candidates(record: str) -> Iterator[_Found]:
    for begin, part in parts(record, LONG):
        for each in _in_part(part):
            yield replace(each, start=each.start + begin, end=each.end + begin)


def _in_part(text: str) -> Iterator[_Found]:
    taken = Stretches((start, end) for start, end, _ in find_dates(text))
    for match in _LABEL.finditer(text):
        word = match[1].casefold()
        if taken.free(*match.span()) and not (
            word in _COUNTED or word in CALENDAR_WORDS or is_function(word) or _is_time(text, match.end())
        ):
            taken.take(*match.span())
            yield _Found(match.start(), match.end(), ("label", word, match[2].lstrip("0") or "0"))
    for match in _NAMED.finditer(text):
        first, second = match[1].casefold(), match[2]
        # The name of its own is the first word alone: the Harbour slot may be the Harbour booking elsewhere.
        if taken.free(match.start(1), match.end(2)) and not (first in CALENDAR_WORDS or is_function(second)):
            taken.take(match.start(1), match.end(2))
            yield _Found(match.start(1), match.end(2), ("name", first))
    for shape in find_shapes(text):
        if not taken.free(shape.start, shape.end):
            continue
        if shape.kind == "code":
            yield _Found(shape.start, shape.end, ("code", re.sub(r"[^\w]", "", shape.key)))
        elif shape.kind == "name" and " " not in shape.key and text[shape.end : shape.end + 1] != ":":
            # Before a colon stands who speaks.
            # Its possessive ending stays.
            yield _Found(shape.start, min(shape.start + len(shape.key), shape.end), ("name", shape.key))


def _full_names(records: Sequence[str]) -> frozenset[str]:
    """Return the words of names of two words or more: somebody's, or a place's, and no alias."""
    aliases = {match[1].casefold() for record in records for match in _ALIAS.finditer(record)}
    words = {
        bare(word)
        for record in records
        for _, part in parts(record, LONG)
        for shape in find_shapes(part)
        if shape.kind == "name" and " " in shape.key
        for word in shape.key.split()
    }
    return frozenset(words - aliases)


def _is_time(text: str, end: int) -> bool:
    return text[end : end + 1] == "%" or _TIME.match(text, end) is not None
