from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.text.sentences import split_sentences


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Hale sees Mrs. Okafor at St. Anne's.",
        "The desk is ext. 214, on Fl. 3.",
        "It is No. 7 on the list, see p. 12.",
        "It costs 3.50 and weighs 1.2 kg.",
        "The day is 2029-09-17 or 17.09.2029.",
        "They meet on Sept. 17 as before.",
        "J. R. Raman and Priya S. Raman came.",
        "Bring fruit, e.g. apples, i.e. nothing loud.",
        "It is open until 3 p.m. on Mondays.",
        "Juniper, a.k.a. Priya Raman, has it.",
        "He lives on Hale Ave. near the stop.",
        "Well... maybe later.",
        "Write to desk@example.org for more.",
    ],
)
def test_a_stop_that_ends_nothing(whole: str) -> None:
    assert sentences(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Is it? No. It is KX-4821.", ["Is it?", "No.", "It is KX-4821."]),
        ("It ends at 3 p.m. She waits.", ["It ends at 3 p.m.", "She waits."]),
        ("Take plan B. The rest follows.", ["Take plan B.", "The rest follows."]),
        ('She said "go." Then she left.', ['She said "go."', "Then she left."]),
        ("he came. then he left.", ["he came.", "then he left."]),
        ("Wait… Then go.", ["Wait…", "Then go."]),
        ("一。二！", ["一。", "二！"]),
        ("No stop\nNext line", ["No stop", "Next line"]),
        ("- one\n* two. three\n• four\n12. five", ["one", "two.", "three", "four", "five"]),
        ("# Head\n> quoted", ["Head", "quoted"]),
        ("a\r\nb\u2028c", ["a", "b", "c"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet=st.sampled_from("aB1 .?!\n-•'\"")))
def test_spans_are_in_order_and_lose_no_word(text: str) -> None:
    spans = split_sentences(text)
    assert all(start < end for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
    kept = "".join(text[start:end] for start, end in spans)
    assert [c for c in kept if c.isalpha()] == [c for c in text if c.isalpha()]
