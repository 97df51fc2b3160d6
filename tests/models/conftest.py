"""A local endpoint that speaks OpenAI's protocol, or whatever a test has it say, and plain model doubles."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from memjoin.models.types import ChatReply, ChatRequest, Scope, Usage, Vectors

SCOPE = Scope("some-system", "a-case", 0, "s1")


@dataclass
class Answer:
    status: int = 200
    body: str | bytes | dict[str, Any] = ""
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    hang: bool = False


class Endpoint:
    """Gives its scripted answers in turn, then well-formed ones; keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.released = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"]))
                endpoint.serve(self, json.loads(raw))

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def serve(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        self.requests.append((handler.path, {k.lower(): v for k, v in handler.headers.items()}, body))
        answer = self.answers.pop(0) if self.answers else Answer(body=well_formed(handler.path, body))
        if answer.hang:
            handler.close_connection = True
            self.released.wait()
            return
        content = answer.body
        raw = (
            content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else None
        )
        raw = json.dumps(content).encode() if raw is None else raw
        handler.send_response(answer.status)
        for name, value in ({"content-type": answer.content_type} | answer.headers).items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(raw)))
        handler.end_headers()
        handler.wfile.write(raw)

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def well_formed(path: str, body: dict[str, Any]) -> dict[str, Any]:
    if path.endswith("/embeddings"):
        rows = [
            {"object": "embedding", "index": i, "embedding": [3.0, 4.0, float(len(text)) * 0]}
            for i, text in enumerate(body["input"])
        ]
        return {"object": "list", "data": rows[::-1], "model": body["model"], "usage": {}}
    message = {"role": "assistant", "content": "Hello."}
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "served-model",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    yield server
    server.close()


@pytest.fixture
def answer_of() -> type[Answer]:
    return Answer


class Echo:
    """A chat model that says what the last message said, or what it is given to say."""

    name = "echo"
    deterministic = True
    embedded = False

    def __init__(self, say: Callable[[ChatRequest], dict[str, Any]] | None = None) -> None:
        self.requests: list[ChatRequest] = []
        self._say = say

    def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        message = self._say(request) if self._say else {"content": request.messages[-1]["content"]}
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        return ChatReply({"role": "assistant", "content": None} | message, finish, Usage(5, 3), "echo")


class Ones:
    """An embedder of four dimensions: one axis for a text's length, by remainder."""

    name = "ones"
    dimensions = 4
    embedded = False

    def embed(self, texts: list[str]) -> Vectors:
        return np.eye(4, dtype=np.float32)[[len(text) % 4 for text in texts]]


@pytest.fixture
def scope() -> Scope:
    return SCOPE


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
def saying() -> type[Echo]:
    return Echo


@pytest.fixture
def ones() -> Ones:
    return Ones()
