"""Cases that somebody else wrote: whatever a well-formed file holds, the verifier answers with findings."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memjoin.cases.files import read_line, to_plain
from memjoin.cases.schema import Case
from memjoin.cases.show import facts, segments
from memjoin.cases.verify import findings
from memjoin.errors import MemJoinError


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all texts, numbers and lists in a case's JSON."""
    found = [path] if path and not isinstance(value, dict) else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += places(item, (*path, key))
    return found


ODD = st.sampled_from(
    ["", " ", "no", "2029-02-30", "17", "person", "\u0301", "\ud800", -1, 0, 99, [], [1, 2]]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(data=st.data())
def test_odd_content_is_refused_or_found_and_never_a_crash(built: list[Case], data: st.DataObject) -> None:
    plain = copy.deepcopy(to_plain(data.draw(st.sampled_from(built[:36]))))
    for _ in range(data.draw(st.integers(1, 4))):
        *way, last = data.draw(st.sampled_from(places(plain)))
        value = plain
        for step in way:
            value = value[step]
        value[last] = copy.copy(data.draw(ODD))
    try:
        case = read_line(json.dumps(plain), "own.jsonl:1")
    except MemJoinError:
        return
    assert isinstance(findings(case), list)
    assert list(facts(case))
    for number, session in enumerate(case.sessions):
        for place in range(len(session.turns)):
            assert segments(case, number, place) or session.turns[place].text == ""


@pytest.mark.parametrize(
    ("path", "value", "broken", "problem"),
    [
        (("sessions", 1, "at"), "2029-01-01", "P7", "is not written like 2029-08-20T14:05"),
        (("sessions", 1, "at"), "1999-01-01T08:00", "P1", "session s2 is not later than session s1"),
        (("sessions", 1, "id"), "s1", "P4", "two sessions have the same id"),
        (("annotation", "target", "date", "canonical"), "in May", "P7", "is not written like 2029-09-17"),
        (("annotation", "clues", 0, "session"), 77, "P4", "is not a whole sentence of its clue"),
    ],
)
def test_mistakes_of_form_are_findings(
    built: list[Case], path: tuple[Any, ...], value: Any, broken: str, problem: str
) -> None:
    plain = copy.deepcopy(to_plain(built[0]))
    *way, last = path
    place = plain
    for step in way:
        place = place[step]
    place[last] = value
    found = findings(read_line(json.dumps(plain), "own.jsonl:1"))
    assert any(one.property == broken and problem in one.problem for one in found), found
