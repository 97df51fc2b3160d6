"""The client against a real endpoint on loopback: what comes back, and what is said of what goes wrong."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from endpoint import well_formed
from memjoin.models import errors
from memjoin.models.client import RemoteChat, RemoteEmbedder
from memjoin.models.names import parse_name
from memjoin.models.types import ChatRequest

KEY = "planted-0123456789"
HELLO = ChatRequest("whatever", ({"role": "user", "content": "Hi"},), {"temperature": 0, "seed": 3})
SOON = {"retry-after-ms": "1"}

Chats = Callable[..., RemoteChat]


@pytest.fixture
def chat(endpoint: Any) -> Iterator[Chats]:
    made: list[RemoteChat] = []

    def make(base_url: str = endpoint.base_url, *, key: str = KEY, **options: Any) -> RemoteChat:
        options = {"timeout": 5.0, "max_retries": 0} | options
        made.append(RemoteChat(parse_name(f"{base_url}#the-model"), "writer", key, **options))
        return made[-1]

    yield make
    for model in made:
        model.close()


def test_a_reply_is_read_and_the_request_goes_out_as_it_is(chat: Chats, endpoint: Any) -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    request = ChatRequest("whatever", HELLO.messages, HELLO.parameters | {"tools": tools, "odd_one": [1]})
    reply = chat().complete(request)
    assert reply.message == {"role": "assistant", "content": "Hello."}
    assert (reply.finish_reason, reply.model) == ("stop", "served-model")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.estimated) == (7, 2, False)
    path, headers, body = endpoint.requests[0]
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "the-model",
        "messages": [{"role": "user", "content": "Hi"}],
        "temperature": 0,
        "seed": 3,
        "tools": tools,
        "odd_one": [1],
    }


def test_a_model_that_nobody_holds_any_more_leaves_no_connection_open(endpoint: Any) -> None:
    gc.collect()
    gc.disable()
    try:
        model = RemoteChat(parse_name(f"{endpoint.base_url}#the-model"), "writer", KEY)
        model.complete(HELLO)
        (connection,) = [found for found in gc.get_objects() if _is_open_to(found, endpoint.base_url)]
        del model
        assert connection.fileno() == -1
    finally:
        gc.enable()


def _is_open_to(found: object, base_url: str) -> bool:
    if not isinstance(found, socket.socket) or found.fileno() == -1:
        return False
    try:
        return f":{found.getpeername()[1]}/" in base_url
    except OSError:
        return False


def test_the_environments_account_goes_to_no_other_endpoint(
    chat: Chats, endpoint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-environment")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    chat(key="").complete(HELLO)
    assert not any("environment" in value for value in endpoint.requests[0][1].values())


@pytest.mark.parametrize(
    ("status", "kind", "stops"),
    [
        (401, errors.AuthenticationError, True),
        (403, errors.AuthenticationError, True),
        (404, errors.UnknownModelError, True),
        (400, errors.BadRequestError, False),
        (422, errors.BadRequestError, False),
        (429, errors.RateLimitedError, False),
        (500, errors.ServerError, False),
        (503, errors.ServerError, False),
    ],
)
def test_each_status_has_its_error(
    chat: Chats, endpoint: Any, answer_of: Any, status: int, kind: type[errors.ModelError], stops: bool
) -> None:
    said = {"error": {"message": "The words of the endpoint.", "type": "t", "param": None, "code": "c"}}
    endpoint.answers = [answer_of(status, said)]
    with pytest.raises(errors.ModelError) as caught:
        chat().complete(HELLO)
    assert type(caught.value) is kind
    assert caught.value.stops_run is stops
    for part in ("writer", "the-model", endpoint.base_url, "The words of the endpoint.", str(status)):
        assert part in str(caught.value)


def test_an_empty_account_stops_the_run(chat: Chats, endpoint: Any, answer_of: Any) -> None:
    endpoint.answers = [answer_of(429, {"error": {"message": "Pay.", "code": "insufficient_quota"}})]
    with pytest.raises(errors.QuotaError, match="Pay") as caught:
        chat().complete(HELLO)
    assert caught.value.stops_run


def test_a_rate_limit_is_waited_out_as_long_as_the_endpoint_says(
    chat: Chats, endpoint: Any, answer_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("openai._base_client.time.sleep", waited.append)
    endpoint.answers = [answer_of(429, {"error": {"message": "Slow."}}, {"retry-after": "7"})] * 2
    assert chat(max_retries=2).complete(HELLO).message["content"] == "Hello."
    assert waited == [7.0, 7.0]
    assert len(endpoint.requests) == 3


def test_a_servers_error_is_tried_again_until_the_retries_are_used_up(
    chat: Chats, endpoint: Any, answer_of: Any
) -> None:
    endpoint.answers = [answer_of(502, "<html>Bad gateway</html>", SOON)] * 3
    with pytest.raises(errors.ServerError, match="Bad gateway"):
        chat(max_retries=2).complete(HELLO)
    assert len(endpoint.requests) == 3


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that were waited, without waiting: `time.sleep` is one for the client and for ours."""
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    return waited


@pytest.mark.parametrize(
    "body",
    ["", "<html>Busy</html>", '{"choices": [{"mess', "[]", '{"error": {"message": "busy", "code": 429}}'],
)
def test_an_answer_that_is_none_is_asked_for_again(
    chat: Chats, endpoint: Any, answer_of: Any, pauses: list[float], body: str
) -> None:
    endpoint.answers = [answer_of(200, body)] * 2
    assert chat(max_retries=2).complete(HELLO).message["content"] == "Hello."
    assert pauses == [0.5, 1.0]
    endpoint.answers = [answer_of(200, body)] * 6
    with pytest.raises(errors.ModelError):
        chat(max_retries=5).complete(HELLO)
    assert pauses[2:] == [0.5, 1.0, 2.0, 4.0, 8.0]


def test_an_endpoint_that_wants_not_to_be_asked_again_is_not(
    chat: Chats, endpoint: Any, answer_of: Any
) -> None:
    endpoint.answers = [answer_of(200, "pong", {"x-should-retry": "false"})]
    with pytest.raises(errors.NotAnApiError):
        chat(max_retries=5).complete(HELLO)
    assert len(endpoint.requests) == 1


def test_a_reply_that_repeats_the_key_does_not_bring_it_into_the_record(
    chat: Chats, endpoint: Any, answer_of: Any
) -> None:
    message = {"role": "assistant", "content": f"You sent Bearer {KEY}."}
    endpoint.answers = [answer_of(200, {"choices": [{"message": message}]})] * 2
    assert chat().complete(HELLO).message["content"] == "You sent Bearer [key]."
    assert chat(key="sent").complete(HELLO).message["content"] == f"You sent Bearer {KEY}."


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (200, "<!doctype html><title>Welcome</title>", "it sent HTML"),
        (404, "<html>nginx</html>", "HTTP 404 and no OpenAI-compatible error"),
        (200, "", "it sent nothing at all"),
        (200, "pong", "it sent no JSON"),
        (200, "[1]", "JSON that is no object"),
        (200, '{"status": "ok"}', "JSON without a choice"),
        (200, '{"choices": []}', "JSON without a choice"),
        (200, '{"choices": [{"message": {"content": 3}}]}', "malformed"),
        (200, '{"choices": [{"message": {"content": "x", "tool_calls": [{"id": "1"}]}}]}', "malformed"),
    ],
)
def test_what_is_no_api_is_named(
    chat: Chats, endpoint: Any, answer_of: Any, status: int, body: str, says: str
) -> None:
    endpoint.answers = [
        answer_of(status, body, content_type="text/html" if "<" in body else "application/json")
    ]
    with pytest.raises(errors.NotAnApiError) as caught:
        chat().complete(HELLO)
    assert says in str(caught.value)
    assert "/v1" in caught.value.hint


def test_an_error_under_a_good_status_is_an_error(chat: Chats, endpoint: Any, answer_of: Any) -> None:
    endpoint.answers = [answer_of(200, {"error": {"message": "Upstream is busy.", "code": 429}})]
    with pytest.raises(errors.RateLimitedError, match="Upstream is busy"):
        chat().complete(HELLO)
    endpoint.answers = [answer_of(200, {"error": "down"})]
    with pytest.raises(errors.ServerError, match="down"):
        chat().complete(HELLO)


@pytest.mark.parametrize(
    "said",
    [
        {"message": "Too long.", "code": "context_length_exceeded"},
        {"message": "This model's maximum context length is 10 tokens."},
        {"message": "prompt is too long: 300 tokens", "type": "invalid_request_error"},
    ],
)
def test_a_prompt_that_is_too_long_has_an_error_of_its_own(
    chat: Chats, endpoint: Any, answer_of: Any, said: dict[str, str]
) -> None:
    endpoint.answers = [answer_of(400, {"error": said})]
    with pytest.raises(errors.ContextLengthError) as caught:
        chat().complete(HELLO)
    assert caught.value.body()["error"]["code"] == "context_length_exceeded"


def test_a_parameter_that_the_model_refuses_is_left_out_from_then_on(
    chat: Chats, endpoint: Any, answer_of: Any
) -> None:
    said = {"message": "Unsupported value: 'temperature' does not support 0.", "param": "temperature"}
    endpoint.answers = [answer_of(400, {"error": said})]
    model = chat()
    model.complete(HELLO)
    model.complete(HELLO)
    assert model.dropped == {"temperature"}
    assert model.complete(HELLO).dropped == ("temperature",)
    assert model.complete(ChatRequest("m", HELLO.messages, {"seed": 3})).dropped == ()
    assert ["temperature" in body for _, _, body in endpoint.requests] == [True] + [False] * 4
    assert all(body["seed"] == 3 for _, _, body in endpoint.requests)


def test_a_refusal_that_leaving_out_does_not_mend_is_raised(
    chat: Chats, endpoint: Any, answer_of: Any
) -> None:
    said = {"message": "Unsupported parameter: 'temperature'."}
    endpoint.answers = [answer_of(400, {"error": said})] * 2
    with pytest.raises(errors.BadRequestError):
        chat().complete(HELLO)
    assert len(endpoint.requests) == 2


def test_a_time_out_is_told_from_other_failures(chat: Chats, endpoint: Any, answer_of: Any) -> None:
    endpoint.answers = [answer_of(hang=True)]
    with pytest.raises(errors.ModelTimeoutError, match="No answer in time"):
        chat(timeout=0.05).complete(HELLO)


def test_blanks_that_keep_the_connection_alive_do_not_put_the_time_out_off(
    chat: Chats, endpoint: Any, answer_of: Any
) -> None:
    endpoint.answers = [answer_of(body=well_formed("/chat/completions", {}), blanks=200)]
    with pytest.raises(errors.ModelTimeoutError, match="No answer in time"):
        chat(timeout=0.3).complete(HELLO)
    endpoint.answers = [answer_of(body=well_formed("/chat/completions", {}), blanks=2)]
    assert chat().complete(HELLO).message["content"] == "Hello."


def test_a_refused_connection_names_the_address(chat: Chats) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(errors.UnreachableError) as caught:
        chat(f"http://127.0.0.1:{port}/v1").complete(HELLO)
    assert f"127.0.0.1:{port}" in str(caught.value)
    assert "refused" in str(caught.value)
    assert caught.value.stops_run


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 200])
def test_no_message_holds_the_key(chat: Chats, endpoint: Any, answer_of: Any, status: int) -> None:
    said = f"Incorrect API key provided: {KEY}. Authorization: Bearer {KEY}; see ?api_key={KEY}"
    endpoint.answers = [answer_of(status, {"error": {"message": said}}), answer_of(status, said)]
    for _ in range(2):
        with pytest.raises(errors.ModelError) as caught:
            chat().complete(HELLO)
        assert KEY not in str(caught.value)
        assert KEY not in repr(caught.value.body())
        # A chained error would bring the client's own words into a traceback.
        assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_calls_at_once_stay_below_the_endpoints_limit(chat: Chats, endpoint: Any) -> None:
    model = chat(concurrency=1)
    other = chat(concurrency=9)
    limit = model._endpoint._limit
    assert other._endpoint._limit is limit
    with limit:
        assert not limit.acquire(blocking=False)
    model.complete(HELLO)
    assert limit.acquire(blocking=False)
    limit.release()


class TestEmbedder:
    @pytest.fixture
    def embedder(self, endpoint: Any) -> Iterator[RemoteEmbedder]:
        model = RemoteEmbedder(parse_name(f"{endpoint.base_url}#e"), KEY, max_retries=0)
        yield model
        model.close()

    def test_vectors_are_unit_vectors_in_the_order_of_the_texts(
        self, embedder: RemoteEmbedder, endpoint: Any, answer_of: Any
    ) -> None:
        rows = [{"index": 1, "embedding": [0, 5]}, {"index": 0, "embedding": [3, 4]}]
        endpoint.answers = [answer_of(200, {"data": rows})]
        vectors = embedder.embed(["a", "b"])
        assert vectors.dtype == np.float32
        assert np.allclose(vectors, [[0.6, 0.8], [0, 1]])

    def test_dimensions_are_asked_for_once(self, embedder: RemoteEmbedder, endpoint: Any) -> None:
        assert endpoint.requests == []
        assert (embedder.dimensions, embedder.dimensions) == (3, 3)
        assert len(endpoint.requests) == 1
        assert embedder.embed([]).shape == (0, 3)

    def test_many_texts_go_in_batches_and_empty_ones_as_a_space(
        self, embedder: RemoteEmbedder, endpoint: Any
    ) -> None:
        assert embedder.embed([""] * 300).shape == (300, 3)
        assert [len(body["input"]) for _, _, body in endpoint.requests] == [128, 128, 44]
        assert endpoint.requests[0][2]["input"][0] == " "

    @pytest.mark.parametrize(
        "body",
        [
            {"data": []},
            {"data": [{"embedding": [1.0]}]},
            {"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]},
            {"data": [{"embedding": "AAAA"}, {"embedding": "AAAA"}]},
            {"data": [{"embedding": [0.0]}, {"embedding": [1.0]}]},
            {"data": [{"embedding": [1e999]}, {"embedding": [1.0]}]},
            {"data": [{"index": 0}, {"index": 1}]},
        ],
    )
    def test_what_is_no_vector_for_each_text_is_refused(
        self, embedder: RemoteEmbedder, endpoint: Any, answer_of: Any, body: dict[str, Any]
    ) -> None:
        endpoint.answers = [answer_of(200, body)]
        with pytest.raises(errors.NotAnApiError):
            embedder.embed(["a", "b"])

    def test_errors_name_the_role(self, embedder: RemoteEmbedder, endpoint: Any, answer_of: Any) -> None:
        endpoint.answers = [answer_of(401, {"error": {"message": f"bad {KEY}"}})]
        with pytest.raises(errors.AuthenticationError, match="embedder model e at") as caught:
            embedder.embed(["a"])
        assert KEY not in str(caught.value)
