"""Binding: which handle of a sentence each of its values belongs to.

The numbers of rules are those of the design's 'Reading clues out of text'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from memjoin.text.graph import Handle
from memjoin.text.reading.outline import Clause, Group, Outline
from memjoin.text.reading.ties import Subject, Ties, ValueKind

_SAYS = re.compile(
    r"\s*(?:said|says|told|tells|asks?\b(?!\s+for)|asked\b(?!\s+for)|mentioned|called|phoned|wrote|texted|emailed|reminded|informed)\b"
    r"(?!\s+(?:that\s+)?(?:her|his|their|she|he|they)\b)",
    re.IGNORECASE,
)
_TO_WHOM = re.compile(
    r"\b(?:told|tell|tells|ask|asked|remind|reminded|informed|inform|called|emailed|texted|via|says|thanks to"
    r"|according to)\s+$",
    re.IGNORECASE,
)
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
            clauses.append(Clause(groups, clause.fronted))
    mentions = tuple(m for m in outline.mentions if m.start not in speakers)
    return Outline(text, outline.start, outline.end, mentions, tuple(clauses), outline.respectively)


def bind(outline: Outline, carried: Subject | None, ties: Ties) -> None:
    """Tie the values of a sentence to its handles.

    Args:
        outline: The sentence.
        carried: What it takes up from the sentences before, if anything.
        ties: Where ties go.
    """
    groups = [group for clause in outline.clauses for group in clause.groups]
    if outline.respectively and _in_order(groups, ties):
        return
    handles = [group for group in groups if not _is_value(group)]
    distinct = {(group.kind, group.names, group.start if group.kind == "unknown" else 0) for group in handles}
    if not handles:
        if carried is not None:
            ties.tie(carried, _values(groups))
    elif len(distinct) == 1:  # rule 2
        ties.tie(_subject(handles[0]), _values(groups))
    else:
        _by_clause(outline, carried, ties)


def on_values(outline: Outline, ties: Ties) -> None:
    """Tie values to a site or date that the case uses as a handle: 'Northgate Annex does the screenings'.

    They must share a clause, or be the only ones of their kinds in a sentence about one thing.
    """
    groups = [group for clause in outline.clauses for group in clause.groups]
    if sum(map(_is_value, groups)) < 2:
        return
    parts = [[group for group in clause.groups if _is_value(group)] for clause in outline.clauses]
    names = {(g.kind, name) for g in groups if not _is_value(g) for name in g.names}
    whole = [group for group in groups if _is_value(group)]
    if len(names) <= 1 and len({g.kind for g in whole}) == len({(g.kind, g.names) for g in whole}):
        parts = [whole]
    for part in parts:
        for group in part:
            if (group.kind == "site" or group.kind == "date") and len(group.names) == 1:
                on = Handle(group.kind, group.names[0])
                ties.tie_value(on, _values(other for other in part if other.kind != group.kind))


def _by_clause(outline: Outline, carried: Subject | None, ties: Ties) -> None:
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
        elif subject is not None and last is not None and _close(outline.text, last, first):
            related = _relate(subject, here, last, first, outline.text, ties)
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


def _relate(before: Subject, here: Subject, last: Group, first: Group, text: str, ties: Ties) -> bool:
    """Tie the handles of two clauses with next to nothing between them: 'A (B)', 'A: B', 'A, code B'."""
    if before.listed or here.listed:
        return False
    if before.kind == here.kind:
        return ties.all_same(before.kind, before.names + here.names)
    if not _OTHER_PREDICATE.isdisjoint(
        word.casefold() for word in _WORD.findall(text, last.end, first.start)
    ):
        return False
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


def _close(text: str, last: Group, first: Group) -> bool:
    return len([word for word in _WORD.findall(text, last.end, first.start) if word != "s"]) <= 3


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
