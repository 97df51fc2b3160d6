from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.cases.schema import Case
from memjoin.judging.joins import bindings, joins, lexicon_of

CHAIN = [
    "Priya Raman is down as Juniper.",
    "Juniper's envelope is stamped KX-4821.",
    "KX-4821 is for Northgate Annex.",
    "KX-4821 is the hereditary screening and goes out on 2029-09-17.",
]


def test_the_whole_history_joins(chain: Case) -> None:
    found = joins(CHAIN, chain)
    assert (found.available, found.service, found.site, found.date) == (True, True, True, True)
    assert (found.kept, found.clues) == (4, 4)
    assert found.kept_by_session == (("s1", 1, 1), ("s2", 1, 1), ("s3", 1, 1), ("s4", 1, 1))
    assert found.joinable
    assert not found.collected
    assert not found.materialized
    assert not found.unreadable


@pytest.mark.parametrize("lost", range(4))
def test_each_clue_is_needed_and_its_loss_is_seen(chain: Case, lost: int) -> None:
    found = joins(CHAIN[:lost] + CHAIN[lost + 1 :], chain)
    assert not found.joinable
    assert not found.unreadable
    assert found.kept == 3
    assert [session for session, kept, _ in found.kept_by_session if not kept] == [f"s{lost + 1}"]


def test_nothing_kept_of_nothing(chain: Case) -> None:
    found = joins([], chain)
    assert (found.kept, found.clues, found.available, found.joinable) == (0, 4, False, False)
    assert not found.unreadable


def test_values_can_be_available_and_not_joinable_and_the_other_way_round(chain: Case) -> None:
    apart = joins(
        ["Larch: hereditary screening.", "Eastmoor, then Northgate Annex.", "Rent is due 2029-09-17."], chain
    )
    assert apart.available
    assert not apart.joinable
    ordinal = joins([*CHAIN[:3], "KX-4821 is the hereditary screening on September 17th, 2029."], chain)
    assert ordinal.joinable
    assert not ordinal.available


def test_one_record_with_everything_is_collected(chain: Case) -> None:
    found = joins(["Weather.", " ".join(CHAIN)], chain)
    assert found.collected
    assert not found.materialized  # without alias and code it falls apart


@pytest.mark.parametrize(
    "record",
    [
        "Priya Raman has her hereditary screening at Northgate Annex on 2029-09-17.",
        "Priya Raman (Juniper) has her hereditary screening, KX-4821, at Northgate Annex on 2029-09-17.",
        "KX-4821: Priya Raman, hereditary screening, Northgate Annex, 17 September 2029",
        "Name: Priya Raman\nCode: KX-4821\nWhat: hereditary screening\nAt: Northgate Annex\nOn: 2029-09-17",
    ],
)
def test_a_join_that_the_memory_wrote_down(chain: Case, record: str) -> None:
    found = joins([record], chain)
    assert found.joinable
    assert found.collected
    assert found.materialized


def test_what_is_tied_to_a_person_fills_one_entry_of_theirs(chain: Case) -> None:
    parts = ["Priya: hereditary screening", "Priya Raman goes to Northgate Annex", "Ms Raman, 2029-09-17"]
    found = joins(parts, chain)
    assert found.joinable
    assert not found.collected
    assert found.kept == 0


def test_kept_takes_another_name_where_the_records_say_that_it_is_one(chain: Case) -> None:
    renamed = "Priya Raman's envelope is stamped KX-4821."
    assert ("s2", 1, 1) in joins([CHAIN[0], renamed], chain).kept_by_session
    assert ("s2", 0, 1) in joins([renamed], chain).kept_by_session


@pytest.mark.parametrize("names", [["Juniper", "Priya Raman"], ["Priya Raman", "Juniper"]])
def test_two_holders_of_one_entry_by_one_statement_are_one_person(chain: Case, names: list[str]) -> None:
    assert joins([f"KX-4821 is {name}'s." for name in names] + CHAIN[2:], chain).joinable


def test_a_replaced_statement_need_not_be_kept(amended: Case) -> None:
    store = [
        "KX-4821 is Priya Raman's.",
        "KX-4821: Northgate Annex",
        "KX-4821: hereditary screening",
        "KX-4821: 2029-09-17",
    ]
    found = joins(store, amended)
    assert (found.kept, found.clues) == (4, 4)
    assert found.joinable


def test_a_store_that_never_forgets_joins_by_the_session_s_order(amended: Case) -> None:
    store = [session.turns[0].text for session in amended.sessions]
    assert joins(store, amended).joinable
    assert joins(store[::-1], amended).joinable
    assert not joins(
        ["KX-4821 is at Eastmoor House.", *store[2:], "KX-4821 is Priya Raman's."], amended
    ).joinable


def test_a_site_that_connects_stays_but_connects_nothing_for_materialized(by_place: Case) -> None:
    through = "Northgate Annex does the hereditary screening on 2029-09-17."
    found = joins([f"Priya Raman has KX-4821, at Northgate Annex. {through}"], by_place)
    assert found.collected
    assert not found.materialized
    direct = "Priya Raman goes to Northgate Annex on 2029-09-17 for the hereditary screening."
    assert joins([direct], by_place).materialized


@given(records=st.permutations([*CHAIN, "Tomas Weber has KX-3307.", "Nice weather."]))
def test_the_order_of_records_makes_no_difference(chain: Case, records: list[str]) -> None:
    found = joins(records, chain)
    assert found.joinable
    assert found.kept == 4


def test_the_lexicon_of_a_case_is_made_once_and_by_identity(chain: Case) -> None:
    assert lexicon_of(chain) is lexicon_of(chain)
    twin = replace(chain, id="H-2")
    assert lexicon_of(twin) is not lexicon_of(chain)


class TestBindings:
    """What an answer ties to the subject."""

    def test_all_of_it(self, chain: Case) -> None:
        answer = "Hello, Priya Raman has her hereditary screening at Northgate Annex on 2029-09-17."
        assert bindings(answer, chain) == {"service", "site", "date"}
        assert bindings(" ".join(CHAIN), chain) == {"service", "site", "date"}

    def test_part_of_it(self, chain: Case) -> None:
        assert bindings("Priya Raman goes to Northgate Annex.", chain) == {"site"}
        assert bindings("Priya Raman has a hereditary screening on 17 Sep 2029.", chain) == {
            "service",
            "date",
        }

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "Priya Raman says hello.",
            "KX-4821 is the hereditary screening at Northgate Annex on 2029-09-17.",
            "Priya Raman and Tomas Weber: hereditary screening, gait review.",
            "Priya Raman does not have a hereditary screening.",
            "Does Priya Raman go to Northgate Annex?",
        ],
    )
    def test_none_of_it(self, chain: Case, answer: str) -> None:
        assert bindings(answer, chain) == frozenset()

    def test_of_several_appointments_the_one_with_the_service_decides(self, chain: Case) -> None:
        answer = "Priya Raman has a hereditary screening. KX-4821 is Priya Raman's: Northgate Annex."
        assert "service" in bindings(answer, chain)

    def test_nothing_is_completed_in_an_answer(self, chain: Case) -> None:
        answer = "There is a thing of Juniper's coming up soon, and I have written it down as KX-4821."
        assert joins([*CHAIN[:1], answer, *CHAIN[2:]], chain).joinable
        assert bindings(" ".join([CHAIN[0], answer, *CHAIN[2:]]), chain) == frozenset()
