"""Entailment against a slow oracle that shares nothing with it, and facts that must hold of any graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.text.graph import (
    Attribute,
    AttributeKind,
    Handle,
    HandleType,
    Relation,
    Same,
    Statement,
    entails,
    held,
    relations,
)

NAMES: dict[HandleType, tuple[str, ...]] = {
    "person": ("N", "A", "X"),
    "entry": ("e", "f", "g"),
    "site": ("S", "T"),
    "date": ("D", "D1"),
}
VALUES: dict[AttributeKind, tuple[str, ...]] = {
    "holder": NAMES["person"],
    "site": NAMES["site"],
    "date": NAMES["date"],
    "service": ("V", "W"),
}
RELATIONS = [Relation(*names) for names in product("NX", "VW", "ST", "D")]


HANDLES = {kind: [Handle(kind, name) for name in names] for kind, names in NAMES.items()}
ATTRIBUTES = [
    Attribute(kind, on, value)
    for kind, values in VALUES.items()
    for on in (*HANDLES["entry"], *HANDLES["entry"], *HANDLES["site"], *HANDLES["date"])
    for value in values
]
SAMES = [Same(a, b) for of_kind in HANDLES.values() for a, b in combinations(of_kind, 2)]


def h(kind: HandleType, name: str) -> Handle:
    return Handle(kind, name)


def a(kind: AttributeKind, on: str, value: str) -> Attribute:
    types: dict[str, HandleType] = {"@": "site", "#": "date"}
    handle = h(types[on[0]], on[1:]) if on[0] in types else h("entry", on)
    return Attribute(kind, handle, value)


def one(kind: HandleType, x: str, y: str) -> Same:
    return Same(h(kind, x), h(kind, y))


# Every topology of the design, session by session.
TOPOLOGIES: dict[str, list[list[Statement]]] = {
    "chain": [
        [one("person", "N", "X")],
        [a("holder", "e", "X")],
        [a("site", "e", "S")],
        [a("service", "e", "V"), a("date", "e", "D")],
    ],
    "star": [[a("holder", "e", "N")], [a("site", "e", "S")], [a("service", "e", "V")], [a("date", "e", "D")]],
    "relay": [
        [a("holder", "e", "N")],
        [one("entry", "e", "f")],
        [a("service", "f", "V")],
        [a("site", "f", "S"), a("date", "f", "D")],
    ],
    "value by site": [
        [a("holder", "e", "N")],
        [a("site", "e", "S")],
        [a("date", "@S", "D")],
        [a("service", "@S", "V")],
    ],
    "value by date": [
        [a("holder", "e", "N")],
        [a("date", "e", "D")],
        [a("site", "#D", "S")],
        [a("service", "#D", "V")],
    ],
    "amend": [
        [a("holder", "e", "N"), a("site", "e", "T"), a("date", "e", "D1")],
        [a("site", "e", "S")],
        [a("service", "e", "V")],
        [a("date", "e", "D")],
    ],
    "renumber": [
        [a("holder", "e", "N"), a("site", "e", "T"), a("date", "e", "D")],
        [one("entry", "e", "f")],
        [a("service", "f", "V")],
        [a("site", "f", "S")],
    ],
    "holder": [
        [a("holder", "e", "A"), a("service", "e", "V")],
        [a("holder", "e", "N")],
        [a("site", "e", "S")],
        [a("date", "e", "D")],
    ],
    "redate": [
        [a("holder", "e", "N"), a("date", "e", "D1")],
        [a("date", "e", "D")],
        [a("site", "#D", "S")],
        [a("service", "#D", "V")],
    ],
    "slot": [[a("holder", "e", "N")], [a("site", "e", "S")], [a("service", "e", "V")], [a("date", "e", "D")]],
    "backref": [
        [a("holder", "e", "N")],
        [one("entry", "e", "f")],
        [a("service", "f", "V"), a("site", "f", "S")],
        [a("date", "e", "D")],
    ],
    "late": [
        [a("holder", "e", "N")],
        [a("service", "f", "V")],
        [one("entry", "e", "f")],
        [a("date", "e", "D"), a("site", "f", "S")],
    ],
    "place": [
        [a("holder", "e", "N")],
        [a("site", "e", "S")],
        [a("service", "@S", "V")],
        [a("date", "@S", "D")],
    ],
}


# Where values give values: a chain, two that give one thing, and one that gives what the entry has.
VALUE_CHAINS: list[list[Statement]] = [
    [a("holder", "e", "N"), a("date", "e", "D"), a("site", "#D", "S"), a("service", "@S", "V")],
    [
        a("holder", "e", "N"),
        a("site", "e", "S"),
        a("date", "e", "D"),
        a("service", "@S", "V"),
        a("service", "#D", "W"),
    ],
    [
        a("holder", "e", "N"),
        a("site", "e", "S"),
        a("date", "e", "D"),
        a("date", "@S", "D1"),
        a("service", "@S", "V"),
    ],
]
BASES = [[statement for session in sessions for statement in session] for sessions in TOPOLOGIES.values()]


@st.composite
def graphs(draw: st.DrawFn) -> list[Statement]:
    """Draw a topology or a chain of values, shuffled or not, with other statements strewn in."""
    statements = list(draw(st.sampled_from([*BASES, *VALUE_CHAINS, *VALUE_CHAINS])))
    if draw(st.booleans()):
        statements = draw(st.permutations(statements))
    for statement in draw(st.lists(st.sampled_from([*ATTRIBUTES, *SAMES, *SAMES]), max_size=6)):
        statements.insert(draw(st.integers(0, len(statements))), statement)
    return statements


def oracle(statements: Sequence[Statement], relation: Relation) -> bool:
    """Entailment as the design words it, by looking everything up again and again."""

    def alike(a: Handle, b: Handle) -> bool:
        reached, fresh = {a}, [a]
        while fresh:
            at = fresh.pop()
            for statement in statements:
                if isinstance(statement, Same) and at in (statement.a, statement.b):
                    other = statement.b if at == statement.a else statement.a
                    if other not in reached:
                        reached.add(other)
                        fresh.append(other)
        return b in reached

    def latest(kind: AttributeKind, of: Callable[[Handle], bool]) -> str | None:
        said = [s.value for s in statements if isinstance(s, Attribute) and s.kind == kind and of(s.on)]
        return said[-1] if said else None

    for entry in (Handle("entry", name) for name in NAMES["entry"]):
        current = {kind: latest(kind, lambda on, entry=entry: alike(on, entry)) for kind in VALUES}
        own = [kind for kind, value in current.items() if value is not None]
        for _ in range(4):  # as often as a chain could be long
            reach = [Handle(kind, value) for kind in ("site", "date") if (value := current[kind]) is not None]
            for kind in VALUES:
                if kind not in own:
                    others = [handle for handle in reach if handle.type != kind]
                    current[kind] = latest(
                        kind, lambda on, others=others: any(alike(on, other) for other in others)
                    )
        if None not in current.values() and (
            alike(Handle("person", current["holder"]), Handle("person", relation.subject))
            and alike(Handle("site", current["site"]), Handle("site", relation.site))
            and alike(Handle("date", current["date"]), Handle("date", relation.date))
            and current["service"] == relation.service
        ):
            return True
    return False


@settings(max_examples=200)
@given(graphs())
def test_entailment_agrees_with_the_oracle(statements: list[Statement]) -> None:
    found = relations(statements)
    for relation in RELATIONS:
        expected = oracle(statements, relation)
        assert entails(statements, relation) is expected
        assert (relation in found) is expected
        assert any(len(has) == 3 for has in held(statements, relation)) is expected


def rename(statement: Statement) -> Statement:
    def new(handle: Handle) -> Handle:
        return replace(handle, name=f"new {handle.name}")

    if isinstance(statement, Same):
        return Same(new(statement.a), new(statement.b))
    return Attribute(statement.kind, new(statement.on), f"new {statement.value}")


@given(graphs())
def test_renaming_everything_renames_what_follows(statements: list[Statement]) -> None:
    renamed = {
        Relation(*(f"new {name}" for name in (found.subject, found.service, found.site, found.date)))
        for found in relations(statements)
    }
    assert relations([rename(statement) for statement in statements]) == renamed


@given(graphs(), st.data())
def test_the_order_of_statements_of_different_kinds_is_irrelevant(
    statements: list[Statement], data: st.DataObject
) -> None:
    # Only statements of one kind about one thing can replace each other; so each kind keeps its order.
    kinds = [getattr(statement, "kind", "same") for statement in statements]
    queues = {kind: iter([s for s, k in zip(statements, kinds, strict=True) if k == kind]) for kind in kinds}
    shuffled = data.draw(st.permutations(kinds))
    assert relations([next(queues[kind]) for kind in shuffled]) == relations(statements)


@given(graphs(), st.sampled_from(ATTRIBUTES))
def test_the_latest_statement_decides(statements: list[Statement], last: Attribute) -> None:
    # Of an entry that has all four, whatever else is said of other things.
    fresh = Handle("entry", "fresh")
    wanted: dict[AttributeKind, str] = {"holder": "N", "site": "S", "date": "D", "service": "V"}
    whole: list[Statement] = [Attribute(kind, fresh, value) for kind, value in wanted.items()]
    others = [statement for statement in statements if not isinstance(statement, Same)]
    target = Relation("N", "V", "S", "D")
    assert entails([*others, *whole], target)
    changed = held([*whole, Attribute(last.kind, fresh, last.value)], target)
    assert any(len(has) == 3 for has in changed) is (last.value == wanted[last.kind])


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_a_topology_needs_every_session_and_gives_one_relation(name: str) -> None:
    sessions = TOPOLOGIES[name]
    target = Relation("N", "V", "S", "D")
    for size in range(len(sessions) + 1):
        for chosen in combinations(range(len(sessions)), size):
            statements = [statement for number in chosen for statement in sessions[number]]
            assert entails(statements, target) is (size == len(sessions))
    everything = [statement for session in sessions for statement in session]
    assert {(r.service, r.site, r.date) for r in relations(everything)} == {("V", "S", "D")}


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_other_people_s_entries_change_nothing(name: str) -> None:
    others: list[Statement] = [
        a("holder", "o", "B"),
        a("site", "o", "S"),
        a("date", "p", "D"),
        a("holder", "p", "B"),
    ]
    everything = [statement for session in TOPOLOGIES[name] for statement in session]
    target = Relation("N", "V", "S", "D")
    assert entails([*everything, *others], target)
    assert entails([*others, *everything], target)
