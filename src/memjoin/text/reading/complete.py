"""Rule 8, completion, and what a sentence leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import Literal

from memjoin.text.graph import Attribute, Handle, Same, Statement
from memjoin.text.reading.bind import NAMING
from memjoin.text.reading.surfaces import Mention
from memjoin.text.reading.ties import Subject, Ties, value_of


def complete(text: str, mentions: Sequence[Mention], ties: Ties) -> None:
    """Accept a tie of the case that a sentence left unbound, where nothing else could be meant.

    Both ends stand in the sentence, neither is bound otherwise, and each is the only one of its kind that
    is left. So two people and two codes in one list are never completed.
    """
    people = _names(mentions, "person")
    entries = _names(mentions, "entry")
    if len(people) == 2 and _may_be_one(text, mentions, "person", ties):
        ties.all_same("person", people)
    if len(entries) == 2 and _may_be_one(text, mentions, "entry", ties):
        ties.all_same("entry", entries)
    unheld = tuple(name for name in entries if ("holder", name) not in ties.filled)
    unholding = tuple(name for name in people if ("holder", name) not in ties.bound)
    one_each = (
        unheld and unholding and ties.one_thing("entry", unheld) and ties.one_thing("person", unholding)
    )
    if one_each and ties.case_holds(unheld, unholding):
        ties.hold(Subject("entry", unheld), Subject("person", unholding))
    values = ties.not_apart([value for mention in mentions if (value := value_of(mention)) is not None])
    for kind in dict.fromkeys(kind for kind, _ in values):
        unbound = {value for value in values if value[0] == kind and value not in ties.bound}
        unfilled = tuple(name for name in entries if (kind, name) not in ties.filled)
        if len(unbound) == 1 and unfilled and ties.one_thing("entry", unfilled):
            value = next(iter(unbound))
            if ties.case_has(unfilled, *value):
                ties.tie(Subject("entry", unfilled), [value])

    marks = sum(mention.kind == "unknown" for mention in mentions)
    if marks == 1 and not entries and people and ties.one_thing("person", people) and not ties.has_outright:
        # The mark stands for the one thing that a sentence about one person ties its values to.
        ties.tie(Subject("person", people), sorted(ties.absorbed))


def _may_be_one(text: str, mentions: Sequence[Mention], kind: Literal["person", "entry"], ties: Ties) -> bool:
    """Tell whether the two handles of a kind that a sentence names may be left to be one thing.

    Not where the sentence says something of either, unless it does speak of names between the two.
    """
    ours = [mention for mention in mentions if mention.kind == kind]
    if not any(ties.is_tied(kind, mention.name) for mention in ours):
        return True
    return any(
        a.name != b.name and NAMING.search(text[a.end : b.start]) is not None for a, b in pairwise(ours)
    )


def untied(mentions: Sequence[Mention], ties: Ties) -> Iterator[Statement]:
    """Yield holder and ``Same`` statements of the case whose ends both stand in a sentence that does not
    make them."""
    people = _names(mentions, "person")
    entries = _names(mentions, "entry")
    for entry in entries:
        for person in people:
            holder = Attribute("holder", Handle("entry", entry), person)
            if holder in ties.known.places and not ties.states(holder):
                yield holder
    handles = [Handle("person", name) for name in people] + [Handle("entry", name) for name in entries]
    for a, b in permutations(handles, 2):
        same = Same(a, b)
        if same in ties.known.places and not ties.states(same):
            yield same


def dangling(mentions: Sequence[Mention], ties: Ties) -> Iterator[Statement]:
    """Yield holder and ``Same`` statements of the case about the one handle of a sentence that takes up
    something its record does not name, as 'Her code is KX-1' at the start of a record."""
    handles = {Handle(m.kind, m.name) for m in mentions if m.kind == "person" or m.kind == "entry"}
    if len(handles) != 1:
        return
    handle = next(iter(handles))
    for statement in ties.known.places:
        if isinstance(statement, Same):
            about = handle in (statement.a, statement.b)
        else:
            about = statement.kind == "holder" and handle in (
                statement.on,
                Handle("person", statement.value),
            )
        if about:
            yield statement


def _names(mentions: Sequence[Mention], kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mention.name for mention in mentions if mention.kind == kind))
