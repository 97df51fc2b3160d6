"""What a case's statements entail, worked out once for each shape that they have.

The names in a case are its own, but its graph is one of a few dozen. So statements are numbered: every
handle and value by its first appearance, after the target's parts, and every session by its place among
those that count. Two cases with the same numbers have the same *shape*, and whatever is entailed in the one
is entailed in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias, cast

from memjoin.cases.stated import Key, Stated
from memjoin.text.graph import (
    Attribute,
    AttributeKind,
    Handle,
    HandleType,
    Relation,
    Same,
    Statement,
    entails,
    relations,
)
from memjoin.text.record import record

Row: TypeAlias = tuple[AttributeKind | Literal["same"], HandleType, int, int, int, bool, bool]
"""A numbered statement: what it states, the type of its first end, both ends, session, decoy, survives."""

_TARGET = Relation("0", "1", "2", "3")
_PARTS = {"service": 1, "site": 2, "date": 3}
_SESSION_AND_DECOY = itemgetter(Stated._fields.index("session"), Stated._fields.index("decoy"))


class Shape(NamedTuple):
    """Numbered statements in session order, and the numbers of the sessions that hold the target's clues."""

    rows: tuple[Row, ...]
    clues: tuple[int, ...]
    things: int
    """How many handles and values there are."""


@record
class Facts:
    """What statements of one shape entail, by numbers."""

    groups: tuple[int, ...]
    """For each handle and value the group of what is linked to it, however indirectly; -1 for what is in no
    statement. No statement of one group can change what is entailed of a handle in another, in any subset."""
    mixed: bool
    """Whether a group has statements of the target's clues and of decoys."""
    complete: tuple[tuple[int, int, int, int], ...]
    """Every relation that all of them entail: subject, service, site, date."""
    suffice: tuple[tuple[int, ...], ...]
    """Every proper subset of the target's clue sessions that entails the target, smaller ones first."""
    without_cues: bool
    """Whether the target is entailed by the statements that survive the deletion of the cues."""
    connecting: tuple[int, ...]
    """The handles of the target's clues, the subject left out, that several sessions name."""
    naming: tuple[int, ...]
    """The sessions of the target's clues that name the subject."""
    at_odds: frozenset[int]
    """The groups that hold any value at odds with the target."""


class Numbered(NamedTuple):
    """The shape of statements, and what its numbers stand for."""

    shape: Shape
    numbers: dict[Key, int]
    """The numbers of handles and values."""
    sessions: tuple[int, ...]
    """The sessions."""


def numbered(stated: Iterable[Stated], relation: Relation, clues: Iterable[int]) -> Numbered:
    """Number statements.

    Args:
        stated: The statements, in session order.
        relation: The target.
        clues: The sessions with clues to the target.
    """
    numbers: dict[Key, int] = {
        ("person", relation.subject): 0,
        ("service", relation.service): 1,
        ("site", relation.site): 2,
        ("date", relation.date): 3,
    }
    rows: list[Row] = []
    sessions = sorted({*clues, *[one.session for one in stated]})
    place = {session: number for number, session in enumerate(sessions)}
    for session, statement, (left, right), decoy, survives in stated:
        kind = "same" if isinstance(statement, Same) else statement.kind
        on = cast(HandleType, left[0])
        one = numbers.setdefault(left, len(numbers))
        other = numbers.setdefault(right, len(numbers))
        rows.append((kind, on, one, other, place[session], decoy, survives))
    shape = Shape(tuple(rows), tuple([place[session] for session in sorted(clues)]), len(numbers))
    return Numbered(shape, numbers, tuple(sessions))


def entailed(stated: Iterable[Stated], relation: Relation, clues: Iterable[int]) -> tuple[Numbered, Facts]:
    """Number statements, and return what they entail; arguments as ``numbered`` has them."""
    # Within a session the clue's statements come first: remarks of one turn stand in any order, and there are
    # far fewer shapes where that does not count. It can count only if decoys and clues share a handle.
    found = numbered(sorted(stated, key=_SESSION_AND_DECOY), relation, clues)
    known = facts(found.shape)
    if known.mixed:
        found = numbered(stated, relation, clues)
        known = facts(found.shape)
    return found, known


@lru_cache(maxsize=1 << 12)
def facts(shape: Shape) -> Facts:
    """Return what statements of a shape entail, remembered."""
    groups = _groups(shape)
    linked = [row for row in shape.rows if groups[row[2]] == groups[0]]
    statements = [_statement(row) for row in linked]
    every = [_statement(row) for row in shape.rows]
    found = sorted(
        (int(one.subject), int(one.service), int(one.site), int(one.date)) for one in relations(every)
    )
    surviving = [one for one, row in zip(statements, linked, strict=True) if row[6]]
    ours = {groups[row[2]] for row in shape.rows if not row[5]}
    return Facts(
        groups=groups,
        mixed=any(row[5] and groups[row[2]] in ours for row in shape.rows),
        complete=tuple(found),
        suffice=tuple(_subsets(linked, shape.clues, statements)),
        without_cues=entails(surviving, _TARGET),
        connecting=tuple(_connecting(linked)),
        naming=tuple({row[4]: None for row in linked if not row[5] and 0 in row[2:4]}),
        at_odds=frozenset(
            groups[one] for kind, _, one, value, *_ in shape.rows if _PARTS.get(kind, value) != value
        ),
    )


def _groups(shape: Shape) -> tuple[int, ...]:
    """Group what is linked. A service links nothing: only sites and dates can be handles."""
    groups = [-1] * shape.things
    for kind, _, one, other, _, _, _ in shape.rows:
        if groups[one] < 0:
            groups[one] = one
        if kind != "service":
            old, new = groups[other], groups[one]
            groups[other] = new
            if old >= 0:
                groups = [new if group == old else group for group in groups]
    return tuple(groups)


def _statement(row: Row) -> Statement:
    kind, on, one, other = row[:4]
    if kind == "same":
        return Same(Handle(on, str(one)), Handle(on, str(other)))
    return Attribute(kind, Handle(on, str(one)), str(other))


def _subsets(
    rows: Sequence[Row], clues: Iterable[int], statements: Sequence[Statement]
) -> Iterable[tuple[int, ...]]:
    """Go through the proper subsets of the clue sessions that entail the target."""
    clues = set(clues)
    # A session that alone states a holder, or one of the target's parts, is in every subset that could
    # entail the target.
    supplying: dict[str, set[int]] = {}
    for kind, _, _, value, session, _, _ in rows:
        if kind != "same" and _PARTS.get(kind, value) == value:
            supplying.setdefault(kind, set()).add(session)
    needed = {session for sessions in supplying.values() if len(sessions) == 1 for session in sessions}
    needed &= clues
    others = sorted(clues - needed)
    for size in range(len(others)):
        for subset in combinations(others, size):
            absent = set(others).difference(subset)
            left = [one for one, row in zip(statements, rows, strict=True) if row[4] not in absent]
            if entails(left, _TARGET):
                yield tuple(sorted({*needed, *subset}))


def _connecting(rows: Iterable[Row]) -> Iterable[int]:
    """Go through what connects the target's clues of different sessions.

    These are entries, aliases, sites and dates. A site or a date connects where something hangs on it; two
    sessions that merely mention one do not. The subject's name connects nothing.
    """
    sessions: dict[int, set[int]] = {}
    handles: dict[int, None] = {}
    for kind, _, one, other, session, decoy, _ in rows:
        if not decoy:
            sessions.setdefault(one, set()).add(session)
            sessions.setdefault(other, set()).add(session)
            handles[one] = None
            if kind == "same":
                handles[other] = None
    for number in handles:
        if number and len(sessions[number]) > 1:
            yield number
