"""Binding: which handle of a sentence each of its values belongs to.

The numbers of rules are those of the design's 'Reading clues out of text'.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from memjoin.text.graph import Handle
from memjoin.text.reading.outline import Clause, Group, Outline
from memjoin.text.reading.ties import Subject, Ties, ValueKind

_SAYS = re.compile(
    r"\s*(?:said|says|told|tells|asks?\b(?!\s+for)|asked\b(?!\s+for)|mentioned|called|phoned"
    r"|wrote|texted|emailed|reminded|informed)\b"
    r"(?!\s+(?:that\s+)?(?:her|his|their|she|he|they)\b)",
    re.IGNORECASE,
)
_TO_WHOM = re.compile(
    r"\b(?:told|tell|tells|ask|asked|remind|reminded|informed|inform|emailed|texted|via|says|thanks to"
    r"|according to)\s+$",
    re.IGNORECASE,
)
_FOR_WHOM = re.compile(r"\b(?:for|to|by|of|belonging to)\s+(?:(?:mr|ms|mrs|mx|dr)\.?\s+)?$", re.IGNORECASE)
_HAS = re.compile(
    r"(?:^|[,;])\s*(?:and\s+|who\s+|also\s+)*(?:has|had|have|holds|held|owns|keeps|got|gets|carries|uses|received"
    r"|booked|took|takes)\b[^,;.]*$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:where|there|which|whose|that day|that date|that place)\b", re.IGNORECASE)
NAMING = re.compile(
    r"\b(?:as|under|called|known|named|nicknamed|alias|appears|listed|filed|coded?|tag(?:ged)?|label(?:led|ed)?"
    r"|(?:re)?number(?:ed)?|became|becomes?|turned|corresponds|a\.?k\.?a)\b"
    r"|(?:\b(?:is|was|now)|[=:(])\s*(?:now\s+)?[\"'(]*$",
    re.IGNORECASE,
)
"""What stands between two names of one thing."""
_EQUAL = re.compile(r"\bthe same\b", re.IGNORECASE)
_PREPOSITION = re.compile(r"\s*(?:(?:on|at|in|for|by|to)\s+)?(?:the\s+)?", re.IGNORECASE)
_VERB = re.compile(
    r"\s+(?:is|are|was|were|will|has|have|had|does|do|did|offers?|holds?|takes?|runs?|gives?|gave|means?)\b",
    re.IGNORECASE,
)
_COPULA = re.compile(r"\b(?:is|are|was|were|will|being|be)\b", re.IGNORECASE)
_OWN_SUBJECT = re.compile(
    r"\s*(?:(?:what|whatever|whoever|everything|anything|everyone|somebody|someone|my|our|your)\b"
    r"|(?:the|a|an)\s+(?P<noun>\w+))",
    re.IGNORECASE,
)
Taken: TypeAlias = Callable[[int, int], Subject | None]

_WORD = re.compile(r"\w+")
_OTHER_PREDICATE = frozenset(("and", "while", "but", "whereas", "then", "or"))


def without_speakers(outline: Outline) -> Outline:
    """Leave out people who only say something, or are told it: 'Tomas said KX-1 is at ...'."""
    text = outline.text
    speakers = {
        m.start
        for m in outline.mentions
        if m.kind == "person"
        and (_SAYS.match(text, m.end, outline.end) or _TO_WHOM.search(text[max(0, m.start - 20) : m.start]))
    }
    if not speakers:
        return outline
    clauses = []
    for clause in outline.clauses:
        groups = tuple(g for g in clause.groups if len(g.names) > 1 or g.start not in speakers)
        if groups:
            clauses.append(replace(clause, groups=groups))
    mentions = tuple(m for m in outline.mentions if m.start not in speakers)
    return replace(outline, mentions=mentions, clauses=tuple(clauses))


def bind(outline: Outline, carried: Subject | None, thing: Taken, nouns: Collection[str], ties: Ties) -> None:
    """Tie the values of a sentence to its handles.

    Args:
        outline: The sentence.
        carried: What its opening takes up from the sentences before, if anything.
        thing: What a part of the sentence, from one place to another, takes up as 'it'.
        nouns: What the things of the case may be called.
        ties: Where ties go.
    """
    groups = [group for clause in outline.clauses for group in clause.groups]
    if outline.respectively and _in_order(groups, ties):
        return
    for clause in outline.clauses:
        if _has_own_subject(outline.text, clause, nouns, ties):
            ties.set_apart(_values(clause.groups))
    handles = [group for group in groups if not _is_value(group)]
    distinct = {(group.kind, group.names, group.start if group.kind == "unknown" else 0) for group in handles}
    if not handles:
        if carried is not None:
            ties.tie(carried, _values(groups))
    elif len(distinct) == 1:  # rule 2
        ties.tie(_subject(handles[0]), ties.not_apart(_values(groups)))
    else:
        _by_clause(outline, carried, thing, ties)


def _has_own_subject(text: str, clause: Clause, nouns: Collection[str], ties: Ties) -> bool:
    """Tell whether a clause that names values only has a subject of its own, which is none of the case's.

    That is 'what is on D is ...' or 'my diary has D'; or the value itself, 'D is the day of ...'. Where the
    case uses the value as a handle, so are 'at S it is ...' and 'the sign at S is for ...'.
    """
    first = clause.groups[0]
    if not all(map(_is_value, clause.groups)):
        return False
    handle = any(ties.known.hangs_on(on) for on in _handles(clause.groups))
    if _PREPOSITION.fullmatch(text, clause.start, first.start):
        if handle:
            return _VERB.search(text, first.end, clause.end) is not None
        return _VERB.match(text, first.end, clause.end) is not None
    own = _OWN_SUBJECT.match(text, clause.start, first.start)
    if own is None or own["noun"] is None:
        return own is not None
    # 'the sign at S is ...', but not 'the ride is on D', which goes on about the thing before
    return handle and own["noun"].lower() not in nouns and not _COPULA.search(text, own.end(), first.start)


def _handles(groups: Iterable[Group]) -> list[Handle]:
    """Return the sites and dates of groups as the handles that they may be."""
    return [
        Handle(group.kind, group.names[0])
        for group in groups
        if (group.kind == "site" or group.kind == "date") and len(group.names) == 1
    ]


def on_values(outline: Outline, ties: Ties) -> None:
    """Tie values to a site or date that the case uses as a handle: 'Northgate Annex does the screenings'.

    They must share a clause, or be the only ones of their kinds in a sentence that names nothing else or
    says 'where', 'that day' and the like. A clause without a site goes on about the last one.
    """
    groups = [group for clause in outline.clauses for group in clause.groups]
    if sum(map(_is_value, groups)) < 2:
        return
    entries = {name for group in groups if group.kind == "entry" for name in group.names}
    people = {name for group in groups if group.kind == "person" for name in group.names}
    values = [group for group in groups if _is_value(group)]
    single = len({g.kind for g in values}) == len({(g.kind, g.names) for g in values})
    relative = _RELATIVE.search(outline.text, values[0].end, outline.end) is not None
    if single and len(entries) <= 1 and (not people or relative) and (not entries or relative):
        parts = [values]
    else:
        parts = [[group for group in clause.groups if _is_value(group)] for clause in outline.clauses]
    handle: Handle | None = None
    for part in parts:
        handles = [on for on in _handles(part) if ties.known.hangs_on(on)]
        for on in handles:
            ties.tie_value(on, _values(group for group in part if group.kind != on.type))
        if not handles and handle is not None and not entries and not people:
            ties.tie_value(handle, _values(group for group in part if group.kind != handle.type))
        handle = handles[0] if len(handles) == 1 else handle


def _by_clause(outline: Outline, carried: Subject | None, thing: Taken, ties: Ties) -> None:
    """Rules 3 and 6: the values of a clause go to its handle, or to the last one spoken of."""
    subject, last = carried, None
    waiting: list[Group] = []
    for number, clause in enumerate(outline.clauses):
        values = [group for group in clause.groups if _is_value(group)]
        entries = [group for group in clause.groups if group.kind == "entry"]
        people = [group for group in clause.groups if group.kind == "person"]
        marks = [group for group in clause.groups if group.kind == "unknown"]
        if not entries and not people:
            if marks and (values or waiting or subject is None):
                subject, last = Subject("unknown", ("",)), marks[-1]
                values, waiting = waiting + values, []
            following = outline.clauses[number + 1].groups if number + 1 < len(outline.clauses) else ()
            values = [group for group in values if ties.not_apart(_values([group]))]
            if clause.fronted and not all(map(_is_value, following)):
                waiting += values
            elif subject is not None:
                ties.tie(subject, _values(values))
            continue
        values, waiting = waiting + values, []
        if len(entries) > 1 and not _one_thing(entries, ties):
            _nearest(entries, people, values, ties)
            subject, last = _subject(entries[-1]), entries[-1]
            continue
        if len(people) > 1 and not entries and not _one_thing(people, ties):
            _nearest(people, [], values, ties)
            subject, last = _subject(people[-1]), people[-1]
            continue
        here, first = _subject(*(entries or people)), (entries or people)[0]
        if entries and people:
            nearest = min(people, key=lambda group: _distance(group, first))
            ties.hold(here, _subject(*people) if _one_thing(people, ties) else _subject(nearest))
        elif people and subject is not None and subject.kind == "entry" and _is_object(outline.text, first):
            ties.hold(subject, here)
            here = subject  # 'KX-1, which I opened for Tomas, is at ...'
        elif people and (taken := thing(clause.start, clause.end)) is not None:
            ties.hold(taken, here)  # 'Tomas gave it up: the entry is Priya's now'
        elif subject is not None and last is not None:
            gap = outline.text[last.end : first.start]
            equal = (
                gap.strip() == "and" and _EQUAL.search(outline.text, outline.start, outline.end) is not None
            )
            related = (equal or _may_relate(subject, here, clause, gap)) and _relate(subject, here, ties)
            if related and (not entries or subject.kind == "entry"):
                here = subject  # 'KX-1 (Juniper) is at ...', 'Priya Raman (Juniper) goes to ...'
        subject, last = here, (entries or people)[-1]
        ties.tie(subject, _values(values))


def _one_thing(groups: Sequence[Group], ties: Ties) -> bool:
    """Tell whether groups are handles of one thing by what the case says, and say so."""
    if any(len(group.names) > 1 for group in groups):
        return len(groups) == 1
    return len({group.names for group in groups}) == 1 or ties.all_same(
        _subject(*groups).kind, _subject(*groups).names
    )


def _may_relate(before: Subject, here: Subject, clause: Clause, gap: str) -> bool:
    """Tell whether a clause belongs to the handle before: 'A (B)', 'A: B', 'A, code B', 'A, who has B'."""
    words = {word.casefold() for word in _WORD.findall(gap)}
    if before.kind == here.kind:
        apart = ";" in gap or not words.isdisjoint(_OTHER_PREDICATE)
        return not apart and (NAMING.search(gap) is not None or (clause.bare and len(words) <= 3))
    if here.kind == "entry" and _HAS.search(gap):
        return True
    if clause.bare:
        return clause.opening not in _OTHER_PREDICATE
    return clause.opening in (":", "(") and len(words) <= 3


def _relate(before: Subject, here: Subject, ties: Ties) -> bool:
    """Tie the handles of two clauses: as one thing, or an entry and its holder."""
    if before.listed or here.listed:
        return False
    if before.kind == here.kind:
        return ties.all_same(before.kind, before.names + here.names)
    entry, person = (before, here) if before.kind == "entry" else (here, before)
    if entry.kind != "entry" or person.kind != "person":
        return False
    return not any(("holder", name) in ties.filled for name in entry.names) and ties.hold(entry, person)


def _nearest(handles: Sequence[Group], people: Sequence[Group], values: Sequence[Group], ties: Ties) -> None:
    """Tie each person and value to the nearest handle of a clause that names several things."""
    for person in people:
        entry = min(handles, key=lambda group: _distance(group, person))
        ties.hold(_subject(entry), _subject(person))
    for value in values:
        ties.tie(_subject(min(handles, key=lambda group: _distance(group, value))), _values([value]))


def _in_order(groups: Sequence[Group], ties: Ties) -> bool:
    """Tie lists of one length member by member, for 'respectively'."""
    lists = [group for group in groups if len(group.names) > 1]
    handles = next(
        (g for g in lists if g.kind == "entry"), next((g for g in lists if g.kind == "person"), None)
    )
    if handles is None:
        return False
    people = [group for group in lists if group.kind == "person" and len(group.names) == len(handles.names)]
    for one, other in pairwise(people):
        for pair in zip(one.names, other.names, strict=True):
            ties.all_same("person", pair)
    for group in groups:
        if group is handles or len(group.names) not in (1, len(handles.names)):
            continue
        names = group.names * len(handles.names) if len(group.names) == 1 else group.names
        for name, other_name in zip(handles.names, names, strict=True):
            member = _subject(Group(handles.kind, (name,), handles.start, handles.end))
            value = Group(group.kind, (other_name,), group.start, group.end)
            if group.kind == handles.kind:
                ties.all_same(member.kind, (name, other_name))
            elif group.kind == "person":
                ties.hold(member, _subject(value))
            else:
                ties.tie(member, _values([value]))
    return True


def _is_object(text: str, group: Group) -> bool:
    return _FOR_WHOM.search(text[max(0, group.start - 24) : group.start]) is not None


def _distance(a: Group, b: Group) -> tuple[int, bool]:
    """How far apart two groups stand; of two as near, the one that comes first is nearer."""
    return (a.start - b.end, True) if a.start >= b.end else (b.start - a.end, False)


def _is_value(group: Group) -> bool:
    return group.kind in ("site", "date", "service")


def _values(groups: Iterable[Group]) -> list[tuple[ValueKind, str]]:
    return [
        (group.kind, name)
        for group in groups
        if group.kind == "site" or group.kind == "date" or group.kind == "service"
        for name in group.names
    ]


def _subject(*groups: Group) -> Subject:
    """Make what groups of one kind name a subject: one thing, unless a group is a list."""
    names = tuple(dict.fromkeys(name for group in groups for name in group.names))
    listed = any(len(group.names) > 1 for group in groups)
    kind = groups[0].kind
    return Subject(kind if kind == "entry" or kind == "person" else "unknown", names, listed)
