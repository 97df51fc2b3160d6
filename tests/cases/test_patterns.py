from __future__ import annotations

import re
from random import Random

import pytest

from memjoin.cases.patterns import compile_pattern, draw

WORDS = {"colour": ("teal", "amber")}
SLOTS = ("Harbour", "Lantern")


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("KX-####", r"KX-[1-9]\d{3}"),
        ("#@@ ###", r"[1-9][A-Z]{2} [1-9]\d{2}"),
        ("line ##", r"line (3[2-9]|[4-9]\d)"),
        ("the {slot} slot", r"the (Harbour|Lantern) slot"),
        ("{colour} ##", r"(teal|amber) (3[2-9]|[4-9]\d)"),
    ],
)
def test_a_pattern_makes_what_it_says(source: str, made: str) -> None:
    pattern = compile_pattern(source, WORDS)
    for seed in range(100):
        assert re.fullmatch(made, draw(pattern, SLOTS, Random(seed).random))


def test_only_patterns_with_the_pools_words_use_them() -> None:
    assert compile_pattern("the {slot} slot", WORDS).uses_slot_word
    assert not compile_pattern("{colour} ##", WORDS).uses_slot_word


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("plain", "always gives the same"),
        ("{animal} ##", "'animal' that is not there; known: colour, slot"),
        ("KX-##}", "stray brace"),
        ("{KX ##", "stray brace"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(source: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        compile_pattern(source, WORDS)
