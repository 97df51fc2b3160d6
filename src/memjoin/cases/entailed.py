"""What the statements linked to the subject entail, worked out once for each shape that they have.

The names in a case are its own, but its graph is one of a few dozen. So statements are numbered: every
handle and value by its first appearance, after the target's parts, and every session by its place among
those that count. Two cases with the same numbers have the same *shape*, and whatever is entailed in the one
is entailed in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias, cast

from memjoin.cases.evidence import Key, Stated
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


class Shape(NamedTuple):
    """Numbered statements in session order, and the numbers of the sessions that hold the target's clues."""

    rows: tuple[Row, ...]
    clues: tuple[int, ...]


@record
class Facts:
    """What statements of one shape entail, by numbers."""

    complete: tuple[tuple[int, int, int, int], ...]
    """Every relation that all of them entail: subject, service, site, date."""
    suffice: tuple[tuple[int, ...], ...]
    """Every proper subset of the target's clue sessions that entails the target, smaller ones first."""
    without_cues: bool
    """Whether the target is entailed by the statements that survive the deletion of the cues."""
    connecting: tuple[int, ...]
    """The handles of the target's clues, the subject left out, that several sessions name."""


def shape_of(
    linked: Iterable[Stated], relation: Relation, clues: Iterable[int]
) -> tuple[Shape, tuple[Key, ...], tuple[int, ...]]:
    """Return the shape of statements, and what its numbers of things and of sessions stand for.

    Args:
        linked: The statements that are linked to the subject, in session order.
        relation: The target.
        clues: The sessions with clues to the target.
    """
    numbers: dict[Key, int] = {
        ("person", relation.subject): 0,
        ("service", relation.service): 1,
        ("site", relation.site): 2,
        ("date", relation.date): 3,
    }
    sessions = sorted({*clues, *[stated.session for stated in linked]})
    place = {session: number for number, session in enumerate(sessions)}
    rows: list[Row] = []
    for session, statement, (left, right), decoy, survives in linked:
        kind = "same" if isinstance(statement, Same) else statement.kind
        on = cast(HandleType, left[0])
        one = numbers.setdefault(left, len(numbers))
        rows.append((kind, on, one, numbers.setdefault(right, len(numbers)), place[session], decoy, survives))
    shape = Shape(tuple(rows), tuple([place[session] for session in sorted(clues)]))
    return shape, tuple(numbers), tuple(sessions)


@lru_cache(maxsize=1 << 12)
def facts(shape: Shape) -> Facts:
    """Return what statements of a shape entail, remembered."""
    rows = shape.rows
    statements = [_statement(row) for row in rows]
    found = sorted(
        (int(one.subject), int(one.service), int(one.site), int(one.date)) for one in relations(statements)
    )
    surviving = [one for one, row in zip(statements, rows, strict=True) if row[6]]
    return Facts(
        complete=tuple(found),
        suffice=tuple(_subsets(shape, statements)),
        without_cues=entails(surviving, _TARGET),
        connecting=tuple(_connecting(rows)),
    )


def _statement(row: Row) -> Statement:
    kind, on, one, other = row[:4]
    if kind == "same":
        return Same(Handle(on, str(one)), Handle(on, str(other)))
    return Attribute(kind, Handle(on, str(one)), str(other))


def _subsets(shape: Shape, statements: Sequence[Statement]) -> Iterable[tuple[int, ...]]:
    """Go through the proper subsets of the clue sessions that entail the target."""
    clues = set(shape.clues)
    # A session that alone states a holder, or one of the target's parts, is in every subset that could
    # entail the target.
    wanted = {"service": 1, "site": 2, "date": 3}
    supplying: dict[str, set[int]] = {}
    for kind, _, _, value, session, _, _ in shape.rows:
        if kind != "same" and wanted.get(kind, value) == value:
            supplying.setdefault(kind, set()).add(session)
    needed = {session for sessions in supplying.values() if len(sessions) == 1 for session in sessions}
    needed &= clues
    others = sorted(clues - needed)
    for size in range(len(others)):
        for subset in combinations(others, size):
            absent = set(others).difference(subset)
            left = [one for one, row in zip(statements, shape.rows, strict=True) if row[4] not in absent]
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
