"""What is worked out for a shape is what each case with that shape entails, whatever its names."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memjoin.cases import release
from memjoin.cases.entailed import Facts, Numbered, entailed, facts, numbered
from memjoin.cases.seen import look
from memjoin.cases.stated import Stated, ends
from memjoin.text.graph import Attribute, Handle, HandleType, Relation, Same, Statement, entails, relations

TARGET = Relation("N", "V", "S", "D")
NAMES: dict[str, tuple[str, ...]] = {
    "person": ("N", "A", "X"),
    "entry": ("a", "b", "S"),
    "site": ("S", "S1"),
    "date": ("D", "D1"),
    "service": ("V", "V1"),
}


def handles(*types: HandleType) -> st.SearchStrategy[Handle]:
    return st.one_of([st.builds(Handle, st.just(one), st.sampled_from(NAMES[one])) for one in types])


STATEMENTS: st.SearchStrategy[Statement] = st.one_of(
    st.builds(
        Attribute, st.just("holder"), handles("entry", "site", "date"), st.sampled_from(NAMES["person"])
    ),
    st.builds(
        Attribute, st.just("service"), handles("entry", "site", "date"), st.sampled_from(NAMES["service"])
    ),
    st.builds(Attribute, st.just("site"), handles("entry", "date"), st.sampled_from(NAMES["site"])),
    st.builds(Attribute, st.just("date"), handles("entry", "site"), st.sampled_from(NAMES["date"])),
    st.one_of([st.builds(Same, handles(one), handles(one)) for one in ("person", "entry", "site", "date")]),
)
STATED = st.lists(
    st.builds(
        lambda session, statement, decoy, survives: Stated(
            session, statement, ends(statement), decoy, survives
        ),
        st.sampled_from((1, 2, 4, 5)),
        STATEMENTS,
        st.booleans(),
        st.booleans(),
    ),
    max_size=9,
).map(lambda stated: sorted(stated, key=lambda one: one.session))
CLUES = st.frozensets(st.sampled_from((1, 2, 3, 4, 5)))


@given(STATED, CLUES)
def test_the_facts_of_a_shape_are_those_of_its_statements(
    stated: list[Stated], clues: frozenset[int]
) -> None:
    found, known = entailed(stated, TARGET, clues)
    things, sessions = list(found.numbers), found.sessions
    statements = [one.statement for one in stated]
    complete = {Relation(*[things[number][1] for number in one]) for one in known.complete}
    assert complete == relations(statements)
    assert known.without_cues == entails([one.statement for one in stated if one.survives], TARGET)
    subsets = {
        subset
        for size in range(len(clues))
        for subset in combinations(sorted(clues), size)
        if entails([one.statement for one in stated if one.session not in clues.difference(subset)], TARGET)
    }
    assert {tuple([sessions[number] for number in one]) for one in known.suffice} == subsets
    ours = [one for one in stated if not one.decoy and linked(found, known, one.ends[0])]
    assert {things[number] for number in known.connecting} == connecting(ours)
    subject = ("person", TARGET.subject)
    assert {sessions[number] for number in known.naming} == {
        one.session for one in stated if not one.decoy and subject in one.ends
    }


def linked(found: Numbered, known: Facts, key: tuple[str, str]) -> bool:
    """Tell whether a handle is linked to the subject."""
    return known.groups[found.numbers[key]] == known.groups[0]


@given(STATED)
def test_groups_hold_both_ends_of_every_link_and_no_more(stated: list[Stated]) -> None:
    found, known = entailed(stated, TARGET, ())
    group = {key: known.groups[number] for key, number in found.numbers.items()}
    links = [one.ends for one in stated if one.ends[1][0] != "service"]
    reached: dict[tuple[str, str], set[tuple[str, str]]] = {
        left: {left} for one in stated for left in one.ends[:1]
    }
    for left, right in links:
        both = reached.setdefault(left, {left}) | reached.setdefault(right, {right})
        reached |= dict.fromkeys(both, both)
    for key, beside in reached.items():
        assert {other for other, number in group.items() if number == group[key]} == beside
    assert all(group[key] == -1 for key in group if key not in reached)


@given(STATED, CLUES)
def test_the_order_in_which_a_turn_says_things_does_not_count_unless_it_matters(
    stated: list[Stated], clues: frozenset[int]
) -> None:
    _, known = entailed(stated, TARGET, clues)
    decoys_first = sorted(stated, key=lambda one: (one.session, not one.decoy))
    found, same = entailed(decoys_first, TARGET, clues)
    if known.mixed:
        assert found == numbered(decoys_first, TARGET, clues)
    else:
        assert found.shape == entailed(stated, TARGET, clues)[0].shape
        assert same == known


def connecting(stated: list[Stated]) -> set[tuple[str, str]]:
    """Return what connects clues of several sessions, by the names of things."""
    named = {(key, one.session) for one in stated for key in one.ends}
    handles = {
        key for one in stated for key in (one.ends if isinstance(one.statement, Same) else one.ends[:1])
    } - {("person", TARGET.subject)}
    return {key for key in handles if len({session for other, session in named if other == key}) > 1}


def test_names_do_not_matter_to_a_shape() -> None:
    def stated(subject: str, entry: str, site: str) -> list[Stated]:
        both = [
            Attribute("holder", Handle("entry", entry), subject),
            Attribute("site", Handle("entry", entry), site),
        ]
        return [Stated(number, one, ends(one), False, True) for number, one in enumerate(both)]

    ours = numbered(stated("N", "a", "S"), TARGET, (0, 1))
    other = numbered(stated("Priya", "KX-1", "Northgate"), Relation("Priya", "V", "Northgate", "D"), (0, 1))
    elsewhere = numbered(stated("N", "a", "S1"), TARGET, (0, 1))
    assert ours.shape == other.shape != elsewhere.shape


def test_released_cases_have_few_shapes() -> None:
    facts.cache_clear()
    for case in release.load():
        look(case)
    assert facts.cache_info().currsize < 100
