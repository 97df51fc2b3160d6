"""What a case's text states: the annotated statements that the sentences they point to really make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from memjoin.cases.plaintext import GAP, NOWHERE, any_in
from memjoin.cases.schema import Clue, Span
from memjoin.text.graph import Same, Statement

_NOTHING = (NOWHERE,)
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


def read_stated(
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
