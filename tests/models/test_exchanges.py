"""The direct exchange, and the one that answers badly on purpose."""

from __future__ import annotations

import json
import time
from typing import Any

import openai
import pytest

from memjoin.models.direct import DirectExchange
from memjoin.models.errors import ModelTimeoutError, ServerError, UnknownModelError
from memjoin.models.faults import FAULTS, WRONG_TOOL, Fault, FaultKind, FaultyExchange
from memjoin.models.gateway import CHAT_MODEL, Gateway
from memjoin.models.types import ChatRequest, Scope

HI = ChatRequest("m", ({"role": "user", "content": "Hi"},))
FACTS = '{"facts": ["a fact"], "more": {"facts": 1}}'


def faulty(model: Any, *faults: Fault | None, **options: Any) -> FaultyExchange:
    plan = {number: fault for number, fault in enumerate(faults, 1) if fault}
    return FaultyExchange(DirectExchange({"writer": model}), plan, **options)


def test_a_direct_exchange_asks_the_model_of_the_role(
    scope: Scope, echo: Any, saying: Any, ones: Any
) -> None:
    judge = saying(lambda request: {"content": "judged"})
    exchange = DirectExchange({"writer": echo, "judge": judge}, ones)
    assert exchange.chat(scope, "writer", HI).message["content"] == "Hi"
    assert exchange.chat(scope, "judge", HI).message["content"] == "judged"
    assert exchange.embed(scope, ["abc"]).tolist() == [[0, 0, 0, 1]]


def test_a_role_without_a_model_is_an_error_that_names_it(scope: Scope) -> None:
    with pytest.raises(UnknownModelError, match="role reader, which some-system asked for") as caught:
        DirectExchange({}).chat(scope, "reader", HI)
    assert "--reader" in caught.value.hint
    with pytest.raises(UnknownModelError, match="No embedder"):
        DirectExchange({}).embed(scope, ["x"])


def test_only_the_planned_calls_are_spoilt(scope: Scope, echo: Any) -> None:
    exchange = faulty(echo, None, Fault("prose"))
    said = [exchange.chat(scope, "writer", HI).message["content"] for _ in range(3)]
    assert said[0] == said[2] == "Hi"
    assert said[1] not in ("Hi", "")
    assert exchange.injected == [(2, Fault("prose"))]
    assert len(echo.requests) == 2


def test_a_plan_may_look_at_the_request(scope: Scope, echo: Any) -> None:
    def plan(number: int, where: Scope, request: ChatRequest) -> Fault | None:
        return Fault("empty") if where.stage == "s2" and request == HI else None

    exchange = FaultyExchange(DirectExchange({"writer": echo}), plan)
    assert exchange.chat(scope, "writer", HI).message["content"] == "Hi"
    assert exchange.chat(Scope("s", "c", 0, "s2"), "writer", HI).message["content"] == ""


def test_json_stops_in_the_middle(scope: Scope, saying: Any) -> None:
    exchange = faulty(saying(lambda request: {"content": FACTS}), Fault("truncated"))
    reply = exchange.chat(scope, "writer", HI)
    assert FACTS.startswith(reply.message["content"])
    assert reply.finish_reason == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(reply.message["content"])


def test_keys_are_others_and_values_stay(scope: Scope, saying: Any) -> None:
    exchange = faulty(saying(lambda request: {"content": FACTS}), Fault("wrong-key"))
    spoilt = json.loads(exchange.chat(scope, "writer", HI).message["content"])
    assert list(spoilt.values()) == [["a fact"], {"facts": 1}]
    assert "facts" not in spoilt


@pytest.mark.parametrize("kind", ["truncated", "wrong-key"])
def test_tool_calls_are_spoilt_in_their_arguments(scope: Scope, saying: Any, kind: FaultKind) -> None:
    arguments = '{"content": "a fact"}'
    call = {"id": "1", "type": "function", "function": {"name": "store", "arguments": arguments}}
    exchange = faulty(saying(lambda request: {"tool_calls": [call]}), Fault(kind))
    function = exchange.chat(scope, "writer", HI).message["tool_calls"][0]["function"]
    assert function["name"] == "store"
    assert function["arguments"] != arguments
    assert function["arguments"].count("content") == (kind == "truncated")


def test_a_wrong_tool_is_one_that_was_not_offered(scope: Scope, echo: Any) -> None:
    reply = faulty(echo, Fault("wrong-tool")).chat(scope, "writer", HI)
    assert reply.finish_reason == "tool_calls"
    assert [call["function"]["name"] for call in reply.message["tool_calls"]] == [WRONG_TOOL]


def test_content_can_be_given(scope: Scope, echo: Any) -> None:
    reply = faulty(echo, Fault("content", '["a", "b"]')).chat(scope, "writer", HI)
    assert reply.message["content"] == '["a", "b"]'


def test_embeddings_can_fail_too(scope: Scope, ones: Any) -> None:
    exchange = FaultyExchange(DirectExchange({}, ones), {}, embeddings=frozenset({2}))
    exchange.embed(scope, ["x"])
    with pytest.raises(ServerError):
        exchange.embed(scope, ["x"])
    exchange.embed(scope, ["x"])


@pytest.mark.parametrize("kind", FAULTS)
def test_every_fault_reaches_a_client_of_the_gateway_at_once(
    scope: Scope, saying: Any, kind: FaultKind
) -> None:
    statuses = {"http-500": 500, "time-out": 504}
    model = saying(lambda request: {"content": FACTS})
    hi = [{"role": "user", "content": "Hi"}]
    with Gateway(faulty(model, Fault(kind, content="other"))) as gateway:
        connection = gateway.connect(scope)
        with openai.OpenAI(base_url=connection.base_url, api_key=connection.api_key) as client:
            began = time.monotonic()
            if kind in statuses:
                with pytest.raises(openai.APIStatusError) as caught:
                    client.chat.completions.create(model=CHAT_MODEL, messages=hi)
                assert caught.value.status_code == statuses[kind]
            else:
                answer = client.chat.completions.create(model=CHAT_MODEL, messages=hi)
                assert answer.choices[0].message.content != FACTS
            assert time.monotonic() - began < 5
        assert (connection.counts.errors, connection.counts.chat) == ((1, 0) if kind in statuses else (0, 1))


def test_a_client_with_a_shorter_time_out_sees_its_own(scope: Scope, echo: Any) -> None:
    exchange = faulty(echo, Fault("time-out", hold=30))
    with Gateway(exchange) as gateway:
        connection = gateway.connect(scope)
        with (
            openai.OpenAI(
                base_url=connection.base_url, api_key=connection.api_key, timeout=0.1, max_retries=0
            ) as client,
            pytest.raises(openai.APITimeoutError),
        ):
            client.chat.completions.create(model=CHAT_MODEL, messages=[{"role": "user", "content": "Hi"}])
        exchange.release()


def test_a_released_time_out_is_an_error_all_the_same(scope: Scope, echo: Any) -> None:
    exchange = faulty(echo, Fault("time-out", hold=30))
    exchange.release()
    with pytest.raises(ModelTimeoutError, match="on purpose"):
        exchange.chat(scope, "writer", HI)
