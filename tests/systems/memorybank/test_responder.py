"""The embedded writer's answers to MemoryBank's prompts, and the prompts themselves."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.systems.memorybank import prompts
from memjoin.systems.memorybank.responder import NOTHING, PORTRAIT, respond

TALK = (
    "user: For the list: Ottilie Vanterpool brings the urn. Did you sleep well?\n"
    "assistant: I did. Should she bring cups as well?\n"
    "user: Yes. She is down as Sandpiper, and her envelope is KX-4821"
)
SUMMARY = (
    "For the list: Ottilie Vanterpool brings the urn. She is down as Sandpiper, and her envelope is KX-4821."
)


def answer(task: prompts.Task, content: str) -> str:
    message = respond({"messages": prompts.messages(task, content)})
    assert message is not None
    assert message["role"] == "assistant"
    return str(message["content"])


@pytest.mark.parametrize("task", get_args(prompts.Task))
@pytest.mark.parametrize("content", ["", "a\nb", "$content", "Summary:\n\nConversation:\n"])
def test_a_filled_prompt_is_known_again(task: prompts.Task, content: str) -> None:
    system, user = prompts.messages(task, content)
    assert prompts.recognise(user["content"]) == (task, content)
    assert prompts.recognise(system["content"]) is None


@given(st.text(max_size=200), st.sampled_from(get_args(prompts.Task)))
def test_any_content_comes_out_as_it_went_in(content: str, task: prompts.Task) -> None:
    assert prompts.recognise(prompts.messages(task, content)[1]["content"]) == (task, content)


def test_a_summary_holds_the_sentences_worth_keeping() -> None:
    assert answer("day_events", TALK) == SUMMARY


def test_small_talk_has_a_summary_too() -> None:
    assert answer("day_events", "user: Hi there!\nassistant: Hello, how can I help?") == NOTHING
    assert answer("day_events", "") == NOTHING


def test_the_overall_account_holds_each_sentence_once_in_order() -> None:
    notes = prompts.notes(
        [("2041-03-14", SUMMARY), ("2041-03-15", NOTHING), ("2041-03-16", f"The urn leaks. {SUMMARY}")]
    )
    assert answer("overall_events", notes) == f"{SUMMARY} The urn leaks."
    assert answer("overall_events", prompts.notes([("2041-03-15", NOTHING)])) == NOTHING


@pytest.mark.parametrize("task", ["day_portrait", "overall_portrait"])
def test_a_portrait_says_nothing_of_what_was_said(task: prompts.Task) -> None:
    assert answer(task, TALK) == PORTRAIT


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": []},
        {"messages": [{"role": "user", "content": "Summarize this."}]},
        {"messages": [{"role": "user", "content": None}]},
    ],
)
def test_other_prompts_are_none_of_its_business(body: dict[str, Any]) -> None:
    assert respond(body) is None


WORD = st.builds("".join, st.tuples(*map(st.sampled_from, ("BDKLNPRT", "aeiou", "lmnr", "aeiou", "q"))))
NAMES = st.lists(WORD, min_size=4, max_size=4, unique=True)
TEMPLATE = (
    "user: For the list: {0} {1} brings the urn, and she is down as {2}. Did you sleep well?\n"
    "assistant: I did. Should {2} bring cups as well?\n"
    "user: Yes. {2}'s envelope is for {3} Annex on 17 September 2041.\n"
)


@settings(max_examples=30)
@given(NAMES, NAMES)
def test_other_names_give_the_same_summary_with_other_names(one: list[str], other: list[str]) -> None:
    summary = answer("day_events", TEMPLATE.format(*one))
    for number, name in enumerate(one):
        summary = summary.replace(name, f"<{number}>")
    for number, name in enumerate(other):
        summary = summary.replace(f"<{number}>", name)
    assert answer("day_events", TEMPLATE.format(*other)) == summary
    assert all(name in summary for name in other)
