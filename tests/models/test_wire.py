"""The protocol's pure functions, where the wire tests do not already say it all."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.models import wire
from memjoin.models.errors import ContextLengthError
from memjoin.models.tokens import estimate_messages, estimate_request, estimate_text
from memjoin.models.types import ChatReply, ChatRequest, Usage

HI = [{"role": "user", "content": "Hi"}]


def test_parameters_are_all_that_goes_on_the_wire_but_names_and_streams() -> None:
    body = {
        "model": "m",
        "messages": HI,
        "stream": True,
        "stream_options": {"include_usage": True},
        "n": 1,
        "user": "u",
        "stop": None,
        "tools": [],
    }
    call = wire.parse_chat(body, "ours", wire.Sampling())
    assert call.request.parameters == {"tools": [], "temperature": 0.0, "seed": 0}
    assert (call.stream, call.usage_in_stream) == (True, True)


def test_what_agrees_with_the_fixed_sampling_is_not_noted() -> None:
    body = {"model": "ours", "messages": HI, "temperature": 0, "seed": 0}
    assert wire.parse_chat(body, "ours", wire.Sampling(0.0, 0)).request.asked == {}


def test_what_was_asked_makes_no_difference_between_requests() -> None:
    asked = wire.parse_chat({"model": "x", "messages": HI, "temperature": 1}, "ours", wire.Sampling())
    plain = wire.parse_chat({"messages": HI}, "ours", wire.Sampling())
    assert asked.request == plain.request
    assert asked.request.asked != plain.request.asked


def test_a_completion_is_stamped_alike_every_time() -> None:
    reply = ChatReply({"role": "assistant", "content": "x"}, "stop", Usage(1, 2), "m")
    assert wire.completion(reply, 3) == wire.completion(reply, 3)
    assert wire.completion(reply, 3)["id"] == "chatcmpl-3"


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=4))
def test_both_encodings_hold_the_same_numbers(rows: list[list[float]]) -> None:
    vectors = np.array(rows, dtype=np.float32)
    texts = ["x"] * len(rows)
    plain = wire.embeddings(vectors, wire.EmbeddingCall(texts, "float", None), "m", 1)
    packed = wire.embeddings(vectors, wire.EmbeddingCall(texts, "base64", 3), "m", 1)
    for number, (left, right) in enumerate(zip(plain["data"], packed["data"], strict=True)):
        decoded = np.frombuffer(base64.b64decode(right["embedding"]), dtype="<f4")
        assert np.array_equal(np.array(left["embedding"], dtype=np.float32), decoded)
        assert left["index"] == right["index"] == number


@given(st.text(), st.text())
def test_estimates_grow_with_text(left: str, right: str) -> None:
    assert estimate_text(left + right) >= max(estimate_text(left), estimate_text(right))
    assert estimate_text(left + right) <= estimate_text(left) + estimate_text(right)
    assert (estimate_text(left) == 0) == (left == "")


def test_estimates_count_tools_and_tool_calls() -> None:
    tools = [{"type": "function", "function": {"name": "f"}}]
    plain = ChatRequest("m", tuple(HI), {"temperature": 0})
    assert estimate_request(plain) == estimate_messages(HI) == 5
    assert estimate_request(ChatRequest("m", tuple(HI), {"tools": tools})) > 5
    assert estimate_messages([{"role": "assistant", "content": None, "tool_calls": tools}]) > 4
    assert estimate_messages([{"role": "user", "content": [{"type": "text", "text": "x" * 40}]}]) > 10


def test_a_window_is_full_only_above_its_size() -> None:
    request = ChatRequest("m", tuple(HI))
    wire.check_window(request, None)
    wire.check_window(request, estimate_request(request))
    with pytest.raises(ContextLengthError):
        wire.check_window(request, estimate_request(request) - 1)


def test_events_end_as_the_protocol_says() -> None:
    reply = ChatReply({"role": "assistant", "content": "line\nbreak"}, "stop", Usage(1, 2), "m")
    events = list(wire.completion_events(reply, 1, with_usage=True))
    assert all(event.startswith("data: ") and event.endswith("\n\n") for event in events)
    assert events[-1] == "data: [DONE]\n\n"
    assert json.loads(events[0][6:])["choices"][0]["delta"]["content"] == "line\nbreak"
    assert json.loads(events[-2][6:])["usage"]["total_tokens"] == 3
