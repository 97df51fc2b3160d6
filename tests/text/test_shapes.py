"""Names, codes, numbers and dates by their shape."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.text.shapes import bare, content_words, find_shapes, is_function


def shapes(text: str) -> list[tuple[str, str]]:
    return [(shape.kind, shape.key) for shape in find_shapes(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I met Priya Raman.", [("name", "priya raman")]),
        ("It is Priya Raman's car.", [("name", "priya raman")]),
        ("It is Agnes' car.", [("name", "agnes")]),
        ("I met O'Brien and Ngaire Te Whare.", [("name", "o'brien"), ("name", "ngaire te whare")]),
        ("We saw Al-Sayed at Mill and Third.", [("name", "al-sayed"), ("name", "mill"), ("name", "third")]),
        ("It is at Northgate Annex, not Eastmoor.", [("name", "northgate annex"), ("name", "eastmoor")]),
        ("We met Priya's Juniper.", [("name", "priya"), ("name", "juniper")]),
    ],
)
def test_a_run_of_capitalised_words_is_a_name(text: str, expected: list[tuple[str, str]]) -> None:
    assert shapes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Priya Raman sits there.",
        "Juniper's envelope is grey.",
        "Juniper is on the rota.",
        "Wren and I went home.",
        "Wren went home. I saw Wren.",
    ],
)
def test_a_word_that_opens_a_sentence_is_a_name_if_more_speaks_for_it(text: str) -> None:
    assert [kind for kind, _ in shapes(text)][:1] == ["name"]


@pytest.mark.parametrize(
    "text",
    [
        "Bread rises slowly. Lunch time!",
        "The drivers wait. We don't. I'm off, and I've said so.",
        "On Monday in September we meet. Maybe Tuesday.",
        "Thanks! Great. Ask the USB people about the PDF.",
        "That's fine. What's new? Let's go. Isn't it?",
    ],
)
def test_other_capitals_make_no_name(text: str) -> None:
    assert shapes(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is KX-4821 now.", [("code", "kx-4821")]),
        ("The plate is 7KD 220.", [("code", "7kd"), ("number", "220")]),
        ("See kx-4821 and qr76.", [("code", "kx-4821"), ("code", "qr76")]),
        ("Write to desk@rota.example.org now.", [("code", "desk@rota.example.org")]),
        ("See https://rota.example.org/a?b=1.", [("code", "https://rota.example.org/a?b=1")]),
        ("Dial 555-0143, line 41.", [("number", "555-0143"), ("number", "41")]),
        ("It is on 17 September 2029.", [("date", "2029-09-17")]),
        ("It is on 2029-09-17, KX-1.", [("date", "2029-09-17"), ("code", "kx-1")]),
        ("The 2nd at 3pm weighs 5kg.", [("number", "2nd"), ("number", "3pm"), ("number", "5kg")]),
    ],
)
def test_codes_numbers_and_dates(text: str, expected: list[tuple[str, str]]) -> None:
    assert shapes(text) == expected


@given(st.text(alphabet=st.sampled_from("AaBbéÉ1 2-.,'’!?\n:[]"), max_size=60))
def test_shapes_are_in_order_and_apart(text: str) -> None:
    found = find_shapes(text)
    for shape in found:
        assert 0 <= shape.start < shape.end <= len(text)
        assert shape.key
    for left, right in pairwise(found):
        assert left.end <= right.start


def test_content_words_leave_out_what_holds_a_sentence_together() -> None:
    text = "The drivers' desk doesn't want Priya's car, it's been said."
    assert content_words(text) == ["drivers", "desk", "want", "priya", "car", "said"]


def test_words_are_compared_without_case_and_possessive() -> None:
    assert bare("Priya's") == bare("PRIYA’s") == "priya"
    assert is_function("don't")
    assert is_function("i've")
    assert not is_function("o'brien")
