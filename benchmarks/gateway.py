"""What the gateway adds to a call: an instant model behind it, asked over loopback.

    uv run python benchmarks/gateway.py [--calls 500]

Prints wall and processor time a call, for a short prompt and for one of 34,000 characters (the size of
Mem0's), by a plain HTTP connection and by the ``openai`` client, which brings its own cost. The processor
time is that of client and gateway together, since both run in this process. The target is 3 ms a call.
"""

from __future__ import annotations

import argparse
import http.client
import json
import time
from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

import numpy as np
import openai

from memjoin.models.connection import Connection
from memjoin.models.direct import DirectExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import ChatReply, ChatRequest, Scope, Usage, Vectors

REPLY = ChatReply({"role": "assistant", "content": '{"memory": []}'}, "stop", Usage(1, 1), "instant")
TARGET_MS = 3.0


class Instant:
    """A model that answers at once."""

    name = "instant"
    deterministic = True
    embedded = True
    dimensions = 384

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer the same always."""
        return REPLY

    def embed(self, texts: list[str]) -> Vectors:
        """Return one vector for all."""
        return np.full((len(texts), self.dimensions), self.dimensions**-0.5, dtype=np.float32)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=500)
    calls = parser.parse_args().calls
    model = Instant()
    print(f"{'call':44} {'wall ms':>8} {'cpu ms':>8}")
    with Gateway(DirectExchange({"writer": model}, model)) as gateway:
        connection = gateway.connect(Scope("benchmark", "none", 0))
        worst = max(over_http(connection, calls, size) for size in (100, 34_000))
        over_openai(connection, calls)
    print(f"worst plain chat call: {worst:.2f} ms, target {TARGET_MS} ms")


def over_http(connection: Connection, calls: int, size: int) -> float:
    """Ask by a plain connection that stays open; returns wall milliseconds a chat call."""
    address = urlsplit(connection.base_url)
    plain = http.client.HTTPConnection(address.hostname or "", address.port)
    headers = {"authorization": f"Bearer {connection.api_key}", "content-type": "application/json"}
    chat = json.dumps({"model": CHAT_MODEL, "messages": [{"role": "user", "content": "x" * size}]})
    embed = json.dumps(
        {"model": EMBEDDING_MODEL, "input": ["x" * min(size, 1000)], "encoding_format": "base64"}
    )

    def post(path: str, body: str) -> None:
        plain.request("POST", f"/v1{path}", body, headers)
        answer = plain.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"the gateway answered {answer.status}: {content!r}")

    wall = measure(f"chat, {size:,} characters, plain", calls, lambda: post("/chat/completions", chat))
    measure(f"embedding, {min(size, 1000):,} characters, plain", calls, lambda: post("/embeddings", embed))
    plain.close()
    return wall


def over_openai(connection: Connection, calls: int) -> None:
    """Ask by the openai client."""
    with openai.OpenAI(base_url=connection.base_url, api_key=connection.api_key) as client:
        for size in (100, 34_000):
            ask = partial(
                client.chat.completions.create,
                model=CHAT_MODEL,
                messages=[{"role": "user", "content": "x" * size}],
            )
            measure(f"chat, {size:,} characters, openai", calls, ask)


def measure(title: str, calls: int, call: Callable[[], object]) -> float:
    """Call, print, and return wall milliseconds a call."""
    for _ in range(20):
        call()
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(calls):
        call()
    wall, cpu = (time.perf_counter() - wall) / calls * 1e3, (time.process_time() - cpu) / calls * 1e3
    print(f"{title:44} {wall:8.2f} {cpu:8.2f}")
    return wall


if __name__ == "__main__":
    main()
