"""A local endpoint that speaks OpenAI's protocol, or whatever a test has it say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    status: int = 200
    body: str | bytes | dict[str, Any] = ""
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    hang: bool = False
    blanks: int = 0
    """How many of them come before the body, one every hundredth of a second."""


class Endpoint:
    """Gives its scripted answers in turn, then those of ``say``; keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.say: Callable[[str, dict[str, Any]], Answer] = lambda path, body: Answer(
            body=well_formed(path, body)
        )
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
        answer = self.answers.pop(0) if self.answers else self.say(handler.path, body)
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
        handler.send_header("content-length", str(answer.blanks + len(raw)))
        handler.end_headers()
        try:
            for _ in range(answer.blanks):
                handler.wfile.write(b" ")
                self.released.wait(0.01)
            handler.wfile.write(raw)
        except ConnectionError:
            handler.close_connection = True

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def well_formed(path: str, body: dict[str, Any], content: str = "Hello.") -> dict[str, Any]:
    """Return a reply as the protocol has it, a chat's with the given content."""
    if path.endswith("/embeddings"):
        rows = [
            {"object": "embedding", "index": i, "embedding": [3.0, 4.0, float(len(text)) * 0]}
            for i, text in enumerate(body["input"])
        ]
        return {"object": "list", "data": rows[::-1], "model": body["model"], "usage": {}}
    message = {"role": "assistant", "content": content}
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "served-model",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }
