"""Two small cases written by hand, for what can be told from a few lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memjoin.cases.schema import (
    Annotation,
    Case,
    Clue,
    Cue,
    NamedHandle,
    Session,
    Span,
    Target,
    Task,
    Turn,
    Value,
)
from memjoin.text.dates import date_forms
from memjoin.text.graph import Attribute, Handle, Same, Statement

PRIYA, TOMAS = Handle("person", "Priya Raman"), Handle("person", "Tomas Weber")
JUNIPER = Handle("person", "Juniper")
CODE, OTHER = Handle("entry", "KX-4821"), Handle("entry", "KX-3307")
NORTHGATE = Handle("site", "Northgate Annex")
SERVICE = Value("hereditary cancer screening", ("hereditary cancer screening", "hereditary screening"))
GAIT = Value("gait review", ("gait review",))


def value(name: str) -> Value:
    return Value(name, date_forms(name) if name[0].isdigit() else (name,))


def case_of(remarks: Sequence[tuple[str, Sequence[Statement], bool]], cues: Sequence[Handle]) -> Case:
    """Make a case of one session a remark: (its sentences, what they state, whether it is a decoy's)."""
    sessions = tuple(
        Session(
            f"s{number}", f"2029-08-{number + 10}T09:00", (Turn("user", text), Turn("assistant", "Noted."))
        )
        for number, (text, _, _) in enumerate(remarks, 1)
    )
    clues = tuple(
        Clue(number, tuple(statements), (Span(number, 0, 0, len(text)),), (), decoy)
        for number, (text, statements, decoy) in enumerate(remarks)
        if statements
    )
    annotation = Annotation(
        target=Target(
            Value("Priya Raman", ("Priya Raman",)), SERVICE, value("Northgate Annex"), value("2029-09-17")
        ),
        handles=tuple(NamedHandle(one, (one.name,)) for one in (PRIYA, TOMAS, JUNIPER, CODE, OTHER)),
        values=(
            ("service", SERVICE),
            ("service", GAIT),
            ("site", value("Northgate Annex")),
            ("site", value("Eastmoor House")),
            ("date", value("2029-09-17")),
            ("date", value("2029-09-13")),
        ),
        clues=clues,
        cues=tuple(Cue(one, (one.name,), ()) for one in cues),
        required=(),
        people=("Priya Raman", "Tomas Weber"),
        stratum="values-visible",
        why="The drivers need no more than a name and a corner.",
    )
    task = Task("Write to the drivers about Priya's lift.", "the drivers", "a lift")
    return Case("H-1", "H", "Medical", "legitimate", "RJ", "chain", sessions, task, annotation)


@pytest.fixture(scope="session")
def chain() -> Case:
    """Name, alias, code, values; Tomas's code beside it."""
    return case_of(
        [
            ("Priya Raman is down as Juniper.", [Same(PRIYA, JUNIPER)], False),
            ("Juniper's envelope is stamped KX-4821.", [Attribute("holder", CODE, "Juniper")], False),
            ("KX-4821 is for Northgate Annex.", [Attribute("site", CODE, "Northgate Annex")], False),
            (
                "KX-4821 is the hereditary screening and goes out on 2029-09-17.",
                [Attribute("service", CODE, SERVICE.canonical), Attribute("date", CODE, "2029-09-17")],
                False,
            ),
            ("Tomas Weber has KX-3307.", [Attribute("holder", OTHER, "Tomas Weber")], True),
            ("KX-3307 is the gait review.", [Attribute("service", OTHER, "gait review")], True),
        ],
        [JUNIPER, CODE],
    )


@pytest.fixture(scope="session")
def amended() -> Case:
    """One code whose place is corrected."""
    return case_of(
        [
            (
                "Priya Raman has KX-4821, at Eastmoor House.",
                [Attribute("holder", CODE, "Priya Raman"), Attribute("site", CODE, "Eastmoor House")],
                False,
            ),
            (
                "KX-4821 moved from Eastmoor House to Northgate Annex.",
                [Attribute("site", CODE, "Northgate Annex")],
                False,
            ),
            ("KX-4821 is the hereditary screening.", [Attribute("service", CODE, SERVICE.canonical)], False),
            ("KX-4821 is on 2029-09-17.", [Attribute("date", CODE, "2029-09-17")], False),
        ],
        [CODE],
    )


@pytest.fixture(scope="session")
def by_place() -> Case:
    """The site is what connects."""
    return case_of(
        [
            ("Priya Raman has KX-4821.", [Attribute("holder", CODE, "Priya Raman")], False),
            ("KX-4821 is at Northgate Annex.", [Attribute("site", CODE, "Northgate Annex")], False),
            (
                "Northgate Annex does the hereditary screening.",
                [Attribute("service", NORTHGATE, SERVICE.canonical)],
                False,
            ),
            ("Northgate Annex is on 2029-09-17.", [Attribute("date", NORTHGATE, "2029-09-17")], False),
        ],
        [CODE, NORTHGATE],
    )
