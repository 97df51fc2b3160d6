"""The outline of a sentence: its clauses, what each names, and what is said to be not, or no longer, so."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memjoin.text.reading.surfaces import Mention, MentionKind


class Group(NamedTuple):
    """One mention, or several of one kind that are listed together ('KX-1 and KX-2')."""

    kind: MentionKind
    names: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Clause:
    """What one clause names.

    ``opening`` is the mark or word that parts it from what goes before. ``fronted``: it belongs to what
    comes ('On D, ...'). ``bare``: it says next to nothing else ('code KX-1').
    """

    groups: tuple[Group, ...]
    start: int
    end: int
    opening: str
    fronted: bool
    bare: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """A sentence as the binding of values to handles needs it.

    ``text`` is the whole record's, and all places count in it. ``clauses`` holds only what is asserted;
    what is denied, replaced, asked or conditional is left out.
    """

    text: str
    start: int
    end: int
    mentions: tuple[Mention, ...]
    """What is asserted, in order of place."""
    clauses: tuple[Clause, ...]
    respectively: bool


_BREAK = re.compile(
    r"[;:()\[\]{}|,\u2013\u2014\u2192]|\s-{1,2}\s|->|=>|\b(?:while|whereas|but|and|then|although|though)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:(?:not|never|cannot|neither|nor|without|no longer|no more)\b|\w+n['\u2019]t\b)"
    r"(?!\s+(?:only|forget))"
    r"|\b(?:if|whether|unless|supposing|asked about)\b",
    re.IGNORECASE,
)
_FILLER = (
    r"\s+(?:(?:at|on|in|to|for|the|a|an|set|scheduled|planned|booked|it|was|is|date|site|venue|location|place"
    r"|holder|of|as|by)\s+){0,4}[\"'\u2018\u201c(*_`]*$"
)
# Before a value: it is replaced, whatever else the sentence says.
_REPLACED = re.compile(
    r"\b(?:instead of|rather than|in place of|formerly|previously|originally|initially|used to be|no longer"
    r"|(?:struck|crossed|scratched) (?:out|off|through)|deleted|removed|erased|wiped|cancel+ed"
    rf"|replac(?:es|ed|ing)|until (?:now|then|recently)){_FILLER}",
    re.IGNORECASE,
)
# Before a value: it is replaced if the sentence gives another of its kind.
_PAST = re.compile(
    rf"\b(?:was|were|had|had been|from|old|earlier|former|previous|prior|first){_FILLER}", re.IGNORECASE
)
_FROM = re.compile(rf"\bfrom{_FILLER}", re.IGNORECASE)
_PAST_AFTER = re.compile(
    r"['\u2019s]*\s*[,(]*\s*(?:before|previously|formerly|no longer|originally|earlier|old\b|(?:is )?off\b"
    r"|was the (?:old|previous|earlier|original|former|first))",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:mov|chang|switch|transferr?|reschedul|shift|pass|updat|reassign|relocat|postpon|push|rebook|swapp?"
    r"|correct|went)(?:e|ed|es|s|ing|ings)?\b",
    re.IGNORECASE,
)
_ARROW = re.compile(r"\s*(?:->|=>|\u2192)\s*")
_NOT_WHOM = re.compile(
    r"\b(?:instead of|rather than|in place of|no longer)\s+(?:by\s+|for\s+|with\s+)?$", re.IGNORECASE
)
_LISTED = re.compile(
    r"(?:['\u2019]s)?\s*(?:,\s*(?:(?:and|&|or)\s)?|(?:and|&|plus|as well as)\s|/)\s*"
    r"(?:(?:at|on|in|for|to|the|both)\s+){0,2}(?:[a-z]+\.?\s+)?"
)
# What may stand before a value that opens a clause and belongs to the next one, by what closes its clause:
# 'On D, KX-1 is ...', 'D: KX-1 is ...'.
_FRONTED = re.compile(r"\s*(?:on|at|in|for|by)\s+(?:the\s+)?", re.IGNORECASE)
_HEADING = re.compile(r"\s*(?:(?:on|at|in|for|by)\s+)?(?:the\s+)?", re.IGNORECASE)
_FRONTS = {",": _FRONTED} | dict.fromkeys((":", "-", "--", "\u2013", "\u2014"), _HEADING)
_OPENINGS = frozenset(("", ";", "and", "but", "while", "whereas"))
_NEVER = re.compile(r"(?!)")
_MAY_REPLACE = re.compile(
    r"\b(?:from|instead|rather|in place|formerly|previously|originally|initially|used to|no longer|replac\w+"
    r"|struck|crossed|scratched|deleted|removed|erased|wiped|cancel+ed"
    r"|until)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_NO_WORD = re.compile(r"(?:['\u2019]s)?\W*")
_RESPECTIVELY = re.compile(r"\b(?:respectively|in that order)\b", re.IGNORECASE)
_VALUES: frozenset[MentionKind] = frozenset(("site", "date", "service"))
_HANDLES: frozenset[MentionKind] = frozenset(("person", "entry", "unknown"))


def outline(
    text: str,
    start: int,
    end: int,
    mentions: Sequence[Mention],
    same: Callable[[Mention, Mention], bool],
) -> Outline:
    """Outline a sentence.

    Args:
        text: The whole record.
        start: Where the sentence starts in it.
        end: Where it ends.
        mentions: What the sentence mentions, in order of place.
        same: Whether two mentions name one thing by different handles; these are never a list of two.
    """
    if text[start:end].rstrip("\"'\u201d\u2019)*_ ").endswith("?"):
        return Outline(text, start, end, (), (), False)
    breaks = [
        (match.start(), match.end())
        for match in _BREAK.finditer(text, start, end)
        if not any(m.start < match.end() and match.start() < m.end for m in mentions)
    ]
    respectively = _RESPECTIVELY.search(text, start, end) is not None
    asserted = _asserted(text, start, mentions, [stop for _, stop in breaks])
    current = _current(text, start, end, asserted)
    groups = _grouped(text, current, breaks, respectively, same)
    return Outline(text, start, end, tuple(current), _clauses(text, start, end, groups, breaks), respectively)


def denies(text: str, start: int, end: int) -> bool:
    """Tell whether a part of a sentence denies something or leaves it open."""
    return _NOT.search(text, start, end) is not None


def _asserted(text: str, start: int, mentions: Sequence[Mention], breaks: Sequence[int]) -> list[Mention]:
    """Leave out what is denied or conditional: what follows such a word in its clause."""
    left: list[Mention] = []
    for mention in mentions:
        at = bisect(breaks, mention.start)
        lead = text[breaks[at - 1] if at else start : mention.start]
        if not lead or lead.isspace() or not _NOT.search(lead):
            left.append(mention)
    return left


def _current(text: str, start: int, end: int, left: Sequence[Mention]) -> list[Mention]:
    """Leave out what is said to hold no longer: 'from S', 'instead of S', 'it was S'."""
    if len({mention.kind for mention in left}) == len(left) and not _MAY_REPLACE.search(text, start, end):
        return list(left)
    entries = {mention.name for mention in left if mention.kind == "entry"}
    changed = _CHANGE.search(text, start, end) is not None
    kept: list[Mention] = []
    for place, mention in enumerate(left):
        rivals = [m for m in left if m.kind == mention.kind and m.name != mention.name]
        before = text[max(start, mention.start - 60) : mention.start]
        if mention.kind in _VALUES:
            gone = _replaced(mention, rivals, before, changed) or (
                len(entries) < 2 and _outdated(text, start, end, left, place, rivals, before)
            )
        elif mention.kind == "person":
            gone = bool(rivals) and bool(_NOT_WHOM.search(before) or _FROM.search(before))
        else:
            gone = False
        if not gone:
            kept.append(mention)
    return kept


def _replaced(mention: Mention, rivals: Sequence[Mention], before: str, changed: bool) -> bool:
    if _REPLACED.search(before):
        return True
    return bool(rivals or changed) and _FROM.search(before) is not None


def _outdated(
    text: str,
    start: int,
    end: int,
    mentions: Sequence[Mention],
    place: int,
    rivals: Sequence[Mention],
    before: str,
) -> bool:
    """Tell whether a value is the earlier one of two: 'is now S, it was T', 'T -> S', 'S (T before)'."""
    mention = mentions[place]
    if not any(_PAST.search(text[max(start, m.start - 60) : m.start]) is None for m in rivals):
        return False
    if _PAST.search(before):
        return True
    following = mentions[place + 1] if place + 1 < len(mentions) else None
    past = _PAST_AFTER.match(text, mention.end, end)
    if following is None or following not in rivals:
        return past is not None
    # In 'S (previously T)' the word belongs to what follows.
    before_next = text[max(start, following.start - 60) : following.start]
    if past is not None and not (_REPLACED.search(before_next) or _PAST.search(before_next)):
        return True
    return _ARROW.fullmatch(text, mention.end, following.start) is not None


def _grouped(
    text: str,
    mentions: Sequence[Mention],
    breaks: list[tuple[int, int]],
    respectively: bool,
    same: Callable[[Mention, Mention], bool],
) -> list[Group]:
    """Put what is listed together into groups, and take the breaks inside a list away."""
    groups: list[Group] = []
    some_handles = False
    for kinds in (_HANDLES, _VALUES):
        chosen = [m for m in mentions if m.kind in kinds]
        listing = kinds is _HANDLES or some_handles or respectively
        place = 0
        while place < len(chosen):
            run = chosen[place : place + (_run(text, mentions, chosen, place) if listing else 1)]
            if len(run) > 1 and not respectively:
                around = chosen[max(0, place - 1) : place + len(run) + 1]
                # 'N is Juniper, A is Larch' pairs names, and so does 'S for KX-1, KX-2 for T'.
                if any(map(same, around, around[1:])) or _between_values(mentions, run):
                    run = run[:1]
            if len(run) > 1:
                breaks[:] = [b for b in breaks if not run[0].start < b[0] < run[-1].start]
                some_handles = some_handles or kinds is _HANDLES
            names = tuple(dict.fromkeys(m.name for m in run))
            groups.append(Group(run[0].kind, names, run[0].start, run[-1].end))
            place += len(run)
    groups.sort(key=lambda group: group.start)
    return groups


def _run(text: str, mentions: Sequence[Mention], chosen: Sequence[Mention], place: int) -> int:
    """Return how many mentions from ``place`` on are listed together."""
    last = place
    while last + 1 < len(chosen) and _listed(text, mentions, chosen[last], chosen[last + 1]):
        last += 1
    return last - place + 1


def _listed(text: str, mentions: Sequence[Mention], a: Mention, b: Mention) -> bool:
    if a.kind != b.kind or a.kind == "unknown" or any(a.end <= m.start < b.start for m in mentions if m != b):
        return False
    return _LISTED.fullmatch(text, a.end, b.start) is not None


def _between_values(mentions: Sequence[Mention], run: Sequence[Mention]) -> bool:
    """Tell whether different values of one kind, or people, stand on both sides: then nothing is listed."""
    before = {(m.kind, m.name) for m in mentions if m.kind in _VALUES and m.start < run[0].start}
    after = {(m.kind, m.name) for m in mentions if m.kind in _VALUES and m.start > run[-1].start}
    if run[0].kind == "entry":
        sides = (
            [m for m in mentions if m.end <= run[0].start][-1:],
            [m for m in mentions if m.start >= run[-1].end][:1],
        )
        if all(side and side[0].kind == "person" for side in sides):
            return True
    return any(kind == other and name != another for kind, name in before for other, another in after)


def _clauses(
    text: str, start: int, end: int, groups: Sequence[Group], breaks: Sequence[tuple[int, int]]
) -> tuple[Clause, ...]:
    stops = [stop for _, stop in breaks]
    parts: dict[int, list[Group]] = {}
    for group in groups:
        parts.setdefault(bisect(stops, group.start), []).append(group)
    clauses: list[Clause] = []
    for number, part in parts.items():
        opening, begin = (text[slice(*breaks[number - 1])], breaks[number - 1][1]) if number else ("", start)
        # A list may go on over several breaks; the clause ends at the first one after it.
        after = next(((at, stop) for at, stop in breaks if at >= part[-1].end), (end, end))
        closing = text[slice(*after)]
        fronted = (
            all(group.kind in _VALUES for group in part)
            and opening.lower() in _OPENINGS
            and _FRONTS.get(closing.strip(), _NEVER).fullmatch(text, begin, part[0].start) is not None
        )
        lead = len(_WORD.findall(text, begin, part[0].start))
        bare = len(part) == 1 and lead <= 2 and _NO_WORD.fullmatch(text, part[0].end, after[0]) is not None
        clauses.append(Clause(tuple(part), begin, after[0], opening.strip().lower(), fronted, bare))
    return tuple(clauses)
