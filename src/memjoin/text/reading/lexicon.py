"""The lexicon of a case: the surfaces by which its text names things, and what its remarks state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memjoin.text.graph import Attribute, Handle, Statement
from memjoin.text.reading.known import Known, Placed
from memjoin.text.reading.surfaces import MentionKind, Surfaces


@dataclass(frozen=True, slots=True)
class Remark:
    """What one remark states, and the whole sentences that state it.

    ``session`` counts from 0; it is what decides between an earlier and a later statement.
    """

    session: int
    statements: tuple[Statement, ...]
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a remark: per sentence its tokens between spaces, and how often it mentions anything."""

    sentences: tuple[tuple[str, int], ...]
    statements: tuple[Placed, ...]


class Lexicon:
    """What reading a text on a case takes: no rule of it is particular to a case, this is.

    Args:
        handles: Person and entry handles, each with its surface forms.
        values: ``(kind, canonical, forms)`` of every site, date and service; dates as ISO.
        people: Full names of everybody the case names.
        remarks: The annotated remarks; of one session, in the order in which it makes them.
    """

    def __init__(
        self,
        handles: Iterable[tuple[Handle, Sequence[str]]],
        values: Iterable[tuple[MentionKind, str, Sequence[str]]],
        people: Iterable[str],
        remarks: Iterable[Remark],
    ) -> None:
        self.surfaces = Surfaces(handles, values, people)
        self.remarks = tuple(remarks)
        order = sorted(range(len(self.remarks)), key=lambda number: self.remarks[number].session)
        self.known = Known(self.remarks[number].statements for number in order)
        self.placed: tuple[tuple[Placed, ...], ...] = tuple(
            self.known.remarks[order.index(number)] for number in range(len(self.remarks))
        )
        """The statements of each remark, in the order of ``remarks``, with their places."""
        self.wordings = [
            wording
            for remark, placed in zip(self.remarks, self.placed, strict=True)
            if (wording := self._wording(remark, placed)) is not None
        ]

    def _wording(self, remark: Remark, placed: tuple[Placed, ...]) -> Wording | None:
        """Return how a remark is worded, or None where its sentences name not all that it is about.

        'It is at Northgate Annex' states nothing by itself wherever it stands; such a remark is read by
        the rules, from what goes before it.
        """
        named: set[tuple[str, str]] = set()
        sentences = []
        for sentence in remark.sentences:
            mentions, words = self.surfaces.find(sentence)
            named |= {(mention.kind, mention.name) for mention in mentions}
            sentences.append((spaced(words), len(mentions)))
        if not sentences or not all(ends(statement) <= named for statement in remark.statements):
            return None
        return Wording(tuple(sentences), placed)


def ends(statement: Statement) -> frozenset[tuple[str, str]]:
    """Return the two ends of a statement as (kind, name) of the mentions that would name them."""
    if isinstance(statement, Attribute):
        kind = "person" if statement.kind == "holder" else statement.kind
        return frozenset(((statement.on.type, statement.on.name), (kind, statement.value)))
    return frozenset(((statement.a.type, statement.a.name), (statement.b.type, statement.b.name)))


def spaced(words: Sequence[str]) -> str:
    """Join tokens so that a run of whole tokens is found by looking for a part of the text."""
    return f" {' '.join(words)} "
