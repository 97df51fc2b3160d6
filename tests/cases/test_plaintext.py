from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.cases.plaintext import (
    GAP,
    count_of,
    full_name,
    masked,
    names,
    number_in,
    phrase,
    phrases,
    plain,
    plain_all,
)
from memjoin.text.tokens import has_phrase, tokens

TEXT = st.text(st.sampled_from("ab1 -,.é_'ßÅ\u0301\u00a0|\n"), max_size=30) | st.text(max_size=20)


@given(TEXT)
def test_plain_text_is_the_tokens(text: str) -> None:
    assert tuple(plain(text).split()) == tokens(text)


@given(TEXT, TEXT)
def test_a_phrase_is_found_exactly_where_tokens_have_it(text: str, form: str) -> None:
    assert (phrase(form) in plain(text)) == has_phrase(tokens(text), form)


@given(
    st.lists(st.text(st.sampled_from("ab1 -,.é|\x1e"), max_size=12), max_size=4), st.text("ab1 ", max_size=4)
)
def test_joined_texts_name_what_one_of_them_names(texts: list[str], form: str) -> None:
    assert names(plain_all(texts), (form,)) == any(has_phrase(tokens(text), form) for text in texts)


@given(st.lists(TEXT | st.text("aZ\u0130\u1100\u1161 \x1e\u212a"), max_size=5))
def test_many_texts_at_once_are_as_plain_as_each(texts: list[str]) -> None:
    assert plain_all(texts) == GAP.join([plain(text) for text in texts])


def test_no_letter_composes_with_one_of_ascii() -> None:
    # What ``plain`` relies on where it looks at the other letters alone.
    others = [chr(code) for code in range(128, sys.maxunicode + 1) if chr(code).isalnum()]
    assert all(unicodedata.combining(one) == 0 for one in others)
    composed = [one for one in others if unicodedata.is_normalized("NFC", one)]
    for letter in "aeKz09":
        together = "".join([letter + one for one in composed])
        assert unicodedata.normalize("NFC", together) == together


def test_no_phrase_reaches_across_a_gap() -> None:
    assert not names(plain_all(["Alder", "Court"]), ("Alder Court",))
    assert not names(GAP.join([plain("Alder"), plain("Court")]), ("Alder Court",))


@given(st.lists(st.sampled_from("ab"), max_size=8))
def test_neighbouring_occurrences_are_all_counted(words: list[str]) -> None:
    assert count_of(phrases(("a",)), plain(" ".join(words))) == words.count("a")


@pytest.mark.parametrize(
    ("forms", "text", "number"),
    [
        (("Tollgate Wing", "Tollgate"), "Tollgate Wing, then Tollgate, then the wing", 2),
        (
            ("hereditary cancer screening", "hereditary screening"),
            "A hereditary screening. Hereditary cancer screening",
            2,
        ),
        (("KV-4821",), "KV 4821, KV-4821 and kv4821", 2),
        (("-",), "a - b", 0),
    ],
)
def test_each_place_counts_once_whatever_its_form(forms: tuple[str, ...], text: str, number: int) -> None:
    assert count_of(phrases(forms), plain(text)) == number


def test_forms_that_hold_another_form_are_left_out() -> None:
    assert phrases(("Tollgate Wing", "Tollgate")) == (plain("tollgate"),)


def test_a_thing_without_forms_is_named_nowhere() -> None:
    assert phrases(()) == ()
    assert not names(plain("Tollgate Wing"), ())
    assert count_of(phrases(()), plain("Tollgate Wing")) == 0


@given(st.lists(st.sampled_from(["17", "4217", "17th", "1717", "a17", "7", "1"]), max_size=8))
def test_a_number_is_told_from_tokens_that_hold_its_digits(words: list[str]) -> None:
    times, in_others = number_in(plain(" ".join(words)), phrase("17"))
    assert times == words.count("17")
    assert in_others == any("17" in word and word != "17" for word in words)


def test_the_number_of_what_is_no_number_is_looked_up_as_it_stands() -> None:
    assert number_in(plain("May 3, 2030, not 3 2030"), phrase("3, 2030")) == (2, True)
    assert number_in(plain("May 3"), phrase("")) == (0, True)


@given(st.lists(st.sampled_from(["Ana", "Đỗ", "O'Brien-Vale", "İz", "-", ""]), max_size=4).map(" ".join))
def test_a_full_name_is_the_phrase_of_it(name: str) -> None:
    assert full_name(name) == phrase(name)


@given(st.lists(st.sampled_from("abc"), max_size=8))
def test_every_neighbour_is_masked(words: list[str]) -> None:
    left = masked(plain(" ".join(words)), (phrase("a"), phrase("b c")), " _ ").split()
    assert left == " ".join(words).replace("a", "_").replace("b c", "_").split()


def test_no_letter_composes_with_the_one_before_it_but_those_of_hangul() -> None:
    # What ``plain`` relies on where it looks at letters one by one.
    second = {
        chr(int(code, 16))
        for one in map(chr, range(sys.maxunicode + 1))
        if (parts := unicodedata.decomposition(one)) and not parts.startswith("<")
        for code in parts.split()[1:]
    }
    assert [one for one in map(chr, range(0x80, 0x2000)) if one.isalnum() and one in second] == []
    assert tuple(plain("\u1100\u1161 \u1112\u1161\u11ab").split()) == tokens("가 한") == ("가", "한")
