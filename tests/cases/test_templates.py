from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.cases.templates import TemplateError, compile_template, render, say


def readings(source: str, values: dict[str, str] | None = None) -> set[str]:
    """Return what a wording says, over many draws."""
    found = set()
    template = compile_template(source, (), values or {})
    for seed in range(200):
        text, _ = render(template, values or {}, Random(seed).random)
        assert text == say(template, values or {}, Random(seed).random)
        found.add(text)
    return found


def test_plain_text_is_itself() -> None:
    assert readings("Nothing to choose.") == {"Nothing to choose."}


def test_choices_may_be_nested_once_and_be_empty() -> None:
    assert readings("A[ [big|small]|] [cat|dog].") == {
        "A big cat.",
        "A big dog.",
        "A small cat.",
        "A small dog.",
        "A cat.",
        "A dog.",
    }


def test_white_space_of_the_source_is_single() -> None:
    assert readings("one\n  two ") == {"one two"}


def test_variants_are_counted() -> None:
    assert compile_template("[a|b] [c|d|[e|f]]").variants == 8
    assert compile_template("{who} [a|b] [c|d]", {"who"}).variants == 4


def test_it_tells_where_slots_were_filled() -> None:
    template = compile_template("So [now|then] {entry} goes to {site}.", {"entry", "site"})
    values = {"entry": "KV-1", "site": "Alder Court"}
    text, places = render(template, values, Random(1).random, "Well. ")
    assert re.fullmatch(r"Well\. So (now|then) KV-1 goes to Alder Court\.", text)
    assert {slot: text[start:end] for slot, (start, end) in places.items()} == values


def test_a_value_that_opens_a_sentence_gets_a_capital() -> None:
    template = compile_template("{entry} is here. {entry} and {entry}.", (), {"entry"})
    text, places = render(template, {"entry": "line 41"}, Random(1).random)
    assert text == "Line 41 is here. Line 41 and line 41."
    start, end = places["entry"]
    assert (text[start:end], end) == ("line 41", len(text) - 1)


def test_a_slot_after_an_empty_choice_opens_the_sentence() -> None:
    assert readings("[Well, |]{entry} came.", {"entry": "line 41"}) == {
        "Well, line 41 came.",
        "Line 41 came.",
    }


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("", "empty"),
        ("a [b|c", "never closed"),
        ("a b|c", "closes or parts no group"),
        ("a b]", "closes or parts no group"),
        ("a [b]", "offers no choice"),
        ("[a|[b|[c|d]]]", "nested more than once"),
        ("{who", "belongs to no slot"),
        ("{Who}", "is no slot"),
        ("{someone} {who}", "unknown slot {someone}"),
        ("hello", "slot {who} is missing"),
        ("[{who}|hello]", "slot {who} is missing in some choices"),
        ("{who} {who}", "slot {who} is filled more than once"),
        ("a [b|] {who}.", "spacing"),
        ("{who} [b|] .", "spacing"),
        ("{who}" + "[a|b|c|d|e]" * 6, "more than 2000 readings"),
    ],
)
def test_a_wording_that_cannot_be_used_is_refused(source: str, problem: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(source, {"who"})
    assert problem in str(caught.value)


def test_spacing_is_checked_without_slots_too() -> None:
    with pytest.raises(TemplateError, match="put the space inside the choice"):
        compile_template("the [old|] list")


WORDS = st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=3)


@given(st.lists(WORDS, min_size=1, max_size=4), st.integers())
def test_every_rendering_takes_one_option_of_each_group(groups: list[list[str]], seed: int) -> None:
    source = "-".join(f"[{'|'.join(group)}|{group[0]}x]" for group in groups)
    said = say(compile_template(source), {}, Random(seed).random).split("-")
    assert len(said) == len(groups)
    for one, group in zip(said, groups, strict=True):
        assert one in {*group, f"{group[0]}x"}
