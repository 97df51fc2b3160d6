"""The former and the latter, there and that day, and what cannot be followed."""

from __future__ import annotations

import pytest


class TestOrdinals:
    @pytest.mark.parametrize(
        "second",
        [
            "The former is at Northgate Annex, the latter at Eastmoor House.",
            "The first is at Northgate Annex and the second at Eastmoor House.",
            "Of these, the second is at Eastmoor House and the first is at Northgate Annex.",
            "The last one goes to Eastmoor House, the first of the two goes to Northgate Annex.",
        ],
    )
    def test_of_two_named_before(self, roster, said, second):
        expected = {"KX-4821: site Northgate Annex", "KX-3307: site Eastmoor House"}
        assert said(roster, f"KX-4821 and KX-3307 came in. {second}") == expected

    def test_of_people(self, roster, said):
        record = "Juniper and Larch called. KX-4821 is for the former and KX-3307 for the latter."
        assert said(roster, record) == {"KX-4821: holder Juniper", "KX-3307: holder Larch"}

    def test_within_a_sentence(self, board, said):
        record = "I saw Priya Raman and Tomas Weber; the former has entry 14 and the latter has entry 22."
        assert said(board, record) == {"entry 14: holder Priya Raman", "entry 22: holder Tomas Weber"}

    @pytest.mark.parametrize(
        "second",
        [
            "The first page is about Northgate Annex.",
            "The first of May is at Northgate Annex.",
            "The third is at Northgate Annex.",
        ],
    )
    def test_what_is_no_ordinal_of_theirs(self, roster, said, second):
        assert said(roster, f"KX-4821 and KX-3307 came in. {second}") == set()

    def test_not_from_another_record(self, roster, said):
        assert said(roster, "KX-4821 and KX-3307 came in.", "The former is at Northgate Annex.") == set()


class TestNounsOfTheCase:
    def test_a_noun_that_entries_of_the_case_bear(self, board, said):
        assert said(board, "Entry 14 is new. That entry is at Northgate Annex.") == {
            "entry 14: site Northgate Annex"
        }
        assert said(board, "Entry 14 is new. That dentist is at Northgate Annex.") == set()

    def test_it_further_on(self, board, said):
        record = "Entry 14 is new. A letter says that it is the hereditary screening."
        assert said(board, record) == {"entry 14: service hereditary cancer screening"}


class TestValuesAsHandles:
    SERVICE = "Northgate Annex: service hereditary cancer screening"
    DATE = "Northgate Annex: date 2029-09-17"

    @pytest.mark.parametrize(
        "record",
        [
            "Northgate Annex does the hereditary screening.",
            "They do hereditary screenings at Northgate Annex.",
            "Northgate Annex: hereditary screening",
            "Northgate Annex is nice. It does the hereditary screening.",
        ],
    )
    def test_what_is_said_of_a_place(self, place, said, record):
        assert said(place, record) == {self.SERVICE}

    def test_clauses_go_on_about_the_last_place(self, place, said):
        record = "Northgate Annex does the hereditary screening, and its porter expects us on 2029-09-17."
        assert said(place, record) == {self.SERVICE, self.DATE}
        two = "Northgate Annex is on 2029-09-17, Eastmoor House on 2029-09-24."
        assert said(place, two) == {self.DATE, "Eastmoor House: date 2029-09-24"}

    def test_where_and_that_day(self, place, said):
        record = "The Harbour slot is at Northgate Annex, where they do the hereditary screening."
        assert self.SERVICE in said(place, record)

    def test_values_of_different_entries_are_not_each_other_s(self, place, said):
        record = "The Lantern slot is at Northgate Annex, the Harbour slot is the hereditary screening."
        assert self.SERVICE not in said(place, record)

    def test_only_where_the_case_uses_the_place_so(self, roster, said):
        assert said(roster, "Northgate Annex does the hereditary screening.") == set()

    def test_a_place_reaches_the_entry_that_is_there(self, place, joins):
        reached = ["Northgate Annex does the hereditary screening.", "Northgate Annex is on 2029-09-17."]
        assert joins(place, "Priya Raman has the Harbour slot, at Northgate Annex.", *reached)
        assert joins(place, "Priya Raman goes to Northgate Annex.", *reached)
        assert not joins(place, "Priya Raman has the Harbour slot.", *reached)


class TestPeopleAndEntries:
    def test_what_is_opened_for_somebody_is_theirs(self, board, said):
        record = "Entry 14, which I had opened for Priya Raman last week, is at Northgate Annex."
        expected = {"entry 14: holder Priya Raman", "entry 14: site Northgate Annex"}
        assert said(board, record, completing=False) == expected

    def test_who_has_something_further_on(self, roster, said):
        record = "Juniper, who is always late for the van, has an envelope marked KX-4821."
        assert said(roster, record, completing=False) == {"KX-4821: holder Juniper"}

    def test_what_is_said_of_a_person_goes_to_the_entry_that_the_record_ties_to_them(
        self, board, said, joins
    ):
        record = "Priya Raman goes to Northgate Annex on 2029-09-17. Her entry is entry 14."
        assert "entry 14: site Northgate Annex" in said(board, record)
        assert joins(board, record, "Entry 14 is the hereditary screening.")

    def test_two_appointments_of_one_person_are_not_mixed(self, board, joins):
        assert not joins(
            board, "Priya Raman has a hereditary screening, at Northgate Annex.", "Entry 14: 2029-09-17"
        )
