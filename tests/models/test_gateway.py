"""The gateway over the wire: what systems can ask of it, and what it says when it will not answer."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import numpy as np
import openai
import pytest

from memjoin.errors import MemJoinError
from memjoin.models.connection import Connection, Counts
from memjoin.models.direct import DirectExchange
from memjoin.models.errors import AuthenticationError, BadRequestError, ContextLengthError, RateLimitedError
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway, GatewayError
from memjoin.models.types import ChatReply, ChatRequest, Role, Scope, Vectors
from memjoin.models.wire import Sampling

HI = [{"role": "user", "content": "Hi"}]


class Noting:
    """An exchange that answers from doubles and keeps who asked."""

    def __init__(self, inner: DirectExchange) -> None:
        self.inner = inner
        self.calls: list[tuple[Scope, str]] = []
        self.error: Exception | None = None

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        self.calls.append((scope, role))
        if self.error:
            raise self.error
        return self.inner.chat(scope, role, request)

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        self.calls.append((scope, "embedder"))
        return self.inner.embed(scope, texts)


@pytest.fixture
def exchange(echo: Any, ones: Any) -> Noting:
    return Noting(DirectExchange({"writer": echo}, ones))


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway(DirectExchange({})) as running:
        yield running


@pytest.fixture
def connection(gateway: Gateway, exchange: Noting, scope: Scope) -> Iterator[Connection]:
    opened = gateway.connect(scope, exchange=exchange)
    yield opened
    opened.close()


@pytest.fixture
def client(connection: Connection) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=connection.base_url, api_key=connection.api_key) as opened:
        yield opened


def post(connection: Connection, path: str, body: bytes, key: str | None = None) -> tuple[int, Any, Any]:
    request = urllib.request.Request(f"{connection.base_url}{path}", body)
    request.add_header("authorization", f"Bearer {key or connection.api_key}")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, json.loads(error.read())


def test_a_chat_call_reaches_the_exchange_in_the_connections_name(
    client: openai.OpenAI, connection: Connection, exchange: Noting, echo: Any
) -> None:
    answer = client.chat.completions.create(
        model="gpt-whatever", messages=HI, temperature=1.0, seed=99, top_p=0.1, max_tokens=50
    )
    assert answer.choices[0].message.content == "Hi"
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.total_tokens == 8
    assert exchange.calls == [(connection.scope, "writer")]
    request = echo.requests[0]
    assert (request.model, request.messages) == (CHAT_MODEL, tuple(HI))
    assert request.parameters == {"temperature": 0.0, "seed": 0, "top_p": 0.1, "max_tokens": 50}
    assert request.asked == {"model": "gpt-whatever", "temperature": 1.0, "seed": 99}


def test_scope_and_sampling_can_change_between_calls(
    client: openai.OpenAI, connection: Connection, exchange: Noting, echo: Any
) -> None:
    client.chat.completions.create(model=CHAT_MODEL, messages=HI)
    connection.scope = Scope("mem0", "c2", 1, "retrieve")
    connection.sampling = Sampling(temperature=None, seed=7)
    client.chat.completions.create(model=CHAT_MODEL, messages=HI, temperature=0.5)
    assert exchange.calls[1][0] == Scope("mem0", "c2", 1, "retrieve")
    assert echo.requests[1].parameters == {"seed": 7}
    assert echo.requests[1].asked == {"temperature": 0.5}


def test_tools_and_schemas_pass_through(client: openai.OpenAI, connection: Connection, saying: Any) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "store", "arguments": '{"text": "é"}'}}
    model = saying(lambda request: {"tool_calls": [call]})
    connection.exchange = DirectExchange({"writer": model})
    schema = {
        "type": "json_schema",
        "json_schema": {"name": "s", "schema": {"type": "object"}, "strict": True},
    }
    tools = [{"type": "function", "function": {"name": "store", "parameters": {"type": "object"}}}]
    answer = client.chat.completions.create(
        model=CHAT_MODEL,
        messages=HI,
        tools=tools,
        tool_choice="required",
        parallel_tool_calls=False,
        response_format=schema,
    )
    choice = answer.choices[0]
    assert choice.finish_reason == "tool_calls"
    assert choice.message.tool_calls is not None
    assert choice.message.tool_calls[0].to_dict() == call
    sent = model.requests[0].parameters
    assert sent["tools"] == tools
    assert sent["response_format"] == schema
    assert (sent["tool_choice"], sent["parallel_tool_calls"]) == ("required", False)


@pytest.mark.parametrize("with_usage", [True, False])
def test_a_stream_gives_the_same_message_in_events(
    client: openai.OpenAI, connection: Connection, saying: Any, with_usage: bool
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    connection.exchange = DirectExchange(
        {"writer": saying(lambda r: {"content": "né", "tool_calls": [call]})}
    )
    options = {"include_usage": True} if with_usage else openai.omit
    chunks = list(
        client.chat.completions.create(model=CHAT_MODEL, messages=HI, stream=True, stream_options=options)
    )
    choices = [chunk.choices[0] for chunk in chunks if chunk.choices]
    assert choices[0].delta.content == "né"
    assert choices[0].delta.tool_calls is not None
    assert choices[0].delta.tool_calls[0].index == 0
    assert [choice.finish_reason for choice in choices] == [None, "tool_calls"]
    assert (chunks[-1].usage is not None) is with_usage
    assert connection.counts.chat == 1


@pytest.mark.parametrize("encoding", ["float", "base64", None])
def test_embeddings_come_in_both_encodings(
    client: openai.OpenAI, connection: Connection, encoding: Any
) -> None:
    options = {"encoding_format": encoding} if encoding else {}
    answer = client.embeddings.create(model=EMBEDDING_MODEL, input=["a", "bc"], **options)
    vectors = [row.embedding for row in answer.data]
    if encoding == "base64":
        raw = post(
            connection, "/embeddings", json.dumps({"input": "a", "encoding_format": "base64"}).encode()
        )
        assert isinstance(raw[2]["data"][0]["embedding"], str)
    else:
        assert np.allclose(np.array(vectors), np.eye(4)[[1, 2]])
    assert connection.counts.texts == 2 + (encoding == "base64")


def test_the_models_are_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == [CHAT_MODEL, EMBEDDING_MODEL]


def test_counts_are_the_connections_own(
    client: openai.OpenAI, connection: Connection, gateway: Gateway, scope: Scope
) -> None:
    other = gateway.connect(scope)
    client.chat.completions.create(model=CHAT_MODEL, messages=HI)
    before = connection.counts
    client.embeddings.create(model=EMBEDDING_MODEL, input="four")
    assert before == Counts(chat=1, input_tokens=5, output_tokens=3)
    assert connection.counts - before == Counts(embeddings=1, texts=1, input_tokens=1)
    assert other.counts == Counts()


def test_a_key_that_is_not_open_is_refused(connection: Connection) -> None:
    body = json.dumps({"messages": HI}).encode()
    status, _, answer = post(connection, "/chat/completions", body, key="another")
    assert (status, answer["error"]["code"]) == (401, "invalid_api_key")
    connection.close()
    assert post(connection, "/chat/completions", body)[0] == 401
    assert connection.counts == Counts()


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("/chat/completions", b"{", "not JSON"),
        ("/chat/completions", b"\xff", "not JSON"),
        ("/chat/completions", b"[]", "JSON object"),
        ("/chat/completions", b"{}", "'messages'"),
        ("/chat/completions", b'{"messages": []}', "at least one"),
        ("/chat/completions", b'{"messages": ["hi"]}', "messages[0]"),
        ("/chat/completions", b'{"messages": [{"role": "user"}], "n": 2}', "'n' must be 1"),
        ("/embeddings", b"[]", "JSON object"),
        ("/embeddings", b'{"input": []}', "'input'"),
        ("/embeddings", b'{"input": [[1, 2]]}', "check_embedding_ctx_length"),
        ("/embeddings", b'{"input": "a", "encoding_format": "int8"}', "'int8'"),
        ("/embeddings", b'{"input": "a", "dimensions": "4"}', "whole number"),
        ("/embeddings", b'{"input": "a", "dimensions": 8}', "4 dimensions; 8 were asked for"),
    ],
)
def test_an_ill_formed_request_is_refused_in_openais_form(
    connection: Connection, path: str, body: bytes, says: str
) -> None:
    status, headers, answer = post(connection, path, body)
    assert status == 400
    assert says in answer["error"]["message"]
    assert answer["error"]["type"] == "invalid_request_error"
    assert headers["x-should-retry"] == "false"
    assert connection.counts == Counts(errors=1)
    assert [type(error) for error in connection.take_errors()] == [BadRequestError]


@pytest.mark.parametrize(("path", "status"), [("/responses", 404), ("/completions", 404), ("/models", 405)])
def test_an_unknown_address_says_what_there_is(connection: Connection, path: str, status: int) -> None:
    got, _, answer = post(connection, path, b"{}")
    assert got == status
    assert f"POST /v1{path}" in answer["error"]["message"]
    assert "/v1/chat/completions" in answer["error"]["message"]
    assert connection.counts.errors == 1


def test_a_context_window_is_enforced_with_the_standard_error(
    client: openai.OpenAI, connection: Connection, exchange: Noting
) -> None:
    connection.context_window = 20
    client.chat.completions.create(model=CHAT_MODEL, messages=[{"role": "user", "content": "x" * 64}])
    with pytest.raises(openai.BadRequestError, match="maximum context length is 20 tokens") as caught:
        client.chat.completions.create(model=CHAT_MODEL, messages=[{"role": "user", "content": "x" * 65}])
    assert caught.value.code == "context_length_exceeded"
    assert len(exchange.calls) == 1
    assert [type(error) for error in connection.take_errors()] == [ContextLengthError]


def test_a_models_error_comes_once_with_its_status(
    client: openai.OpenAI, connection: Connection, exchange: Noting
) -> None:
    exchange.error = RateLimitedError("Turned away.", "Later.")
    with pytest.raises(openai.RateLimitError, match="Turned away"):
        client.chat.completions.create(model=CHAT_MODEL, messages=HI)
    assert len(exchange.calls) == 1  # the framework's client did not try again
    assert connection.take_errors() == [exchange.error]
    assert connection.take_errors() == []


def test_other_failures_are_kept_for_whoever_opened_the_connection(
    client: openai.OpenAI, connection: Connection, exchange: Noting
) -> None:
    exchange.error = MemJoinError("The disk is full.")
    with pytest.raises(openai.InternalServerError, match="The disk is full"):
        client.chat.completions.create(model=CHAT_MODEL, messages=HI)
    exchange.error = ZeroDivisionError("a mistake of ours")
    with pytest.raises(openai.InternalServerError, match="a mistake of ours"):
        client.chat.completions.create(model=CHAT_MODEL, messages=HI)
    assert [type(error) for error in connection.take_errors()] == [MemJoinError, ZeroDivisionError]


def test_only_the_latest_errors_are_kept(connection: Connection) -> None:
    for number in range(150):
        connection.count_error(AuthenticationError(str(number)))
    kept = connection.take_errors()
    assert (len(kept), str(kept[-1])) == (100, "149")
    assert connection.counts.errors == 150


def test_text_of_every_kind_survives(client: openai.OpenAI, echo: Any) -> None:
    text = 'naïve 日本語 \U0001f600 \x00 \u2028 " \\ ' + "x" * 200_000
    answer = client.chat.completions.create(model=CHAT_MODEL, messages=[{"role": "user", "content": text}])
    assert answer.choices[0].message.content == text
    assert echo.requests[0].messages[0]["content"] == text


def test_a_lone_surrogate_survives(connection: Connection) -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "a\ud800b"}]}).encode()
    status, _, answer = post(connection, "/chat/completions", body)
    assert (status, answer["choices"][0]["message"]["content"]) == (200, "a\ud800b")


def test_calls_are_answered_at_once_not_in_turn(
    connection: Connection, client: openai.OpenAI, saying: Any
) -> None:
    meeting = threading.Barrier(4, timeout=20)

    def meet(request: ChatRequest) -> dict[str, Any]:
        meeting.wait()
        return {"content": "met"}

    connection.exchange = DirectExchange({"writer": saying(meet)})
    threads = [
        threading.Thread(target=client.chat.completions.create, kwargs={"model": CHAT_MODEL, "messages": HI})
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert connection.counts.chat == 4


def test_a_port_in_use_is_an_error_that_names_it(exchange: Noting) -> None:
    with Gateway(exchange) as first:
        port = int(first.base_url.split(":")[2].split("/")[0])
        with pytest.raises(GatewayError, match=f"port {port}.*in use"):
            Gateway(exchange, port=port).start()
    second = Gateway(exchange, port=port)
    second.start()
    second.close()


def test_closing_ends_calls_under_way_at_once(
    scope: Scope, saying: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    arrived, over = threading.Event(), threading.Event()

    def wait(request: ChatRequest) -> dict[str, Any]:
        arrived.set()
        over.wait(30)
        return {"content": "too late"}

    gateway = Gateway(DirectExchange({"writer": saying(wait)}))
    gateway.start()
    connection = gateway.connect(scope)
    answers: list[int] = []
    caller = threading.Thread(
        target=lambda: answers.append(
            post(connection, "/chat/completions", json.dumps({"messages": HI}).encode())[0]
        )
    )
    caller.start()
    assert arrived.wait(20)
    began = time.monotonic()
    gateway.close()
    assert time.monotonic() - began < 1.5
    caller.join()
    over.set()
    assert answers == [503]
    assert capfd.readouterr().err == ""


def test_closing_leaves_no_thread_behind_and_may_be_repeated(
    exchange: Noting, scope: Scope, echo: Any
) -> None:
    before = set(threading.enumerate())
    gateway = Gateway(exchange)
    gateway.start()
    connection = gateway.connect(scope)
    post(connection, "/chat/completions", json.dumps({"messages": HI}).encode())
    assert len(echo.requests) == 1
    gateway.close()
    gateway.close()
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(timeout=10)
    assert not [thread for thread in left if thread.is_alive()]
    with pytest.raises(urllib.error.URLError):
        post(connection, "/chat/completions", b"{}")
