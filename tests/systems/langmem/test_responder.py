"""The embedded writer's answers to LangMem's prompts, on the prompts that the package really sends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memjoin.systems.langmem.responder import respond
from memjoin.systems.protocol import Session

LINE = "=" * 32


def tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {}}}


def body(talk: str, known: Sequence[str] = ()) -> dict[str, Any]:
    """A request for the memories of one user's turn, beside known memories."""
    shown = "\n".join(
        f'<instance id=m{number} schema_type="Memory">\n{ {"content": text} }\n</instance>'
        for number, text in enumerate(known)
    )
    system = "You are a memory subroutine for an AI."
    if known:
        system += f"\n\nGenerate JSONPatches.\n<existing>\n{shown}\n</existing>\n"
    conversation = (
        f"{LINE} System Message {LINE}\n\nThis conversation took place on 2041-03-14 at 09:30.\n\n"
        f"{LINE} Human Message {LINE}\n\n{talk}\n\n{LINE} Ai Message {LINE}\n\nNoted."
    )
    user = f"Enrich memories. \n\n<session_ab-1>\n{conversation}\n</session_ab-1>"
    names = ("PatchDoc", "Memory") if known else ("Memory",)
    return {
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        "tools": [tool(name) for name in names],
    }


def calls(message: dict[str, Any] | None) -> list[tuple[str, dict[str, Any]]]:
    assert message is not None
    made = [call["function"] for call in message.get("tool_calls") or ()]
    return [(function["name"], json.loads(function["arguments"])) for function in made]


def memories(message: dict[str, Any] | None) -> list[str]:
    return [arguments["content"] for name, arguments in calls(message) if name == "Memory"]


def patched(message: dict[str, Any] | None) -> dict[str, str]:
    return {
        arguments["json_doc_id"]: arguments["patches"][0]["value"]
        for name, arguments in calls(message)
        if name == "PatchDoc"
    }


def test_the_package_s_own_prompts_are_answered_in_their_form(langmem: Any, sessions: list[Session]) -> None:
    model = langmem.remembers("Parking code QF-7719 is for Eastmoor House.")
    for session in sessions:
        langmem.system.write(session)
    first, second = (respond({"messages": list(r.messages), **r.parameters}) for r in model.requests)
    assert memories(first) == [
        "For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318.",
        "Parking code QF-7719 is for Eastmoor House.",
    ]
    assert memories(second) == []
    assert list(patched(second).values()) == [
        "The basses sing on Tuesdays. Parking code QF-7719 has moved to Larkmoor Hall."
    ]


def test_news_replace_the_sentence_that_they_make_old() -> None:
    known = ["Wren keeps the keys.", "The tea is hot. Code QF-7719 is for Eastmoor House."]
    answer = respond(body("Code QF-7719 has moved to Larkmoor Hall.", known))
    assert patched(answer) == {"m1": "The tea is hot. Code QF-7719 has moved to Larkmoor Hall."}
    assert memories(answer) == []


def test_news_are_added_where_replacing_would_lose_something() -> None:
    known = ["Code QF-7719 is for Wren Abara at Eastmoor House."]
    answer = respond(body("Code QF-7719 has moved to Larkmoor Hall.", known))
    assert patched(answer) == {"m0": f"{known[0]} Code QF-7719 has moved to Larkmoor Hall."}


def test_a_sentence_that_says_nothing_of_a_change_is_a_memory_of_its_own() -> None:
    answer = respond(body("Code QF-7719 is for Larkmoor Hall.", ["Code QF-7719 is for Eastmoor House."]))
    assert memories(answer) == ["Code QF-7719 is for Larkmoor Hall."]
    assert patched(answer) == {}


def test_a_change_of_something_unknown_is_new() -> None:
    answer = respond(
        body("Code RH-4460 has moved to Larkmoor Hall.", ["Code QF-7719 is for Eastmoor House."])
    )
    assert memories(answer) == ["Code RH-4460 has moved to Larkmoor Hall."]


def test_two_news_of_one_memory_make_one_patch() -> None:
    known = ["Code QF-7719 is for Eastmoor House."]
    talk = "Code QF-7719 has moved to Larkmoor Hall. Did you sleep well? QF-7719 is now for Wren Abara."
    answer = respond(body(talk, known))
    assert [name for name, _ in calls(answer)] == ["PatchDoc"]
    assert "Wren Abara" in patched(answer)["m0"]


def test_what_is_remembered_already_is_answered_with_a_patch_of_nothing() -> None:
    known = ["The urn is at Larkmoor Hall."]
    ((name, arguments),) = calls(respond(body("The urn is at Larkmoor Hall.", known)))
    assert (name, arguments["json_doc_id"], arguments["patches"]) == ("PatchDoc", "m0", [])


def test_the_date_of_the_session_is_no_memory() -> None:
    assert memories(respond(body("The urn is at Larkmoor Hall."))) == ["The urn is at Larkmoor Hall."]


def test_at_most_three_sentences_that_follow_each_other_make_a_memory() -> None:
    said = [f"Box {number} is in aisle {number + 40}." for number in range(1, 6)]
    assert memories(respond(body(" ".join(said)))) == [" ".join(said[:3]), " ".join(said[3:])]
    apart = f"{said[0]} How are you today? {said[1]}"
    assert memories(respond(body(apart))) == said[:2]


def test_lines_and_marks_inside_a_turn_do_not_confuse_it() -> None:
    said = "Notes on the shed:\n- Wren has key RH-4460\n\n</session_x>\nThe gate is at Tolland Street 14."
    found = " ".join(memories(respond(body(said))))
    assert "Wren has key RH-4460." in found
    assert "The gate is at Tolland Street 14." in found


def test_an_empty_conversation_is_answered_with_nothing() -> None:
    assert respond(body("Hi!")) == {"role": "assistant", "content": ""}


def sent_back(arguments: str, problem: str) -> dict[str, Any]:
    request = body("The urn is at Larkmoor Hall.")
    call = {"id": "c7", "type": "function", "function": {"name": "Memory", "arguments": arguments}}
    request["messages"] += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c7", "content": problem},
    ]
    request["tools"] = [tool("PatchFunctionErrors"), tool("PatchFunctionName")]
    return request


def test_a_call_that_is_sent_back_is_mended() -> None:
    ((name, arguments),) = calls(respond(sent_back('{"text": "The urn"}', "Error: field required")))
    assert (name, arguments["json_doc_id"]) == ("PatchFunctionErrors", "c7")
    assert arguments["patches"] == [{"op": "add", "path": "/content", "value": "The urn"}]


@pytest.mark.parametrize("arguments", ["{}", "no JSON", "[1]", '{"content": 3}'])
def test_a_call_without_a_text_cannot_be_mended(arguments: str) -> None:
    ((_, answer),) = calls(respond(sent_back(arguments, "Error: field required")))
    assert answer["patches"] == []


def test_an_unknown_tool_is_named_rightly() -> None:
    ((name, answer),) = calls(respond(sent_back("{}", 'Unrecognized tool name: "Remember".')))
    assert (name, answer["fixed_name"]) == ("PatchFunctionName", "Memory")


@pytest.mark.parametrize(
    "request_body",
    [
        {},
        {"messages": []},
        {"messages": [{"role": "user", "content": "Summarize this: hello"}], "tools": [tool("Memory")]},
        {"messages": [{"role": "user", "content": None}]},
        body("hello") | {"tools": [tool("Other")]},
    ],
)
def test_other_prompts_are_none_of_its_business(request_body: dict[str, Any]) -> None:
    assert respond(request_body) is None


WORD = st.builds("".join, st.tuples(*map(st.sampled_from, ("BDKLNPRT", "aeiou", "lmnr", "aeiou", "q"))))
CODE = st.builds("{}{}-{}".format, *(st.sampled_from("BCDFGHKLMNPQ"),) * 2, st.integers(1000, 9999))
NAMES = st.tuples(
    st.lists(WORD, min_size=4, max_size=4, unique=True), st.lists(CODE, min_size=2, max_size=2, unique=True)
)
TALK = "Envelope {4} has moved to {0} Hall. Did you sleep well? {1} brings the urn, and {2} has code {5}."
KNOWN = ("Envelope {4} is for {3} House.", "Code {5} opens the shed.")


@settings(max_examples=30)
@given(NAMES, NAMES)
def test_other_names_give_the_same_calls_with_other_names(
    one: tuple[list[str], list[str]], other: tuple[list[str], list[str]]
) -> None:
    first, second = [*one[0], *one[1]], [*other[0], *other[1]]

    def answered(names: list[str]) -> str:
        request = body(TALK.format(*names), [known.format(*names) for known in KNOWN])
        return json.dumps(respond(request))

    expected = answered(first)
    for number, name in enumerate(first):
        expected = expected.replace(name, f"<{number}>")
    for number, name in enumerate(second):
        expected = expected.replace(f"<{number}>", name)
    assert answered(second) == expected


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_is_answered_the_same_twice(talk: str, known: str) -> None:
    request = body(talk, [known])
    assert respond(request) == respond(request)
