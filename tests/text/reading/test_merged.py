"""Records in which a memory ran statements of different sessions together."""

from __future__ import annotations

import pytest

SERVICE = "Northgate Annex: service hereditary cancer screening"
SLOT = "the Harbour slot: holder Priya Raman"


class TestNamesOfOneThing:
    """Two names in one sentence are one thing where the sentence names, not where it just goes on."""

    @pytest.mark.parametrize(
        "record",
        [
            "The Harbour slot, filed over there as KX-4821, is on 2029-09-17.",
            "The Harbour slot (their KX-4821) is on 2029-09-17.",
            '{"name": "Harbour slot", "date": "2029-09-17", "tag by the door": "KX-4821"}',
            "The Harbour slot is on 2029-09-17 and is KX-4821 in their papers.",
            "The Harbour slot and KX-4821 are the same thing.",
        ],
    )
    def test_where_it_names(self, slots, said, record):
        assert "the Harbour slot = KX-4821" in said(slots, record)

    @pytest.mark.parametrize(
        "record",
        [
            "Harbour slot date = 2029-09-17; KX-4821 place = Northgate Annex",
            "The Harbour slot came up; KX-4821 is at Northgate Annex.",
            "The Harbour slot is on 2029-09-17, while KX-4821 goes to Northgate Annex.",
            "I keep time for the Harbour slot, and KX-4821 goes to Northgate Annex.",
            "KX-4821 is at Northgate Annex. The Harbour slot is on 2029-09-17.",
            "KX-4821 is at Northgate Annex. They have settled the day for the Harbour slot: 2029-09-17.",
        ],
    )
    def test_where_it_goes_on(self, slots, said, record):
        assert "the Harbour slot = KX-4821" not in said(slots, record)

    def test_of_people(self, roster, said):
        assert "Priya Raman = Juniper" not in said(
            roster, "Priya Raman's car is 7KD 220; Juniper has KX-4821."
        )


class TestClausesWithASubjectOfTheirOwn:
    @pytest.mark.parametrize(
        "clause",
        [
            "Northgate Annex is where they do the hereditary screening",
            "at Northgate Annex it is the hereditary screening",
            "the sign at Northgate Annex is for the hereditary screening",
            "what goes on at Northgate Annex is the hereditary screening",
        ],
    )
    @pytest.mark.parametrize("link", ["; ", ", and ", ", while "])
    def test_what_is_said_of_a_place_is_not_said_of_the_entry_before(self, place, said, clause, link):
        assert said(place, f"Priya Raman has the Harbour slot{link}{clause}.") == {SLOT, SERVICE}

    @pytest.mark.parametrize(
        "sentence", ["At Northgate Annex it is the hereditary screening.", "Northgate Annex runs it."]
    )
    def test_nor_in_a_sentence_of_its_own(self, place, said, sentence):
        assert "the Harbour slot: site Northgate Annex" not in said(
            place, f"Priya Raman has the Harbour slot. {sentence}"
        )

    @pytest.mark.parametrize(
        "clause", ["the place is Northgate Annex", "it goes to Northgate Annex", "at Northgate Annex"]
    )
    def test_what_goes_on_about_the_entry_is(self, place, said, clause):
        record = f"Priya Raman has the Harbour slot, and {clause}."
        assert said(place, record, completing=False) == {SLOT, "the Harbour slot: site Northgate Annex"}

    @pytest.mark.parametrize("clause", ["my diary has Northgate Annex", "Northgate Annex is lovely"])
    def test_nor_is_what_is_said_of_other_things(self, roster, said, clause):
        assert said(roster, f"KX-4821 came in, and {clause}.", completing=False) == set()


class TestPeopleInPassing:
    def test_codes_in_parentheses_belong_to_the_name_before(self, roster, said):
        people = [
            "Priya Raman (Juniper on the list, code KX-4821)",
            "Tomas Weber (Larch there, code KX-3307)",
        ]
        assert said(roster, f"{' and '.join(people)} came.", completing=False) == {
            "Priya Raman = Juniper",
            "Tomas Weber = Larch",
            "KX-4821: holder Priya Raman",
            "KX-3307: holder Tomas Weber",
        }

    def test_a_code_with_a_predicate_of_its_own_does_not(self, roster, said):
        record = "Tomas Weber is Larch - KX-3307 goes to Eastmoor House"
        assert said(roster, record, completing=False) == {
            "Tomas Weber = Larch",
            "KX-3307: site Eastmoor House",
        }

    def test_a_holder_before_and_after_a_list_of_codes(self, roster, said):
        record = "Juniper's is KX-4821, and KX-3307 is Larch's."
        assert said(roster, record, completing=False) == {"KX-4821: holder Juniper", "KX-3307: holder Larch"}

    def test_who_gave_it_up(self, board, said, joins):
        record = "Entry 14 was Tomas Weber's. Tomas no longer has it: the entry is Priya Raman's."
        assert "entry 14: holder Priya Raman" in said(board, record, completing=False)
