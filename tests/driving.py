"""A memory system in its worker, on a gateway whose chat model each test scripts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memjoin.models.connection import Connection
from memjoin.models.direct import DirectExchange
from memjoin.models.faults import Fault, FaultyExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import ChatReply, ChatRequest, Embedder, Scope, Usage
from memjoin.models.writer import EmbeddedWriter
from memjoin.systems import registry
from memjoin.systems.launch import OpenSystem, open_system
from memjoin.systems.protocol import Session, Settings, Turn

Responder = Callable[[dict[str, Any]], dict[str, Any] | None]

Answer = str | Mapping[str, Any] | None
"""The content of an assistant message, or the message itself."""

Call = tuple[str, object]
"""A tool call: the tool's name, and its arguments, or the text that stands in their place."""


def calling(*calls: Call, content: str | None = None) -> dict[str, Any]:
    """Return an assistant message that calls tools."""
    made = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
            },
        }
        for number, (name, arguments) in enumerate(calls)
    ]
    return {"role": "assistant", "content": content, **({"tool_calls": made} if made else {})}


class Scripted:
    """A chat model that answers with what a function makes of the request, and keeps the requests."""

    name = "scripted"
    deterministic = True
    embedded = True

    def __init__(self, answer: Callable[[ChatRequest], Answer], finish_reason: str = "stop") -> None:
        self._answer = answer
        self._finish_reason = finish_reason
        self.requests: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        answer = self._answer(request)
        message = dict(answer) if isinstance(answer, Mapping) else {"role": "assistant", "content": answer}
        return ChatReply(message, self._finish_reason, Usage(1, 1, estimated=True), request.model)


@dataclass
class Driven:
    """A running memory system and the connection through which it asks its models."""

    system: OpenSystem
    connection: Connection
    embedder: Embedder
    respond: Responder

    def answers(
        self, answer: Answer | Callable[[ChatRequest], Answer], finish_reason: str = "stop"
    ) -> Scripted:
        """Let the chat model answer with a text or message, or with what a function makes of the request."""
        model = Scripted(answer if callable(answer) else lambda request: answer, finish_reason)
        self.connection.exchange = DirectExchange({"writer": model}, self.embedder)
        return model

    def faults(self, plan: dict[int, Fault], *, embeddings: frozenset[int] = frozenset()) -> FaultyExchange:
        """Let the embedded writer answer, with faults."""
        good = DirectExchange({"writer": EmbeddedWriter(self.respond)}, self.embedder)
        exchange = FaultyExchange(good, plan, embeddings=embeddings)
        self.connection.exchange = exchange
        return exchange


Opener = Callable[..., AbstractContextManager[Driven]]


def opener(
    name: str, respond: Responder, gateway: Gateway, embedder: Embedder, homes: pytest.TempPathFactory
) -> Opener:
    """Return what opens one more worker of a system, with options."""

    @contextmanager
    def open_one(**options: object) -> Iterator[Driven]:
        connection = gateway.connect(Scope(name, "test", 0))
        home = str(homes.mktemp("home"))
        settings = Settings(
            connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, 384, home, dict(options)
        )
        with open_system(registry.find(name), settings, log=Path(home) / "stderr.log") as system:
            yield Driven(system, connection, embedder, respond)

    return open_one


def _session(number: int, at: str, *texts: str) -> Session:
    turns = tuple(Turn(("user", "assistant")[place % 2], text) for place, text in enumerate(texts))
    return Session(f"s{number}", at, turns)


SESSIONS = [
    _session(
        1,
        "2041-03-14T09:30",
        "For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318.",
        "Noted. Do you want it by voice or by name?",
        "By name, please. On the rota she is down as Sandpiper.",
        "I will write it that way.",
    ),
    _session(
        2,
        "2041-04-02T18:05",
        "The spring concert moved to Larkmoor Hall, and parking code QF-7719 is for the altos.",
        "Shall I tell the basses to park elsewhere?",
    ),
]
