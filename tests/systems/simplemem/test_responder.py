"""The embedded writer's answers to SimpleMem's prompts, on the prompts that the package really sends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.models.types import ChatRequest
from memjoin.systems.protocol import Session, Turn
from memjoin.systems.simplemem.responder import respond

AT = "2041-03-14T09:30:00"
KEYS = {"lossless_restatement", "keywords", "timestamp", "location", "persons", "entities", "topic"}


def ask(prompt: str) -> Any:
    message = respond({"messages": [{"role": "user", "content": prompt}]})
    assert message is not None
    return json.loads(message["content"])


def extraction(*turns: str, known: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    lines = "\n".join(f"[{AT}] {turn}" for turn in turns)
    before = "".join(f"- {text}\n" for text in known)
    if known:
        before = f"\n[Previous Window Memory Entries (for reference to avoid duplication)]\n{before}"
    value: list[dict[str, Any]] = ask(
        "\nYour task is to extract all valuable information from the following dialogues and so on.\n\n"
        f"{before}\n\n[Current Window Dialogues]\n{lines}\n\n"
        "[Requirements]\n1. **Complete Coverage**: Generate enough entries\n"
    )
    return value


def restated(*turns: str, known: tuple[str, ...] = ()) -> list[str]:
    return [entry["lossless_restatement"] for entry in extraction(*turns, known=known)]


def completeness(question: str, *found: str) -> dict[str, Any]:
    lines = "\n".join(f"[Info {number}] {text} | Time: {AT}" for number, text in enumerate(found, 1))
    value: dict[str, Any] = ask(
        "\nAnalyze whether the provided information is sufficient to completely answer the original "
        f"question.\n\nOriginal Question: {question}\n\nRequired Information Types: [{{'a': 'b'}}]\n\n"
        f"Current Available Information:\n{lines}\n\nEvaluate whether:\n1. All\n"
    )
    return value


def test_the_package_s_own_prompts_are_answered_in_its_form(simplemem: Any, sessions: list[Session]) -> None:
    seen: list[Any] = []

    def answer(request: ChatRequest) -> str:
        message = respond({"messages": list(request.messages), **request.parameters})
        assert message is not None
        seen.append(json.loads(message["content"]))
        return str(message["content"])

    simplemem.answers(answer)
    for session in sessions:
        assert simplemem.system.write(session).losses == ()
    assert all(set(entry) == KEYS for reply in seen for entry in reply)
    assert seen[0][0]["timestamp"] == AT
    seen.clear()
    simplemem.system.retrieve("Where does Basil Thornquist park? Who has the code?", None)
    plan, queries, look, more, *rest = seen
    assert plan["key_entities"] == ["Basil Thornquist"]
    assert queries["queries"] == [
        "Where does Basil Thornquist park? Who has the code?",
        "Where does Basil Thornquist park?",
        "Who has the code?",
    ]
    assert (look["assessment"], look["missing_info_types"]) == ("incomplete", ["Basil Thornquist"])
    assert more["targeted_queries"] == ["Basil Thornquist"]
    assert len(rest) == 2


def test_entries_stand_by_themselves() -> None:
    assert restated(
        "user: Wren has the key. She keeps it at Larkmoor Hall. The urn is at Tolland Street.",
        "assistant: Noted!",
        "user: Hi there! How are you?",
    ) == ["Wren has the key. She keeps it at Larkmoor Hall.", "The urn is at Tolland Street."]


def test_what_the_prompt_shows_as_known_is_not_said_again() -> None:
    turn = "user: The urn is at Larkmoor Hall. The tea is at Tolland Street."
    assert restated(turn, known=("The urn is at Larkmoor Hall.",)) == ["The tea is at Tolland Street."]
    assert len(restated(turn, turn)) == 2


def test_names_and_codes_are_entities_and_key_words() -> None:
    (entry,) = extraction("user: Parking code QF-7719 is for Ottilie Vanterpool.")
    assert entry["entities"] == ["QF-7719", "Ottilie Vanterpool"]
    assert entry["keywords"][:2] == entry["entities"]
    assert (entry["persons"], entry["location"], entry["topic"]) == ([], None, None)


def test_lines_of_a_turn_and_words_of_the_prompt_in_it_do_not_confuse_it() -> None:
    found = restated(
        "user: The urn is at Larkmoor Hall\n\n[Requirements]\nThe key is RH-4460.", "assistant: Fine."
    )
    assert found == ["The urn is at Larkmoor Hall.", "The key is RH-4460."]


def test_what_was_found_is_complete_if_all_that_is_named_is_in_it() -> None:
    found = ("The urn is at Larkmoor Hall.", "Code QF-7719 is for the altos.")
    look = completeness("Who brings QF-7719 to Larkmoor Hall?", *found)
    assert (look["assessment"], look["coverage_percentage"]) == ("complete", 100)
    look = completeness("Who brings QF-7719 to Larkmoor Hall?", *found[:1])
    assert (look["assessment"], look["missing_info_types"], look["coverage_percentage"]) == (
        "incomplete",
        ["QF-7719"],
        50,
    )
    assert completeness("What is it?", *found)["assessment"] == "complete"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": []},
        {"messages": [{"role": "user", "content": "Summarize this: user: hello"}]},
        {"messages": [{"role": "user", "content": None}]},
        {"messages": [{"role": "assistant", "content": "\nAnalyze the following question and determine"}]},
    ],
)
def test_other_prompts_are_none_of_its_business(body: dict[str, Any]) -> None:
    assert respond(body) is None


WORD = st.builds("".join, st.tuples(*map(st.sampled_from, ("BDKLNPRT", "aeiou", "lmnr", "aeiou", "q"))))
NAMES = st.lists(WORD, min_size=4, max_size=4, unique=True)
TALK = (
    "user: For the list: {0} {1} brings the urn. She is down as {2}.",
    "assistant: Noted.",
    "user: {2} is at {3} Hall.",
)


def answers(names: list[str]) -> str:
    entries = extraction(*(turn.format(*names) for turn in TALK))
    found = [entry["lossless_restatement"] for entry in entries]
    return json.dumps([entries, completeness(f"When does {names[0]} {names[1]} meet {names[3]}?", *found)])


@settings(max_examples=30)
@given(NAMES, NAMES)
def test_other_names_give_the_same_answers_with_other_names(one: list[str], other: list[str]) -> None:
    expected = answers(one)
    for fold in (str, str.casefold):
        for number, name in enumerate(one):
            expected = expected.replace(fold(name), f"<{fold.__name__}{number}>")
        for number, name in enumerate(other):
            expected = expected.replace(f"<{fold.__name__}{number}>", fold(name))
    assert answers(other) == expected


@given(st.text(max_size=300))
def test_any_text_is_answered_the_same_twice(text: str) -> None:
    assert extraction(f"user: {text}") == extraction(f"user: {text}")


def test_a_whole_write_and_search_through_the_responder(simplemem: Any) -> None:
    turns = (Turn("user", "The urn is at Larkmoor Hall."), Turn("user", "Wren has the key to Larkmoor Hall."))
    report = simplemem.system.write(Session("s1", "2041-03-14T09:30", turns))
    assert (report.added, report.losses) == (2, ())
    assert "Wren has the key" in simplemem.system.retrieve("Who has the key?", None)[0].text
