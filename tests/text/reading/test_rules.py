"""The numbered rules of the reading, each with what it takes and what it leaves."""

from __future__ import annotations

import pytest

SITE = "KX-4821: site Northgate Annex"
OTHER_SITE = "KX-3307: site Eastmoor House"
SERVICE = "KX-4821: service hereditary cancer screening"
DATE = "KX-4821: date 2029-09-17"
HELD = "KX-4821: holder Juniper"
OTHER_HELD = "KX-3307: holder Larch"
ALIAS = "Priya Raman = Juniper"
OTHER_ALIAS = "Tomas Weber = Larch"


class TestVerbatim:
    """Rule 1: an annotated sentence that stands in a record states its clues."""

    def test_a_sentence_word_for_word(self, roster, said):
        record = "[2029-08-27] User: So. JUNIPER's envelope is stamped  KX-4821,\n Larch's is KX-3307."
        assert said(roster, record.replace("\n", "")) == {HELD, OTHER_HELD}

    def test_a_clue_of_two_sentences_needs_both_for_this_rule(self, roster, said):
        both = "KX-4821 is about the hereditary screening. Nice weather. The day of KX-4821 is 2029-09-17."
        assert said(roster, both) == {SERVICE, DATE}
        assert said(roster, "KX-4821 is about the hereditary screening.") == {SERVICE}

    def test_a_sentence_that_names_no_handle_states_nothing_by_itself(self, roster, said):
        assert said(roster, "It goes to Northgate Annex.") == set()
        assert said(roster, "KX-4821 came. It goes to Northgate Annex.") == {SITE}

    def test_what_the_sentence_mentions_beyond_is_read_as_well(self, roster, said):
        record = (
            "Juniper's envelope is stamped KX-4821, Larch's is KX-3307, and KX-4821 goes to Northgate Annex."
        )
        assert said(roster, record) == {HELD, OTHER_HELD, SITE}


class TestOneHandle:
    """Rule 2: one handle in a sentence takes its values; two names are one only where the case says so."""

    @pytest.mark.parametrize(
        "record",
        [
            "KX-4821: Northgate Annex",
            "KX-4821 → Northgate Annex",
            "KX-4821 (Northgate Annex)",
            "Northgate Annex is where KX-4821 goes",
            "kx-4821 goes to the annex at Northgate",
            "The envelope with the code KX 4821 is for Northgate Annex",
            "KX4821, as far as I know, is to be handed in, when the time comes, at Northgate Annex.",
        ],
    )
    def test_a_value_anywhere_in_the_sentence(self, roster, said, record):
        assert said(roster, record) == {SITE}

    def test_several_kinds_of_value(self, roster, said):
        record = "On September 17th, 2029, for the hereditary screening, KX-4821 is at Northgate Annex."
        assert said(roster, record) == {SITE, SERVICE, DATE}

    @pytest.mark.parametrize(
        "record",
        [
            "Juniper is Priya Raman",
            "Priya Raman (Juniper)",
            "Priya, also known as Juniper,",
            "On the rota Juniper stands for Ms. Raman.",
        ],
    )
    def test_two_names_of_one_person(self, roster, said, record):
        assert said(roster, record) == {ALIAS}

    @pytest.mark.parametrize(
        "record",
        ["Juniper is Tomas Weber", "Priya Raman met Larch", "Juniper and Larch", "KX-4821 and KX-3307"],
    )
    def test_two_names_of_different_things(self, roster, said, record):
        assert said(roster, record) == set()

    def test_two_names_of_one_entry(self, slots, said):
        assert said(slots, "The Harbour slot is KX-4821 over there.") == {"the Harbour slot = KX-4821"}
        assert said(slots, "The Lantern slot is KX-4821 over there.") == set()

    def test_a_value_the_case_does_not_give_is_bound_and_states_nothing(self, roster, said):
        assert said(roster, "KX-4821 is at Eastmoor House.") == set()


class TestClauses:
    """Rule 3: of several handles, each takes the values of its own clause."""

    @pytest.mark.parametrize(
        "record",
        [
            "KX-4821 is for Northgate Annex, KX-3307 for Eastmoor House.",
            "KX-4821 goes to Northgate Annex while KX-3307 goes to Eastmoor House",
            "KX-4821: Northgate Annex; KX-3307: Eastmoor House",
            "KX-4821 (Northgate Annex), KX-3307 (Eastmoor House)",
            "Northgate Annex is for KX-4821 and Eastmoor House is for KX-3307.",
            "At Northgate Annex, KX-4821; at Eastmoor House, KX-3307.",
            "Northgate Annex: KX-4821; Eastmoor House: KX-3307",
            "KX-4821 is at Northgate Annex but KX-3307 is at Eastmoor House",
        ],
    )
    def test_values_go_to_the_handle_of_their_clause(self, roster, said, record):
        assert said(roster, record, completing=False) == {SITE, OTHER_SITE}

    def test_a_clause_without_a_subject_takes_the_last_one(self, roster, said):
        record = (
            "KX-3307 is Larch's, KX-4821 is for Northgate Annex, is the hereditary screening and goes out "
            "on 17 Sep 2029."
        )
        assert said(roster, record, completing=False) == {OTHER_HELD, SITE, SERVICE, DATE}

    def test_a_fronted_value_goes_forward(self, roster, said):
        record = "KX-3307 is Larch's; on 2029-09-17, KX-4821 goes out."
        assert said(roster, record, completing=False) == {OTHER_HELD, DATE}

    def test_names_and_codes_in_turn(self, roster, said):
        record = "Juniper's is KX-4821, Larch has KX-3307."
        assert said(roster, record, completing=False) == {HELD, OTHER_HELD}

    def test_a_name_beside_its_alias_stays_the_subject(self, roster, said):
        record = "Priya Raman (Juniper), code KX-4821, and Tomas Weber (Larch), code KX-3307."
        assert said(roster, record, completing=False) >= {ALIAS, OTHER_ALIAS}
        assert {"KX-4821: holder Tomas Weber", "KX-3307: holder Priya Raman"}.isdisjoint(said(roster, record))

    def test_who_only_speaks_holds_nothing(self, slots, said):
        assert said(slots, "Priya Raman said the Harbour slot is at Northgate Annex.") == {
            "the Harbour slot: site Northgate Annex"
        }
        assert said(slots, "I told Priya that the Harbour slot is on 17 September 2029.") == {
            "the Harbour slot: date 2029-09-17"
        }


class TestCarryingOver:
    """Rule 4: it, she, that slot and labels go on about the sentence before, of the same record."""

    @pytest.mark.parametrize(
        "second",
        [
            "It is at Northgate Annex.",
            "That one goes to Northgate Annex.",
            "The envelope goes to Northgate Annex.",
            "Venue: Northgate Annex",
            "- Site = Northgate Annex",
            "At Northgate Annex.",
            "Its place is Northgate Annex.",
            "And it is at Northgate Annex.",
        ],
    )
    def test_what_goes_on_about_the_entry(self, roster, said, second):
        assert said(roster, f"KX-4821 came in.\n{second}") == {SITE}
        assert said(roster, "KX-4821 came in.", second) == set()

    @pytest.mark.parametrize("second", ["Her envelope is KX-4821.", "She has KX-4821.", "Code: KX-4821"])
    def test_what_goes_on_about_the_person(self, roster, said, second):
        assert said(roster, f"Juniper called. {second}") == {HELD}

    def test_it_may_be_said_to_be_somebody_s(self, roster, said):
        assert said(roster, "KX-4821 came in. It is Juniper's.") == {HELD}
        assert said(roster, "KX-4821 came in. Juniper has it.") == {HELD}

    @pytest.mark.parametrize(
        "second",
        ["Northgate Annex is lovely.", "The weather at Northgate Annex is fine.", "I like Northgate Annex."],
    )
    def test_what_does_not_go_on(self, roster, said, second):
        assert said(roster, f"KX-4821 came in. {second}") == set()

    def test_prose_in_between_ends_it_a_label_does_not(self, roster, said):
        assert said(roster, "KX-4821 came in. Bring the blue folder. It is at Northgate Annex.") == set()
        assert said(roster, "Code: KX-4821\nPhone: ext. 214\nVenue: Northgate Annex") == {SITE}

    def test_of_two_things_nobody_knows_which(self, roster, said):
        two = "KX-4821 and KX-3307 came in."
        assert said(roster, f"{two} It is at Northgate Annex.") == set()
        assert said(roster, "Priya Raman and Tomas Weber came. She is at Northgate Annex.") == set()

    def test_both_are_meant_by_both(self, roster, said):
        assert said(roster, "KX-4821 and KX-3307 came in. Both are at Northgate Annex.") == {SITE}

    def test_what_has_its_own_subject_takes_up_nothing(self, slots, said):
        record = "The Lantern slot is on 2029-09-24. The place of KX-4821 is Northgate Annex."
        assert said(slots, record) == {"the Lantern slot: date 2029-09-24", SITE}
