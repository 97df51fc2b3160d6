"""What embedded writers keep of a conversation, and what they let go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.text.salience import salient_sentences


def kept(*turns: tuple[str, str]) -> list[str]:
    return [sentence.text for sentence in salient_sentences(turns)]


@pytest.mark.parametrize(
    "remark",
    [
        "For the drivers' list: Priya Raman's car is 7KD 220, and she is down as Juniper on the rota.",
        "Juniper's envelope is stamped KX-4821, Tomas's is KX-3307.",
        "KX-4821 is for Northgate Annex.",
        "The purpose line of entry 14 was blank, it is the hereditary screening.",
        "The letter about the Harbour slot came.",
        "It is the hereditary screening.",
        "They fixed the Harbour slot for 17 September 2029.",
        "Sandpiper runs the morning meeting.",
        "The volunteer drivers answer on extension 214.",
        "Put the drivers' meeting at the side entrance.",
        "We agreed that new people get the stove end.",
        "My daughter plays the tide in the school play.",
        "Choir is on Thursday from now on.",
        "Please note that the amber sticker is Tomas's.",
    ],
)
def test_a_persons_remark_is_kept(remark: str) -> None:
    assert kept(("user", remark)) == [remark]


@pytest.mark.parametrize(
    "chatter",
    [
        "Hello!",
        "Thanks a lot for that.",
        "Great, that helps a lot.",
        "That sounds good to me.",
        "How do I get wax out of a tablecloth?",
        "Is Saturday better than Sunday for that?",
        "Does Priya like mustard?",
        "Any idea what would work.",
        "I was wondering whether it rains.",
        "Not sure about the blue one.",
        "Okay.",
        "Good morning to you.",
    ],
)
def test_questions_greetings_and_filler_are_dropped(chatter: str) -> None:
    assert kept(("user", chatter)) == []


def test_a_question_that_asks_to_remember_something_is_a_statement() -> None:
    note = "Could you note that Priya's plate is 7KD 220?"
    assert kept(("user", note)) == [note]
    assert kept(("user", "Could you note that for me?")) == []


def test_of_the_assistant_only_new_names_codes_and_dates_are_kept() -> None:
    turns = [
        ("user", "Priya Raman is on the list."),
        ("assistant", "Priya Raman is on it now. Bake it for 20 minutes. The caretaker is Tomas Vrba."),
        ("Assistant", "Shall I tell Wren Oduya? A warm oven is the trick."),
    ]
    assert kept(*turns) == ["Priya Raman is on the list.", "The caretaker is Tomas Vrba."]


def test_what_others_say_counts_as_a_persons_words() -> None:
    assert kept(("Priya", "My bus leaves at nine."), ("human", "I need the keys.")) == [
        "My bus leaves at nine.",
        "I need the keys.",
    ]


def test_places_in_the_turns_are_exact() -> None:
    turns = [("user", "Hi! My envelope is KX-4821.\n- The bus is late.")]
    found = salient_sentences(turns)
    assert [sentence.text for sentence in found] == ["My envelope is KX-4821.", "The bus is late."]
    assert [(s.turn, s.speaker, turns[0][1][s.start : s.end]) for s in found] == [
        (0, "user", sentence.text) for sentence in found
    ]


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=80)), max_size=4))
def test_any_text_can_be_read(turns: list[tuple[str, str]]) -> None:
    found = salient_sentences(turns)
    assert [(s.turn, s.start) for s in found] == sorted((s.turn, s.start) for s in found)
    assert all(turns[s.turn][1][s.start : s.end] == s.text for s in found)
