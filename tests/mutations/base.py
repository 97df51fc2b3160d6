"""What mutations of cases are made with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from damage import Damage as D
from memjoin.cases.evidence import text_at
from memjoin.cases.schema import Case, Clue, Span
from memjoin.text.graph import Attribute, Same, Statement

Mutation: TypeAlias = Callable[[Case], Iterator[Case]]

KINDS = ("service", "site", "date")

ALL: dict[str, tuple[str, Mutation]] = {}
"""The mutations by what they do, each with the property that it breaks."""


def breaks(name: str) -> Callable[[Mutation], Mutation]:
    """Enter a mutation that breaks a property."""

    def enter(mutation: Mutation) -> Mutation:
        ALL[mutation.__name__.replace("_", " ")] = name, mutation
        return mutation

    return enter


def turning(case: Case, step: int = 0) -> int:
    """Return a number that differs from case to case, to go round several wordings of one damage."""
    return sum(case.id.encode()) + step


def ours(case: Case) -> list[Clue]:
    return [clue for clue in case.annotation.clues if not clue.decoy]


def sentence(case: Case, clue: Clue) -> str:
    return " ".join(text_at(case, span) or "" for span in clue.sentences)


def places_of(case: Case, forms: tuple[str, ...], decoy: bool = False) -> list[Span]:
    """Return where the values of clues, or of decoys, read like one of some forms."""
    wanted = [form.casefold() for form in forms]
    return [
        span
        for clue in case.annotation.clues
        if clue.decoy is decoy
        for span in clue.values
        if (text_at(case, span) or "").casefold() in wanted
    ]


def another(case: Case, kind: str) -> tuple[str, tuple[str, ...], Span]:
    """Return the name, the forms and a place of a value that only decoys have."""
    target = getattr(case.annotation.target, kind).canonical
    return next(
        (value.canonical, value.forms, span)
        for which, value in case.annotation.values
        if which == kind and value.canonical != target
        for span in places_of(case, value.forms, decoy=True)
    )


def state(case: Case, session: int, text: str, *statements: Statement, decoy: bool = True) -> Case:
    """Add a remark that states something of decoys' values, annotated as it should be."""
    old = case.sessions[session].turns[0].text
    start = len(old) + 1
    values = [
        Span(session, 0, start + text.index(one.value), start + text.index(one.value) + len(one.value))
        for one in statements
        if isinstance(one, Attribute) and one.kind != "holder"
    ]
    span = Span(session, 0, start, start + len(text))
    clue = Clue(session, statements, (span,), tuple(values), decoy)
    return D.annotated(D.add_text(case, session, 0, text), clues=(*case.annotation.clues, clue))


def naming_sessions(case: Case) -> set[int]:
    subject = case.annotation.target.subject.canonical
    return {
        clue.session
        for clue in ours(case)
        for one in clue.statements
        if subject in ((one.a.name, one.b.name) if isinstance(one, Same) else (one.value,))
    }
