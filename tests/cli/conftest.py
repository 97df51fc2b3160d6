"""The command line in this process, an endpoint that counts, and a memory system of one's own."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memjoin.cli import main

PROGRAM = """
import json, pathlib, sys

records, here = [], pathlib.Path(__file__).parent
for line in sys.stdin:
    call = json.loads(line)
    params, result, fault = call["params"], None, ""
    if call["call"] == "start":
        result = {"protocol": 1}
    elif call["call"] == "reset":
        records = []
    elif call["call"] == "write":
        if (here / "fault").exists():
            fault = (here / "fault").read_text()
        session = params["session"]
        records += [
            {"id": f"{session['id']}/{n}", "text": f"[{session['at']}] {turn['text']}"}
            for n, turn in enumerate(session["turns"]) if turn["speaker"] == "user"
        ]
        result = {"added": len(records)}
    elif call["call"] == "export":
        result = records
    elif call["call"] == "retrieve":
        result = records[: params["k"]]
    if fault == "dies":
        print("out of cheese", file=sys.stderr)
        sys.exit(3)
    if fault == "hangs":
        sys.stdin.read()
    if fault == "garbage":
        print("hello there", flush=True)
    if fault == "raises":
        print(json.dumps({"id": call["id"], "error": {"type": "ValueError", "message": "no cheese"}}))
    if fault == "ill-formed":
        result = {"added": "many"}
    print(json.dumps({"id": call["id"], "result": result}), flush=True)
"""


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture
def memjoin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Call the command line as a shell would, in an empty folder, without any key."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MEMJOIN_API_KEY", "UV_RUN_RECURSION_DEPTH"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["memjoin", *arguments])
        capsys.readouterr()
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        else:
            code = 0
        printed = capsys.readouterr()
        return Said(code, printed.out, printed.err)

    return call


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    """Write a memory system as a program; returns its name for ``--system``. ``fault`` may be changed."""

    def write(fault: str = "") -> str:
        path = tmp_path / "own_memory.py"
        path.write_text(PROGRAM)
        (tmp_path / "fault").write_text(fault)
        return f"exec: {sys.executable} {path}"

    return write


GOOD = ("fine", "slow", "prose")


class Provider:
    """An OpenAI-compatible endpoint. Its replies depend on what is asked, never on when.

    ``mode`` says how it answers: ``fine``; an HTTP status, with ``later`` behind it also with a Retry-After
    of seven seconds; ``html``; ``empty``; ``half`` of a reply; ``cut``: half of it, and it hangs up;
    ``nothing``: it hangs up at once; ``never``; ``slow``; ``prose`` where JSON was asked for. ``fault`` may
    choose another mode for a request, given its body and how often that came before. ``refuses`` names a
    parameter that it takes no request with; ``quotes`` has it repeat the Authorization header in all that it
    says. ``answered`` counts requests by their body; ``on_request`` is called with their number before an
    answer.
    """

    def __init__(self) -> None:
        self.mode = "fine"
        self.fault: Callable[[bytes, int], str | None] = lambda raw, before: None
        self.refuses = ""
        self.quotes = False
        self.asked: Counter[bytes] = Counter()
        self.authorized: Counter[str] = Counter()
        self._closed = threading.Event()
        self.answered: Counter[str] = Counter()
        self.on_request: Callable[[int], None] = lambda number: None
        self._lock = threading.Lock()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                provider._serve(self, self.rfile.read(int(self.headers["content-length"])))

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # whoever asked was killed

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def model(self, name: str = "m") -> str:
        return f"{self.url}#{name}"

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _serve(self, handler: BaseHTTPRequestHandler, raw: bytes) -> None:
        body = json.loads(raw)
        with self._lock:
            number = sum(self.answered.values()) + 1
            injected = self.fault(raw, self.asked[raw])
            self.asked[raw] += 1
            refused = self.refuses in body
            if (injected or self.mode) in GOOD and not refused:
                self.answered[f"{handler.path} {json.dumps(body, sort_keys=True)}"] += 1
        self.on_request(number)
        mode = injected or self.mode  # which may be another by now
        if mode == "never":
            self._closed.wait()
        if mode in ("nothing", "never"):
            handler.close_connection = True
            return
        if mode == "slow":
            self._closed.wait(0.02)
        self.authorized[handler.headers["authorization"]] += 1
        said = handler.headers["authorization"] if self.quotes else ""
        status, kind = 200, "application/json"
        if refused:
            status = 400
            content = json.dumps({"error": {"message": f"{self.refuses} is not supported with this model"}})
        elif mode in GOOD or mode in ("half", "cut"):
            content = json.dumps(reply(handler.path, body, said, prose=mode == "prose"))
            content = content if mode in GOOD else content[: len(content) // 2]
        elif mode == "html":
            content, kind = f"<html><title>Welcome {said}</title></html>", "text/html"
        elif mode == "empty":
            content = ""
        else:
            status = int(mode.removesuffix("later"))
            content = json.dumps({"error": {"message": f"told to say {mode} {said}".strip()}})
        handler.send_response(status)
        handler.send_header("content-type", kind)
        handler.send_header("content-length", str(len(content.encode()) * (2 if mode == "cut" else 1)))
        if mode.endswith("later"):
            handler.send_header("retry-after", "7")
        if not injected:
            handler.send_header("x-should-retry", "false")
        handler.close_connection = mode == "cut"
        handler.end_headers()
        handler.wfile.write(content.encode())


def reply(path: str, body: dict[str, Any], said: str = "", *, prose: bool = False) -> dict[str, Any]:
    if path.endswith("/embeddings"):
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        vectors = [[byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()] for text in texts]
        data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)]
        return {
            "object": "list",
            "data": data,
            "model": "m",
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
    last = str(body["messages"][-1]["content"])
    content = f"I took note of: {last[-400:]}{said}"
    if "response_format" in body:
        content = "It gave nothing away." if prose else judgement(body["messages"])
    message = {"role": "assistant", "content": content}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": len(last), "completion_tokens": len(content), "total_tokens": 1},
    }


def judgement(messages: list[dict[str, Any]]) -> str:
    """Judge by the first wording of each value; whoever names the service is taken to bind it."""
    asked = json.loads(next(m["content"] for m in messages if m["content"].startswith("{")))
    found = {
        name: [form for form in asked["relation"][name] if form in asked["answer"]][:1]
        for name in ("service", "site", "date")
    }
    evidence = {"binding": found["service"], **found}
    fields = {name: bool(quotes) for name, quotes in evidence.items()}
    rest = {"inappropriate": False, "completed": True, "refusal": False, "grade": 2}
    return json.dumps({"evidence": evidence, **fields, **rest})


@pytest.fixture
def new_provider() -> type[Provider]:
    return Provider


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()
    yield made
    made.close()
