"""The embedded writer's answers to Mem0's prompt, on the prompts that the package really sends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.systems.mem0.responder import respond
from memjoin.systems.protocol import Session, Turn

PROMPT = (
    "## Summary\n\n\n## Last k Messages\n{last}\n\n## Recently Extracted Memories\n[]\n\n"
    "## Existing Memories\n{existing}\n\n## New Messages\n{messages}\n\n"
    "## Observation Date\n2041-03-14\n\n## Current Date\n2041-03-14\n\n# Output:"
)


def body(messages: str, existing: str = "[]", last: str = "") -> dict[str, Any]:
    prompt = PROMPT.format(messages=messages, existing=existing, last=last)
    return {"messages": [{"role": "system", "content": "..."}, {"role": "user", "content": prompt}]}


def texts(message: dict[str, Any] | None) -> list[str]:
    assert message is not None
    return [memory["text"] for memory in json.loads(message["content"])["memory"]]


def test_the_package_s_own_prompt_is_answered_in_its_form(mem0: Any, sessions: list[Session]) -> None:
    model = mem0.answers('{"memory": []}')
    for session in sessions:
        mem0.system.write(session)
    for request in model.requests:
        message = respond({"messages": list(request.messages), **request.parameters})
        assert message is not None
        memories = json.loads(message["content"])["memory"]
        assert [set(memory) for memory in memories] == [
            {"id", "text", "attributed_to", "linked_memory_ids"}
        ] * len(memories)
        assert [memory["id"] for memory in memories] == [str(n) for n in range(len(memories))]
    (first, second) = (texts(respond({"messages": list(r.messages)})) for r in model.requests)
    assert first == [
        "For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318.",
        "On the rota she is down as Sandpiper.",
    ]
    assert second == ["The spring concert moved to Larkmoor Hall, and parking code QF-7719 is for the altos."]


def test_only_new_messages_are_remembered() -> None:
    answer = respond(
        body(
            "user: The urn is at Larkmoor Hall.\n",
            existing='[{"id": "0", "text": "Wren keeps the keys."}]',
            last="user: Wren keeps the keys.\nassistant: Code QF-7719 opens the shed.\n",
        )
    )
    assert texts(answer) == ["The urn is at Larkmoor Hall."]


def test_what_is_remembered_already_is_not_said_again() -> None:
    known = json.dumps([{"id": "0", "text": "The urn is at Larkmoor Hall."}])
    assert texts(respond(body("user: The urn is at Larkmoor Hall.\n", existing=known))) == []


def test_the_assistants_own_news_are_its_own() -> None:
    message = respond(
        body("user: Where is the urn?\nassistant: It is kept at Larkmoor Hall under tag RH-4460.\n")
    )
    assert message is not None
    (memory,) = json.loads(message["content"])["memory"]
    assert memory["attributed_to"] == "assistant"


def test_at_most_three_sentences_that_follow_each_other_make_a_memory() -> None:
    said = [f"Box {number} is in aisle {number + 40}." for number in range(1, 6)]
    together = texts(respond(body("user: " + " ".join(said) + "\n")))
    assert together == [" ".join(said[:3]), " ".join(said[3:])]
    apart = texts(respond(body(f"user: {said[0]} How are you today? {said[1]}\n")))
    assert apart == said[:2]


def test_lines_and_marks_inside_a_turn_do_not_confuse_it() -> None:
    said = "Notes on the shed:\n- Wren has key RH-4460\n\n## New Messages\nThe gate is at Tolland Street 14."
    found = " ".join(texts(respond(body(f"user: {said}\nassistant: Fine.\n"))))
    assert "Wren has key RH-4460." in found
    assert "The gate is at Tolland Street 14." in found


@pytest.mark.parametrize(
    "request_body",
    [
        {},
        {"messages": []},
        {"messages": [{"role": "user", "content": "Summarize this: user: hello"}]},
        {"messages": [{"role": "user", "content": None}]},
        {"messages": [{"role": "assistant", "content": PROMPT}]},
        body("user: hello\n", existing="not JSON"),
        body("user: hello\n", existing="[1]"),
    ],
)
def test_other_prompts_are_none_of_its_business(request_body: dict[str, Any]) -> None:
    assert respond(request_body) is None


def test_an_empty_conversation_is_answered_with_no_memory() -> None:
    assert texts(respond(body("user: Hi!\nassistant: Hello, how can I help?\n"))) == []
    assert texts(respond(body(""))) == []


WORD = st.builds("".join, st.tuples(*map(st.sampled_from, ("BDKLNPRT", "aeiou", "lmnr", "aeiou", "q"))))
CODE = st.builds("{}{}-{}".format, *(st.sampled_from("BCDFGHKLMNPQ"),) * 2, st.integers(1000, 9999))
NAMES = st.tuples(
    st.lists(WORD, min_size=5, max_size=5, unique=True), st.lists(CODE, min_size=2, max_size=2, unique=True)
)
TALK = (
    "user: For the list: {0} {1} brings the urn, and she is down as {2}. Did you sleep well?\n"
    "assistant: I did. Should {2} bring cups as well?\n"
    "user: Yes. {2}'s envelope is {c0}; the one marked {c1} is for {3} Annex on 17 September 2041.\n"
    "assistant: {3} Annex it is. Parking there needs a permit from {4} House.\n"
)


def render(names: tuple[list[str], list[str]]) -> str:
    words, codes = names
    return TALK.format(*words, c0=codes[0], c1=codes[1])


@settings(max_examples=30)
@given(NAMES, NAMES)
def test_other_names_give_the_same_memories_with_other_names(
    one: tuple[list[str], list[str]], other: tuple[list[str], list[str]]
) -> None:
    renaming = dict(zip((*one[0], *one[1]), (*other[0], *other[1]), strict=True))
    expected = []
    for text in texts(respond(body(render(one)))):
        for number, name in enumerate(renaming):
            text = text.replace(name, f"<{number}>")
        for number, name in enumerate(renaming.values()):
            text = text.replace(f"<{number}>", name)
        expected.append(text)
    assert texts(respond(body(render(other)))) == expected
    assert len(expected) >= 2


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_is_answered_the_same_twice(messages: str, last: str) -> None:
    request = body(f"user: {messages}\n", last=last)
    assert respond(request) == respond(request)


def test_a_whole_write_through_the_responder_loses_nothing(mem0: Any) -> None:
    report = mem0.system.write(
        Session(
            "s1", "2041-03-14T09:30", (Turn("user", "The urn is at Larkmoor Hall."), Turn("assistant", "Ok."))
        )
    )
    assert (report.added, report.losses) == (1, ())
