"""The small client of the gateway, against the gateway and against servers that misbehave."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from memjoin.models.types import Embedder
from memjoin.systems.endpoint import Endpoint, EndpointError
from memjoin.systems.protocol import Settings

Answer = Callable[[BaseHTTPRequestHandler, bytes], None]


@contextmanager
def server(answer: Answer, timeout: float = 10.0) -> Iterator[Endpoint]:
    """Serve every POST by a function, and give a client of it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            answer(self, self.rfile.read(int(self.headers["Content-Length"])))

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        settings = Settings(f"http://127.0.0.1:{http.server_port}/v1", "secret", "chat", "emb", 2, "")
        endpoint = Endpoint(settings, timeout)
        try:
            yield endpoint
        finally:
            endpoint.close()
            http.shutdown()
            thread.join()


def reply(status: int, body: object) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def answer(handler: BaseHTTPRequestHandler, request: bytes) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def test_chat_sends_what_it_should_and_returns_the_message() -> None:
    seen: list[tuple[str, str | None, dict[str, object]]] = []
    message = {"role": "assistant", "content": "é"}

    def answer(handler: BaseHTTPRequestHandler, request: bytes) -> None:
        seen.append((handler.path, handler.headers["Authorization"], json.loads(request)))
        reply(200, {"choices": [{"message": message, "finish_reason": "stop"}]})(handler, request)

    with server(answer) as endpoint:
        assert endpoint.chat([{"role": "user", "content": "Zoë"}], temperature=0) == message
        assert endpoint.calls == 1
    body = {"model": "chat", "messages": [{"role": "user", "content": "Zoë"}], "temperature": 0}
    assert seen == [("/v1/chat/completions", "Bearer secret", body)]


def test_embeddings_of_the_gateway(gateway_settings: Settings, embedder: Embedder) -> None:
    endpoint = Endpoint(gateway_settings)
    vectors = endpoint.embed(["one", "two"])
    endpoint.close()
    expected = embedder.embed(["one", "two"])
    assert np.array_equal(np.array(vectors, dtype=np.float32), expected)


def test_embeddings_as_lists_and_out_of_order() -> None:
    rows = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1.0, 0.5]}]
    with server(reply(200, {"data": rows})) as endpoint:
        assert endpoint.embed(["a", "b"]) == [[1.0, 0.5], [0.0, 1.0]]
        assert endpoint.embed([]) == []
        with pytest.raises(EndpointError, match="3 texts were sent, 2 vectors came back"):
            endpoint.embed(["a", "b", "c"])


@pytest.mark.parametrize(
    ("answer", "message", "status", "code"),
    [
        (reply(500, {"error": {"message": "no", "code": None}}), "HTTP 500: no", 500, None),
        (
            reply(400, {"error": {"message": "long", "code": "context_length_exceeded"}}),
            "HTTP 400: long",
            400,
            "context_length_exceeded",
        ),
        (reply(502, b"<html>"), "HTTP 502: the answer is not JSON", 502, None),
        (reply(500, ["no"]), "HTTP 500", 500, None),
        (reply(200, b""), "HTTP 200: the answer is not JSON", 200, None),
        (reply(200, {"choices": []}), "the answer holds no message", 200, None),
        (reply(200, {"choices": [{"message": None}]}), "the answer's message is no object", 200, None),
    ],
)
def test_bad_answers(answer: Answer, message: str, status: int, code: str | None) -> None:
    with server(answer) as endpoint:
        with pytest.raises(EndpointError) as raised:
            endpoint.chat([])
        assert (str(raised.value), raised.value.status, raised.value.code) == (message, status, code)
        assert endpoint.calls == 1


@pytest.mark.parametrize(
    "rows", [None, [{}], [{"index": 0, "embedding": "%%"}], [{"index": 0, "embedding": 1}]]
)
def test_bad_vectors(rows: object) -> None:
    with (
        server(reply(200, {"data": rows})) as endpoint,
        pytest.raises(EndpointError, match="holds no vectors"),
    ):
        endpoint.embed(["a"])


def test_a_connection_that_was_closed_meanwhile_is_opened_again() -> None:
    requests: list[bytes] = []

    def answer(handler: BaseHTTPRequestHandler, request: bytes) -> None:
        requests.append(request)
        if len(requests) == 2:
            handler.close_connection = True
            return
        reply(200, {"choices": [{"message": {"content": str(len(requests))}}]})(handler, request)

    with server(answer) as endpoint:
        assert endpoint.chat([]) == {"content": "1"}
        assert endpoint.chat([]) == {"content": "3"}


def test_a_server_that_hangs_up_at_once() -> None:
    def answer(handler: BaseHTTPRequestHandler, request: bytes) -> None:
        handler.close_connection = True

    with server(answer) as endpoint, pytest.raises(EndpointError, match="connection was closed"):
        endpoint.chat([])


def test_a_server_that_does_not_answer() -> None:
    release = threading.Event()

    def answer(handler: BaseHTTPRequestHandler, request: bytes) -> None:
        release.wait(10)
        handler.close_connection = True

    with server(answer, timeout=0.2) as endpoint:
        with pytest.raises(EndpointError, match="no answer: timed out") as raised:
            endpoint.chat([])
        release.set()
    assert raised.value.status is None


def test_no_server(settings: Settings) -> None:
    with pytest.raises(EndpointError, match="no answer"):
        Endpoint(settings).chat([])


def test_an_address_that_is_none() -> None:
    with pytest.raises(ValueError, match="must begin with http://"):
        Endpoint(Settings("https://example.org/v1", "k", "c", "e", 2, ""))
