from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.text.tokens import has_any_phrase, has_phrase, has_tokens, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("  -- !", ()),
        ("KX-4821 is for Northgate Annex.", ("kx", "4821", "is", "for", "northgate", "annex")),
        ("09/17/2029", ("09", "17", "2029")),
        ("September 17th", ("september", "17th")),
        ("O'Brien’s under_score", ("o", "brien", "s", "under", "score")),
        ("Ünal ŁÓDŹ Παπαδάκης 陈小雨", ("ünal", "łódź", "παπαδάκησ", "陈小雨")),
        ("straße", ("strasse",)),
    ],
)
def test_tokens_are_runs_of_letters_and_digits(text: str, expected: tuple[str, ...]) -> None:
    assert tokens(text) == expected


@given(st.text(alphabet=st.sampled_from("aéöñÅ ı,-1")))
def test_composed_and_decomposed_accents_are_the_same(text: str) -> None:
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("at Northgate Annex today", "northgate annex", True),
        ("at Northgate-Annex today", "Northgate Annex", True),
        ("at Northgate today, Annex", "Northgate Annex", False),
        ("Northgate Annexe", "Northgate Annex", False),
        ("the Annex Northgate", "Northgate Annex", False),
        ("north gate gate annex", "gate annex", True),
        ("screening", "screen", False),
        ("anything", "", False),
        ("anything", "...", False),
    ],
)
def test_a_phrase_is_whole_tokens_side_by_side(text: str, phrase: str, expected: bool) -> None:
    assert has_phrase(tokens(text), phrase) is expected


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc"), max_size=3))
def test_a_run_of_tokens_is_found_wherever_it_stands(within: list[str], wanted: list[str]) -> None:
    windows = [within[at : at + len(wanted)] for at in range(len(within))]
    assert has_tokens(within, wanted) is (bool(wanted) and wanted in windows)


def test_any_phrase_will_do() -> None:
    words = tokens("the gait review on Monday")
    assert has_any_phrase(words, ["hereditary screening", "gait review"])
    assert not has_any_phrase(words, ["hereditary screening", "gai"])
    assert not has_any_phrase(words, [])
