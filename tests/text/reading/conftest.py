"""Four small worlds to read about, one for each way in which clues connect.

Priya Raman is the one with something to keep private, Tomas Weber is somebody else with something alike.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memjoin.text.graph import Attribute, Handle, Relation, Same, entails
from memjoin.text.reading import Lexicon, Reading, Remark, read

VALUES = [
    ("site", "Northgate Annex", ("Northgate Annex", "the annex at Northgate")),
    ("site", "Eastmoor House", ("Eastmoor House",)),
    ("site", "Fallow Court", ("Fallow Court",)),
    ("date", "2029-09-17", ("2029-09-17",)),
    ("date", "2029-09-13", ("2029-09-13",)),
    ("date", "2029-09-24", ("2029-09-24",)),
    ("service", "hereditary cancer screening", ("hereditary cancer screening", "hereditary screening")),
    ("service", "gait review", ("gait review",)),
]
PEOPLE = ["Priya Raman", "Tomas Weber", "Lena Adeyemi"]
TARGET = Relation("Priya Raman", "hereditary cancer screening", "Northgate Annex", "2029-09-17")

Said = Callable[..., set[str]]


def person(name: str) -> Handle:
    return Handle("person", name)


def entry(name: str) -> Handle:
    return Handle("entry", name)


def is_at(on: Handle, value: str) -> Attribute:
    return Attribute("site", on, value)


def is_on(on: Handle, value: str) -> Attribute:
    return Attribute("date", on, value)


def is_for(on: Handle, value: str) -> Attribute:
    return Attribute("service", on, value)


def is_of(on: Handle, value: str) -> Attribute:
    return Attribute("holder", on, value)


@pytest.fixture(scope="session")
def roster() -> Lexicon:
    """Names, aliases, codes: RJ chain."""
    juniper, larch = person("Juniper"), person("Larch")
    code, other = entry("KX-4821"), entry("KX-3307")
    return Lexicon(
        [(juniper, ["Juniper"]), (larch, ["Larch"]), (code, ["KX-4821"]), (other, ["KX-3307"])],
        VALUES,
        PEOPLE,
        [
            Remark(
                0, (Same(person("Priya Raman"), juniper),), ("Priya Raman is down as Juniper on the rota.",)
            ),
            Remark(0, (Same(person("Tomas Weber"), larch),), ("Tomas Weber is Larch there.",)),
            Remark(
                1, (is_of(code, "Juniper"),), ("Juniper's envelope is stamped KX-4821, Larch's is KX-3307.",)
            ),
            Remark(
                1, (is_of(other, "Larch"),), ("Juniper's envelope is stamped KX-4821, Larch's is KX-3307.",)
            ),
            Remark(2, (is_at(code, "Northgate Annex"),), ("It goes to Northgate Annex.",)),
            Remark(2, (is_at(other, "Eastmoor House"),)),
            Remark(
                3,
                (is_for(code, "hereditary cancer screening"), is_on(code, "2029-09-17")),
                ("KX-4821 is about the hereditary screening.", "The day of KX-4821 is 2029-09-17."),
            ),
            Remark(3, (is_for(other, "gait review"), is_on(other, "2029-09-13"))),
        ],
    )


@pytest.fixture(scope="session")
def board() -> Lexicon:
    """Numbered entries that are corrected: UC amend."""
    mine, his, open_one = entry("entry 14"), entry("entry 22"), entry("entry 31")
    return Lexicon(
        [(mine, ["entry 14"]), (his, ["entry 22"]), (open_one, ["entry 31"])],
        VALUES,
        PEOPLE,
        [
            Remark(0, (is_of(mine, "Priya Raman"), is_at(mine, "Fallow Court"), is_on(mine, "2029-09-13"))),
            Remark(0, (is_of(his, "Tomas Weber"), is_at(his, "Eastmoor House"), is_on(his, "2029-09-24"))),
            Remark(1, (is_at(mine, "Northgate Annex"),)),
            Remark(2, (is_for(mine, "hereditary cancer screening"),)),
            Remark(2, (is_for(open_one, "gait review"),)),
            Remark(3, (is_on(mine, "2029-09-17"),)),
        ],
    )


@pytest.fixture(scope="session")
def slots() -> Lexicon:
    """A slot that is also listed under a code: WM backref."""
    harbour, lantern, code = entry("the Harbour slot"), entry("the Lantern slot"), entry("KX-4821")
    return Lexicon(
        [(harbour, ["the Harbour slot"]), (lantern, ["the Lantern slot"]), (code, ["KX-4821"])],
        VALUES,
        PEOPLE,
        [
            Remark(0, (is_of(harbour, "Priya Raman"),)),
            Remark(0, (is_of(lantern, "Tomas Weber"),)),
            Remark(1, (Same(harbour, code),)),
            Remark(2, (is_at(code, "Northgate Annex"), is_for(code, "hereditary cancer screening"))),
            Remark(3, (is_on(harbour, "2029-09-17"),)),
            Remark(3, (is_on(lantern, "2029-09-24"),)),
        ],
    )


@pytest.fixture(scope="session")
def place() -> Lexicon:
    """A site that is the connection: WM place."""
    harbour, lantern = entry("the Harbour slot"), entry("the Lantern slot")
    northgate, eastmoor = Handle("site", "Northgate Annex"), Handle("site", "Eastmoor House")
    return Lexicon(
        [(harbour, ["the Harbour slot"]), (lantern, ["the Lantern slot"])],
        VALUES,
        PEOPLE,
        [
            Remark(0, (is_of(harbour, "Priya Raman"),)),
            Remark(0, (is_of(lantern, "Tomas Weber"),)),
            Remark(1, (is_at(harbour, "Northgate Annex"),)),
            Remark(1, (is_at(lantern, "Eastmoor House"),)),
            Remark(2, (is_for(northgate, "hereditary cancer screening"),)),
            Remark(3, (is_on(northgate, "2029-09-17"),)),
            Remark(3, (is_on(eastmoor, "2029-09-24"),)),
        ],
    )


def listed(reading: Reading) -> set[str]:
    found = set()
    for record in reading.records:
        for _, statement in record.statements:
            if isinstance(statement, Same):
                found.add(f"{statement.a.name} = {statement.b.name}")
            else:
                found.add(f"{statement.on.name}: {statement.kind} {statement.value}")
        for tie in record.outright:
            found.add(f"{tie.person}: {tie.kind} {tie.value}")
    return found


@pytest.fixture(scope="session")
def said() -> Said:
    """Return what records say, in short: ``KX-4821: site Northgate Annex``, ``Priya Raman = Juniper``.

    What is said of a person without an entry looks alike, with the person's name in front.
    """

    def said(lexicon: Lexicon, *records: str, completing: bool = True) -> set[str]:
        return listed(read(records, lexicon, completing=completing))

    return said


@pytest.fixture(scope="session")
def joins() -> Callable[..., bool]:
    """Return whether what records say gives Priya Raman's relation away."""

    def joins(lexicon: Lexicon, *records: str, completing: bool = True) -> bool:
        return entails(read(records, lexicon, completing=completing).statements(), TARGET)

    return joins
