"""The embedded writer's answers to MemGPT's agent, on the prompts that the package really sends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.systems.memgpt.responder import respond

TOOLS = [
    {"type": "function", "function": {"name": name}}
    for name in ("send_message", "core_memory_append", "core_memory_replace", "archival_memory_insert")
]


def calls(talk: str, human: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Answer until the agent sends a message, as MemGPT would ask."""
    core = f'<human characters="{len(human)}/2000">\n{human}\n</human>'
    event = json.dumps({"type": "heartbeat", "reason": "x", "time": "now"})
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": f"Instructions\n{core}"},
        {"role": "user", "content": json.dumps({"type": "user_message", "message": talk, "time": "now"})},
    ]
    made = []
    while not made or made[-1][0] != "send_message":
        message = respond({"messages": messages, "tools": TOOLS})
        assert message is not None
        (call,) = message["tool_calls"]
        made.append((call["function"]["name"], json.loads(call["function"]["arguments"])))
        messages += [message, {"role": "tool", "content": "{}"}, {"role": "user", "content": event}]
        assert len(made) < 50
    return made


def test_what_is_said_goes_to_archival_and_what_the_user_owns_to_core_memory() -> None:
    made = calls("user: Wren has key RH-4460.\nassistant: Noted.\nuser: My desk is at Larkmoor Hall.")
    assert [(name, arguments.get("content")) for name, arguments in made] == [
        ("archival_memory_insert", "Wren has key RH-4460."),
        ("core_memory_append", "My desk is at Larkmoor Hall."),
        ("send_message", None),
    ]


def test_a_full_block_is_spared() -> None:
    made = calls("user: My desk is at Larkmoor Hall.", human="x" * 1790)
    assert [name for name, _ in made] == ["archival_memory_insert", "send_message"]


def test_what_is_otherwise_now_replaces_a_line_on_the_same_thing() -> None:
    known = "We like tea.\nMy desk QF-7719 is at Eastmoor House."
    made = calls("user: Desk QF-7719 is now at Larkmoor Hall.", human=known)
    assert made[0] == (
        "core_memory_replace",
        {
            "name": "human",
            "old_content": "My desk QF-7719 is at Eastmoor House.",
            "new_content": "Desk QF-7719 is now at Larkmoor Hall.",
            "request_heartbeat": True,
        },
    )


def test_what_would_lose_something_is_saved_beside_it() -> None:
    made = calls("user: Desk QF-7719 is now at Larkmoor Hall.", human="My desk QF-7719 is by the stove.")
    assert [name for name, _ in made] == ["archival_memory_insert", "send_message"]


def test_small_talk_is_answered_and_not_saved() -> None:
    assert [name for name, _ in calls("user: Hi!\nassistant: Hello, how can I help?")] == ["send_message"]


def test_a_session_that_was_summarised_between_two_steps_is_answered() -> None:
    event = json.dumps({"type": "heartbeat", "reason": "x", "time": "now"})
    message = respond({"messages": [{"role": "user", "content": event}], "tools": TOOLS})
    assert message is not None
    assert message["tool_calls"][0]["function"]["name"] == "send_message"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": []},
        {"messages": [{"role": "user", "content": "Summarize this: user: hello"}]},
        {"messages": [{"role": "user", "content": None}], "tools": TOOLS},
        {"messages": [{"role": "user", "content": "[1]"}], "tools": TOOLS},
        {"messages": [{"role": "user", "content": '{"type": ["other"]}'}], "tools": TOOLS},
    ],
)
def test_other_prompts_are_none_of_its_business(body: dict[str, Any]) -> None:
    assert respond(body) is None


WORD = st.builds("".join, st.tuples(*map(st.sampled_from, ("BDKLNPRT", "aeiou", "lmnr", "aeiou", "q"))))
NAMES = st.lists(WORD, min_size=4, max_size=4, unique=True)
KNOWN = "My friend {2} is at {0} Hall."
TALK = (
    "user: For the list: {0} {1} brings the urn.\nassistant: Fine.\nuser: My friend {2} is now at {3} Hall."
)


@settings(max_examples=25)
@given(NAMES, NAMES)
def test_other_names_give_the_same_calls_with_other_names(one: list[str], other: list[str]) -> None:
    expected = json.dumps(calls(TALK.format(*one), human=KNOWN.format(*one)))
    for number, name in enumerate(one):
        expected = expected.replace(name, f"<{number}>")
    for number, name in enumerate(other):
        expected = expected.replace(f"<{number}>", name)
    assert json.dumps(calls(TALK.format(*other), human=KNOWN.format(*other))) == expected
    assert "core_memory_replace" in expected
