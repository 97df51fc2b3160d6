"""The embedded writer: its responder, the generic answers, and the refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from memjoin.models import generic
from memjoin.models.errors import UnknownPromptError
from memjoin.models.types import ChatRequest
from memjoin.models.writer import EmbeddedWriter

TALK = (
    "user: Priya Raman is down as Juniper on the rota. How do I get wax out of a tablecloth?\n"
    "assistant: Iron it through brown paper.\n"
    "user: Thanks! Juniper's envelope is KX-4821."
)
FACTS = ["Priya Raman is down as Juniper on the rota.", "Juniper's envelope is KX-4821."]


def ask(*contents: str, responder: Any = None, **parameters: Any) -> Any:
    roles = ["system"] * (len(contents) - 1) + ["user"]
    messages = tuple({"role": role, "content": text} for role, text in zip(roles, contents, strict=True))
    return EmbeddedWriter(responder).complete(ChatRequest("m", messages, parameters))


def test_a_responder_is_asked_first_and_gets_the_whole_body() -> None:
    bodies: list[Mapping[str, Any]] = []

    def respond(body: dict[str, Any]) -> dict[str, Any]:
        bodies.append(body)
        return {"role": "assistant", "content": "mine"}

    reply = ask("Summarise.", TALK, responder=respond, temperature=0, tools=[])
    assert reply.message == {"role": "assistant", "content": "mine"}
    assert (reply.model, reply.finish_reason, reply.usage.estimated) == ("embedded/writer", "stop", True)
    assert bodies[0]["messages"][1]["content"] == TALK
    assert (bodies[0]["model"], bodies[0]["temperature"], bodies[0]["tools"]) == ("m", 0, [])


def test_what_a_responder_does_not_know_gets_a_generic_answer() -> None:
    reply = ask("Write a summary of the conversation.", TALK, responder=lambda body: None)
    assert reply.message["content"] == " ".join(FACTS)


@pytest.mark.parametrize("prompt", ["Tell me a joke.", "What is the weather?\n\nuser: hello there, you"])
def test_an_unknown_prompt_is_refused_with_the_way_out(prompt: str) -> None:
    with pytest.raises(UnknownPromptError, match="No embedded writer knows this prompt") as caught:
        ask(prompt)
    assert "--writer" in caught.value.hint
    assert caught.value.stops_run
    assert prompt[:12] in str(caught.value)


def test_a_long_unknown_prompt_is_shown_by_its_beginning() -> None:
    with pytest.raises(UnknownPromptError) as caught:
        ask("Sing. " * 500)
    assert len(str(caught.value)) < 300


def test_output_stops_at_the_limit_of_tokens() -> None:
    reply = ask("Write a summary.", TALK, max_tokens=5)
    assert reply.finish_reason == "length"
    assert reply.message["content"] == " ".join(FACTS)[:20]
    assert reply.usage.output_tokens == 5
    assert ask("Write a summary.", TALK, max_tokens=500).finish_reason == "stop"


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ('Return JSON: {"facts": ["..."]}', {"facts": FACTS}),
        ("Answer {'memories': [ ... ]} only.", {"memories": FACTS}),
        (
            'Reply as {"memory": [{"id": "0", "text": "..."}]}',
            {"memory": [{"text": fact} for fact in FACTS]},
        ),
    ],
)
@pytest.mark.parametrize("parameters", [{}, {"response_format": {"type": "json_object"}}])
def test_json_takes_the_form_that_the_prompt_shows(
    prompt: str, expected: dict[str, Any], parameters: dict[str, Any]
) -> None:
    assert json.loads(ask(prompt, TALK, **parameters).message["content"]) == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ({"type": "string"}, FACTS),
        (
            {"type": "object", "properties": {"fact": {"type": "string"}, "n": {"type": "integer"}}},
            [{"fact": fact} for fact in FACTS],
        ),
    ],
)
def test_json_takes_the_form_of_a_schema(items: dict[str, Any], expected: list[Any]) -> None:
    schema = {"type": "object", "properties": {"found": {"type": "array", "items": items}}}
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    assert json.loads(ask("Extract.", TALK, response_format=form).message["content"]) == {"found": expected}


def test_a_tool_that_stores_a_text_is_called_for_each_fact() -> None:
    reply = ask("Remember what matters.", TALK, tools=[tool("lookup"), tool("store_memory")])
    assert reply.finish_reason == "tool_calls"
    functions = [call["function"] for call in reply.message["tool_calls"]]
    assert [function["name"] for function in functions] == ["store_memory"] * 2
    assert [json.loads(function["arguments"]) for function in functions] == [{"content": f} for f in FACTS]
    assert len({call["id"] for call in reply.message["tool_calls"]}) == 2


def test_nothing_worth_keeping_calls_no_tool() -> None:
    reply = ask("Remember.", "user: Hello!\nassistant: Hi.", tools=[tool("store_memory")])
    assert "tool_calls" not in reply.message
    assert reply.finish_reason == "stop"


@pytest.mark.parametrize(
    "parameters",
    [
        {"tools": [{"type": "function", "function": {"name": "store"}}]},
        {"tools": [{"type": "custom"}]},
        {"tools": "none"},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}}},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"properties": {"a": 1}}}}},
        {"response_format": {"type": "json_object"}},
    ],
)
def test_forms_that_cannot_be_filled_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UnknownPromptError):
        ask("Do something.", TALK, **parameters)


def test_a_tool_that_needs_more_than_a_text_is_refused() -> None:
    needy = tool("store_memory", required=["content", "user_id"])
    with pytest.raises(UnknownPromptError):
        ask("Remember.", TALK, tools=[needy])


def test_the_conversation_may_be_the_messages_themselves() -> None:
    talk: list[dict[str, Any]] = [
        {"role": "system", "content": "Summarise the conversation."},
        {"role": "user", "content": [{"type": "text", "text": FACTS[0]}]},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "How do I get wax out?"},
    ]
    assert generic.conversation(talk) == [
        ("user", FACTS[0]),
        ("assistant", "Noted."),
        ("user", "How do I get wax out?"),
    ]
    answer = generic.respond({"messages": talk})
    assert answer is not None
    assert answer["content"] == FACTS[0]


def test_instructions_are_not_taken_for_conversation() -> None:
    instruction = "Summarise the files in the folder called Northgate and store them."
    assert generic.respond({"messages": [{"role": "user", "content": instruction}]}) is None
    assert generic.respond({"messages": []}) is None


def test_a_turn_ends_at_an_empty_line_before_further_instructions() -> None:
    prompt = f"Conversation:\n{TALK}\n\nReply as Annex KX-9999 wants: a summary."
    answer = generic.respond({"messages": [{"role": "user", "content": prompt}]})
    assert answer is not None
    assert answer["content"] == " ".join(FACTS)


def tool(name: str, required: list[str] | None = None) -> dict[str, Any]:
    properties = {"content": {"type": "string"}, "user_id": {"type": "string"}}
    parameters = {"type": "object", "properties": properties, "required": required or ["content"]}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}
