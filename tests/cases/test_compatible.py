from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.cases.compatible import compatible
from memjoin.cases.entailed import entailed
from memjoin.cases.schema import Target, Value
from memjoin.cases.stated import Stated, ends
from memjoin.text.graph import Attribute, Handle, Relation, Same, Statement

TARGET = Target(*(Value(name, (name,)) for name in ("N", "V", "S", "2029-09-17")))
C, E = Handle("entry", "c"), Handle("entry", "e")


def holder(entry: Handle, person: str) -> Attribute:
    return Attribute("holder", entry, person)


@pytest.mark.parametrize(
    ("statements", "left"),
    [
        ([], True),
        ([holder(C, "A")], True),
        ([holder(C, "A"), Attribute("site", C, "S")], True),
        ([holder(C, "A"), Attribute("site", C, "S1")], False),
        ([holder(C, "A"), Attribute("date", C, "2029-09-20")], False),
        ([holder(C, "A"), Attribute("service", C, "V1")], False),
        # Somebody else's entry, and one of nobody's.
        ([holder(C, "B"), Attribute("site", C, "S1")], True),
        ([Attribute("site", C, "S1")], True),
        # One entry conflicts, another is open.
        ([holder(C, "A"), Attribute("site", C, "S1"), holder(E, "A")], True),
        # What was said before does not count.
        ([holder(C, "A"), Attribute("site", C, "S1"), Attribute("site", C, "S")], True),
        ([holder(C, "A"), Attribute("site", C, "S1"), holder(C, "B")], True),
        # By an alias, and by a second handle of the entry.
        (
            [Same(Handle("person", "A"), Handle("person", "Y")), holder(C, "Y"), Attribute("site", C, "S1")],
            False,
        ),
        ([holder(C, "A"), Same(C, E), Attribute("site", E, "S1")], False),
    ],
)
def test_who_is_compatible(statements: list[Statement], left: bool) -> None:
    assert compatible(statements, "A", TARGET) is left


ENTRIES = st.sampled_from([C, E, Handle("entry", "g")])
PEOPLE = st.sampled_from(["N", "A", "B"])
STATEMENTS = st.lists(
    st.builds(Attribute, st.just("holder"), ENTRIES, PEOPLE)
    | st.builds(Attribute, st.just("site"), ENTRIES, st.sampled_from(["S", "S1"]))
    | st.builds(Attribute, st.just("service"), ENTRIES, st.sampled_from(["V", "V1"]))
    | st.builds(Attribute, st.just("date"), ENTRIES, st.sampled_from(["2029-09-17", "2029-09-20"]))
    | st.builds(Same, ENTRIES, ENTRIES),
    max_size=8,
)


@given(STATEMENTS, st.data())
def test_whoever_is_linked_to_no_conflict_is_compatible_in_every_subset(
    statements: list[Statement], data: st.DataObject
) -> None:
    stated = [Stated(number, one, ends(one), False, True) for number, one in enumerate(statements)]
    found, known = entailed(
        stated,
        Relation(*[value.canonical for value in (TARGET.subject, TARGET.service, TARGET.site, TARGET.date)]),
        (),
    )
    subset = [one for one in statements if data.draw(st.booleans())]
    for person in ("N", "A", "B"):
        number = found.numbers.get(("person", person))
        if number is None or known.groups[number] not in known.at_odds:
            assert compatible(subset, person, TARGET)
