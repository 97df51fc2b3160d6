from __future__ import annotations

import pytest

from memjoin.text.graph import Attribute, Handle, Relation, Same, Statement, entails, held, relations

E, F, G = (Handle("entry", name) for name in ("e", "f", "g"))
NAME, ALIAS, OTHER = (Handle("person", name) for name in ("Priya Raman", "Juniper", "Tomas Weber"))
AT_S, AT_T = Handle("site", "S"), Handle("site", "T")
ON_D = Handle("date", "D")
TARGET = Relation("Priya Raman", "V", "S", "D")


def holder(on: Handle, who: Handle) -> Attribute:
    return Attribute("holder", on, who.name)


def site(on: Handle, value: str) -> Attribute:
    return Attribute("site", on, value)


def date(on: Handle, value: str) -> Attribute:
    return Attribute("date", on, value)


def service(on: Handle, value: str) -> Attribute:
    return Attribute("service", on, value)


WHOLE: list[Statement] = [holder(E, NAME), site(E, "S"), service(E, "V"), date(E, "D")]


def test_four_attributes_of_one_entry_are_the_relation() -> None:
    assert entails(WHOLE, TARGET)
    assert relations(WHOLE) == {TARGET}


@pytest.mark.parametrize("missing", range(4))
def test_each_attribute_is_needed(missing: int) -> None:
    rest = WHOLE[:missing] + WHOLE[missing + 1 :]
    assert not entails(rest, TARGET)
    assert relations(rest) == frozenset()


def test_nothing_follows_from_nothing() -> None:
    assert not entails([], TARGET)
    assert relations([]) == frozenset()
    assert held([], TARGET) == []


def test_attributes_of_different_entries_do_not_add_up() -> None:
    assert not entails([holder(E, NAME), site(E, "S"), service(F, "V"), date(F, "D")], TARGET)


def test_entries_that_are_the_same_add_up_whenever_that_is_said() -> None:
    parts: list[Statement] = [holder(E, NAME), site(E, "S"), service(F, "V"), date(F, "D")]
    for place in range(len(parts) + 1):
        assert entails([*parts[:place], Same(F, E), *parts[place:]], TARGET)


def test_sameness_is_transitive() -> None:
    assert entails(
        [holder(E, NAME), Same(E, F), Same(G, F), site(G, "S"), service(F, "V"), date(E, "D")], TARGET
    )


def test_a_person_may_be_named_by_any_handle() -> None:
    said: list[Statement] = [holder(E, ALIAS), *WHOLE[1:]]
    assert not entails(said, TARGET)
    said.append(Same(NAME, ALIAS))
    assert entails(said, TARGET)
    assert relations(said) == {TARGET, Relation("Juniper", "V", "S", "D")}


def test_a_later_statement_replaces_an_earlier_one_of_its_kind() -> None:
    assert not entails([*WHOLE, site(E, "T")], TARGET)
    assert entails([site(E, "T"), *WHOLE], TARGET)
    assert entails([holder(E, OTHER), *WHOLE], TARGET)
    assert not entails([*WHOLE, holder(E, OTHER)], TARGET)


def test_replacement_works_across_the_handles_of_an_entry() -> None:
    assert not entails([*WHOLE, Same(E, F), site(F, "T")], TARGET)
    assert not entails([*WHOLE, site(F, "T"), Same(E, F)], TARGET)
    assert entails([site(F, "T"), *WHOLE, Same(E, F)], TARGET)


def test_what_is_said_of_a_site_reaches_an_entry_while_it_is_there() -> None:
    said: list[Statement] = [holder(E, NAME), site(E, "S"), service(AT_S, "V"), date(AT_S, "D")]
    assert entails(said, TARGET)
    assert not entails([*said, site(E, "T")], TARGET)
    assert relations([*said, site(E, "T"), service(AT_T, "W"), date(AT_T, "D1")]) == {
        Relation("Priya Raman", "W", "T", "D1")
    }


def test_an_entry_s_own_statement_wins_over_one_through_a_value() -> None:
    own_first: list[Statement] = [
        service(E, "V"),
        holder(E, NAME),
        site(E, "S"),
        date(E, "D"),
        service(AT_S, "W"),
    ]
    assert entails(own_first, TARGET)
    assert relations(own_first) == {TARGET}


def test_attributes_of_values_chain() -> None:
    assert entails([holder(E, NAME), date(E, "D"), site(ON_D, "S"), service(AT_S, "V")], TARGET)
    assert entails([service(AT_S, "V"), site(ON_D, "S"), date(E, "D"), holder(E, NAME)], TARGET)
    assert entails([holder(E, NAME), site(E, "S"), date(AT_S, "D"), service(ON_D, "V")], TARGET)


def test_of_two_values_the_later_statement_decides() -> None:
    base: list[Statement] = [holder(E, NAME), site(E, "S"), date(E, "D")]
    assert entails([*base, service(AT_S, "W"), service(ON_D, "V")], TARGET)
    assert not entails([*base, service(ON_D, "V"), service(AT_S, "W")], TARGET)


def test_a_site_given_to_a_site_says_nothing() -> None:
    assert entails([*WHOLE, site(AT_S, "T"), date(ON_D, "D1")], TARGET)


def test_a_value_alone_is_no_entry() -> None:
    assert relations([holder(AT_S, NAME), service(AT_S, "V"), date(AT_S, "D")]) == frozenset()


def test_values_that_are_the_same_stand_for_each_other() -> None:
    said: list[Statement] = [
        holder(E, NAME),
        site(E, "T"),
        service(AT_S, "V"),
        date(E, "D"),
        Same(AT_S, AT_T),
    ]
    assert entails(said, TARGET)
    assert relations(said) == {TARGET, Relation("Priya Raman", "V", "T", "D")}


def test_a_second_entry_of_the_subject_changes_nothing() -> None:
    second: list[Statement] = [holder(F, NAME), site(F, "T"), service(F, "W"), date(F, "D1")]
    assert entails([*WHOLE, *second], TARGET)
    assert relations([*WHOLE, *second]) == {TARGET, Relation("Priya Raman", "W", "T", "D1")}


def test_handles_of_two_types_cannot_be_the_same() -> None:
    with pytest.raises(ValueError, match="two types"):
        entails([Same(E, NAME)], TARGET)


def test_what_the_subject_holds_so_far() -> None:
    said: list[Statement] = [
        holder(E, ALIAS),
        Same(ALIAS, NAME),
        service(E, "V"),
        site(E, "T"),
        holder(F, OTHER),
    ]
    assert held(said, TARGET) == [frozenset({"service"})]
    assert held(WHOLE, TARGET) == [frozenset({"service", "site", "date"})]
