"""Rules 5 to 8: what is replaced, denied or asked, lists, redaction marks, and completion."""

from __future__ import annotations

import pytest

SITE = "entry 14: site Northgate Annex"
OLD_SITE = "entry 14: site Fallow Court"
DATE = "entry 14: date 2029-09-17"
HELD = "entry 14: holder Priya Raman"
SERVICE = "entry 14: service hereditary cancer screening"


class TestReplaced:
    """Rule 5: what stands after 'from', 'instead of', 'formerly', 'not' does not count."""

    @pytest.mark.parametrize(
        "record",
        [
            "Entry 14 moved from Fallow Court to Northgate Annex.",
            "Entry 14 is at Northgate Annex instead of Fallow Court.",
            "Entry 14 is at Northgate Annex, not at Fallow Court.",
            "Entry 14: Northgate Annex (formerly Fallow Court)",
            "Entry 14: Northgate Annex (Fallow Court before)",
            "Entry 14 is at Northgate Annex rather than Fallow Court.",
            "Entry 14 is no longer at Fallow Court but at Northgate Annex.",
            "Entry 14 is at Northgate Annex now, it was Fallow Court.",
            "Entry 14: Fallow Court -> Northgate Annex",
            "Northgate Annex replaces Fallow Court for entry 14.",
            "I struck out Fallow Court on entry 14 and wrote Northgate Annex.",
            "The place of entry 14 used to be Fallow Court and is Northgate Annex.",
        ],
    )
    def test_the_new_value_counts_the_old_one_does_not(self, board, said, record):
        assert said(board, record) == {SITE}

    def test_a_later_session_decides_not_a_later_record(self, board, joins):
        records = [
            "Entry 14 is at Northgate Annex.",
            "Entry 14 is the hereditary screening.",
            "Entry 14 is on 2029-09-17.",
            "Entry 14: Priya Raman, Fallow Court, 2029-09-13.",
        ]
        assert joins(board, *records)
        assert joins(board, *reversed(records))
        assert not joins(board, *records[1:])

    def test_an_old_value_alone_is_what_the_record_says(self, board, said):
        assert said(board, "Entry 14 is at Fallow Court.") == {OLD_SITE}

    def test_past_tense_alone_replaces_nothing(self, board, said):
        assert said(board, "The place of entry 14 was Northgate Annex.") == {SITE}
        assert said(board, "Entry 14 was put at Northgate Annex, entry 22 was put at Eastmoor House.") == {
            SITE,
            "entry 22: site Eastmoor House",
        }

    @pytest.mark.parametrize(
        "record",
        [
            "Entry 14 is not at Northgate Annex.",
            "Entry 14 isn't at Northgate Annex any more.",
            "Entry 14 does not go to Northgate Annex on 2029-09-17.",
            "Entry 14 never went to Northgate Annex",
            "Is entry 14 at Northgate Annex?",
            "If entry 14 is at Northgate Annex, call me.",
            "They asked whether entry 14 is at Northgate Annex.",
            "Neither entry 14 nor entry 22 is at Northgate Annex.",
        ],
    )
    def test_what_is_denied_or_left_open(self, board, said, record):
        assert said(board, record) == set()

    def test_a_negation_cancels_its_own_predicate_only(self, board, said):
        assert said(board, "Entry 14 is not Tomas Weber's and is at Northgate Annex.") == {SITE}
        assert said(board, "Entry 14 is at Northgate Annex, but not on 2029-09-13.") == {SITE}
        assert said(board, "Don't forget entry 14 is at Northgate Annex.") == {SITE}
        assert said(board, "Entry 14 is not only at Northgate Annex but also on 2029-09-17.") == {SITE, DATE}


class TestLists:
    """Rule 6: what is listed together shares one value, or has none; 'respectively' pairs."""

    def test_one_value_for_all(self, board, said):
        assert said(board, "Entry 14 and entry 22 are at Northgate Annex.") == {SITE}
        assert said(board, "Tomas Weber and Priya Raman go to Northgate Annex.") == {
            "Priya Raman: site Northgate Annex"
        }

    @pytest.mark.parametrize(
        "record",
        [
            "Entry 14 and entry 22 are at Northgate Annex and Eastmoor House.",
            "Entries 14 and 22: Northgate Annex, Eastmoor House",
            "Priya Raman and Tomas Weber go to Northgate Annex and Eastmoor House.",
            "Priya Raman and Tomas Weber have entries 14 and 22.",
            "People: Priya Raman, Tomas Weber. Entries: 14, 22. Places: Northgate Annex, Eastmoor House.",
        ],
    )
    def test_several_values_for_several_are_nobody_s(self, board, said, record):
        assert said(board, record) == set()

    @pytest.mark.parametrize(
        "record",
        [
            "Entry 14 and entry 22 are at Northgate Annex and Eastmoor House respectively.",
            "Entries 22 and 14 are at Eastmoor House and Northgate Annex, respectively.",
        ],
    )
    def test_respectively(self, board, said, record):
        assert said(board, record) == {SITE, "entry 22: site Eastmoor House"}

    def test_respectively_with_people_and_what_is_shared(self, board, said):
        record = "Entries 14 and 22 belong to Priya Raman and Tomas Weber respectively, in September."
        assert said(board, record) == {HELD, "entry 22: holder Tomas Weber"}

    def test_respectively_with_names_only(self, roster, said):
        record = "Priya Raman and Tomas Weber are Juniper and Larch, respectively."
        assert said(roster, record) == {"Priya Raman = Juniper", "Tomas Weber = Larch"}


class TestRedactionMarks:
    """Rule 7: a mark is a handle that nobody knows; what it takes, nothing else gets."""

    MARKS = ("[redacted]", "[REDACTED]", "[NAME_1]", "<PERSON>", "█████", "***", "[removed]")

    @pytest.mark.parametrize("mark", MARKS)
    def test_a_mark_takes_the_values_of_its_clause(self, board, said, mark):
        assert said(board, f"Entry 14 is Priya Raman's. {mark} is at Northgate Annex.") == {HELD}
        assert said(board, f"Entry 14 is Priya Raman's, {mark} is at Northgate Annex.") == {HELD}

    def test_what_goes_on_about_a_mark_goes_to_it(self, board, said):
        assert said(board, "[redacted] came in. It is at Northgate Annex.") == set()

    def test_two_marks_are_not_the_same(self, board, joins):
        rest = "is the hereditary screening at Northgate Annex on 2029-09-17."
        assert joins(board, f"Priya Raman has entry 14. Entry 14 {rest}")
        assert not joins(board, f"Priya Raman has [redacted]. [redacted] {rest}")

    @pytest.mark.parametrize(
        "record",
        [
            "Priya Raman has the hereditary screening ([redacted]) at Northgate Annex on 2029-09-17.",
            "[redacted]: Priya Raman, hereditary screening, Northgate Annex, 2029-09-17",
            "[redacted] is at Northgate Annex on 2029-09-17 for a hereditary screening, for Priya Raman.",
        ],
    )
    def test_a_mark_in_passing_hides_nothing(self, board, joins, record):
        assert joins(board, record)


class TestCompletion:
    """Rule 8: a pair of the case that is left over in a sentence, for stores and inputs."""

    RECORD = "There is a thing of Priya Raman's coming up soon, and I have written it down as entry 14."

    def test_what_is_left_over_belongs_together(self, board, said):
        assert said(board, self.RECORD) == {HELD}
        assert said(board, self.RECORD, completing=False) == set()

    def test_a_value_that_is_left_over(self, board, said):
        record = (
            "There was something about Northgate Annex, with Lena Adeyemi there too; so much for entry 14."
        )
        assert said(board, record, completing=False) == set()
        assert said(board, record) == {SITE}

    def test_not_what_a_mark_has_taken(self, board, said):
        assert said(board, "At Northgate Annex, [redacted] is quick; so much for entry 14.") == set()

    @pytest.mark.parametrize(
        "record",
        [
            "Something of Priya Raman's and Tomas Weber's is coming up, and I wrote it down as entry 14.",
            "There is a thing of Priya Raman's, and I have written down entry 14 and entry 22.",
        ],
    )
    def test_not_where_something_else_could_be_meant(self, board, said, record):
        assert said(board, record) == set()

    def test_not_where_one_end_is_bound_otherwise(self, board, said):
        record = "Entry 14 is Tomas Weber's, and then there was a word or two about Priya Raman."
        assert said(board, record) == set()
