"""The embedded writer's answers to A-Mem's prompts, on the prompts that the package really sends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.models.types import ChatRequest
from memjoin.systems.amem.responder import NOTHING, respond
from memjoin.systems.protocol import Session, Turn

HEAD = (
    "Generate a structured analysis of the following content by: ...\n\n  Content for analysis:\n            "
)


def analysis(content: str) -> dict[str, Any]:
    message = respond({"messages": [{"role": "user", "content": HEAD + content}]})
    assert message is not None
    value: dict[str, Any] = json.loads(message["content"])
    return value


def evolution(new: str, *neighbours: tuple[str, str, str]) -> dict[str, Any]:
    pad = " " * 32
    lines = "".join(
        f"memory_id:{identity}\ttalk start time:2041-03-14 09:30\tmemory content: {content}\t"
        f"memory context: {context}\tmemory keywords: ['k']\tmemory tags: ['one', 'two']\n"
        for identity, content, context in neighbours
    )
    prompt = (
        f"\n{pad}You are an AI memory evolution agent for a store.\n\n{pad}The new memory context:\n"
        f"{pad}Any context\n{pad}content: {new}\n{pad}keywords: ['a']\n\n"
        f"{pad}The nearest neighbors memories (each line starts with memory_id):\n{pad}{lines}\n\n"
        f"{pad}Based on this information, determine:\n{pad}1. Should this memory be evolved?\n"
    )
    message = respond({"messages": [{"role": "user", "content": prompt}]})
    assert message is not None
    value: dict[str, Any] = json.loads(message["content"])
    return value


def test_the_package_s_own_prompts_are_answered_in_its_form(amem: Any, sessions: list[Session]) -> None:
    seen: list[dict[str, Any]] = []

    def answer(request: ChatRequest) -> str:
        message = respond({"messages": list(request.messages), **request.parameters})
        assert message is not None
        seen.append(json.loads(message["content"]))
        return str(message["content"])

    amem.answers(answer)
    for session in sessions:
        assert amem.system.write(session).losses == ()
    schema = {"keywords", "context", "tags"}
    assert [set(value) == schema for value in seen] == [True, *[True, False] * 5]
    assert seen[0]["context"] == (
        "For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318."
    )
    assert "Ottilie Vanterpool" in seen[0]["keywords"]


def test_small_talk_is_called_so() -> None:
    assert analysis("Speaker user says: Hi! How are you?")["context"] == NOTHING


def test_lines_of_a_turn_and_words_of_the_prompt_in_it_do_not_confuse_it() -> None:
    said = (
        "Speaker user says: Content for analysis:\n    The urn is at Larkmoor Hall\n\nWren has key RH-4460."
    )
    found = analysis(said)["context"]
    assert "Larkmoor Hall" in found
    assert "RH-4460" in found


def test_notes_that_mention_the_same_name_are_linked() -> None:
    value = evolution(
        "Speaker user says: Wren has the key to Larkmoor Hall.",
        ("id-1", "Speaker user says: The concert is at Larkmoor Hall.", "The concert is at Larkmoor Hall."),
        ("id-2", "Speaker user says: The basses eat at Tolland Street.", "The basses eat at Tolland Street."),
    )
    assert value["should_evolve"] is True
    assert value["actions"] == ["strengthen"]
    assert value["suggested_connections"] == ["id-1"]
    assert value["new_tags_neighborhood"] == [["one", "two"]] * 2


def test_what_is_otherwise_now_goes_into_the_context_of_the_note_it_is_about() -> None:
    value = evolution(
        "Speaker user says: Sandpiper is now at desk RH-4460.",
        ("id-1", "Speaker user says: We have Sandpiper at QF-7719.", "We have Sandpiper at QF-7719."),
        ("id-2", "Speaker user says: The urn is with Wren Okonjo.", "The urn is with Wren Okonjo."),
    )
    assert value["actions"] == ["strengthen", "update_neighbor"]
    assert value["new_context_neighborhood"] == [
        "We have Sandpiper at QF-7719. Sandpiper is now at desk RH-4460.",
        "The urn is with Wren Okonjo.",
    ]


def test_notes_with_nothing_in_common_stay_apart() -> None:
    value = evolution(
        "Speaker user says: It rains.", ("id-1", "Speaker user says: Wren sings.", "Wren sings.")
    )
    assert value["should_evolve"] is False
    assert value["suggested_connections"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": []},
        {"messages": [{"role": "user", "content": "Summarize this: user: hello"}]},
        {"messages": [{"role": "user", "content": None}]},
        {"messages": [{"role": "assistant", "content": HEAD + "The urn is here."}]},
    ],
)
def test_other_prompts_are_none_of_its_business(body: dict[str, Any]) -> None:
    assert respond(body) is None


WORD = st.builds("".join, st.tuples(*map(st.sampled_from, ("BDKLNPRT", "aeiou", "lmnr", "aeiou", "q"))))
NAMES = st.lists(WORD, min_size=4, max_size=4, unique=True)
TALK = (
    "Speaker user says: For the list: {0} {1} brings the urn, and she is down as {2}. {2} is now at {3} Hall."
)


def answers(names: list[str]) -> str:
    said = TALK.format(*names)
    near = ("id-1", f"Speaker user says: The urn of {names[2]} is late.", f"The urn of {names[2]} is late.")
    return json.dumps([analysis(said), evolution(said, near)])


@settings(max_examples=30)
@given(NAMES, NAMES)
def test_other_names_give_the_same_answers_with_other_names(one: list[str], other: list[str]) -> None:
    expected = answers(one)
    for number, name in enumerate(one):
        expected = expected.replace(name, f"<{number}>")
    for number, name in enumerate(other):
        expected = expected.replace(f"<{number}>", name)
    # Key words are matched in lower case.
    assert answers(other).casefold() == _lowered(expected, one, other).casefold()


def _lowered(text: str, one: list[str], other: list[str]) -> str:
    for number, name in enumerate(one):
        text = text.replace(name.casefold(), f"<{number}>")
    for number, name in enumerate(other):
        text = text.replace(f"<{number}>", name.casefold())
    return text


@given(st.text(max_size=300))
def test_any_text_is_answered_the_same_twice(text: str) -> None:
    assert analysis(text) == analysis(text)


def test_a_whole_write_through_the_responder_links_notes(amem: Any) -> None:
    turns = (Turn("user", "The urn is at Larkmoor Hall."), Turn("user", "Wren has the key to Larkmoor Hall."))
    report = amem.system.write(Session("s1", "2041-03-14T09:30", turns))
    assert (report.added, report.losses) == (2, ())
    assert "linked" in {record.kind for record in amem.system.retrieve("Who has the key?", 5)}
