"""MemoryBank in its worker, on a gateway whose chat model each test scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from memjoin.models.connection import Connection
from memjoin.models.direct import DirectExchange
from memjoin.models.embedder import MiniLmEmbedder
from memjoin.models.faults import Fault, FaultyExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import ChatReply, ChatRequest, Embedder, Scope, Usage
from memjoin.models.writer import EmbeddedWriter
from memjoin.systems import registry
from memjoin.systems.launch import OpenSystem, open_system
from memjoin.systems.memorybank.prompts import Task, recognise
from memjoin.systems.memorybank.responder import respond
from memjoin.systems.protocol import Session, Settings, Turn

Answer = Callable[[Task, str], str | None]


class Scripted:
    """A chat model that answers each of MemoryBank's tasks; it keeps (task, content) of what was asked."""

    name = "scripted"
    deterministic = True
    embedded = True

    def __init__(self, answer: Answer, finish_reason: str = "stop") -> None:
        self._answer = answer
        self._finish_reason = finish_reason
        self.asked: list[tuple[Task, str]] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        known = recognise(request.messages[-1]["content"])
        assert known is not None, request
        self.asked.append(known)
        message = {"role": "assistant", "content": self._answer(*known)}
        return ChatReply(message, self._finish_reason, Usage(1, 1, estimated=True), request.model)


@dataclass
class Driven:
    """A running MemoryBank and the connection through which it asks its models."""

    system: OpenSystem
    connection: Connection
    embedder: Embedder

    def answers(self, answer: Answer, finish_reason: str = "stop") -> Scripted:
        model = Scripted(answer, finish_reason)
        self.connection.exchange = DirectExchange({"writer": model}, self.embedder)
        return model

    def faults(self, plan: dict[int, Fault], *, embeddings: frozenset[int] = frozenset()) -> FaultyExchange:
        good = DirectExchange({"writer": EmbeddedWriter(respond)}, self.embedder)
        self.connection.exchange = exchange = FaultyExchange(good, plan, embeddings=embeddings)
        return exchange


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return MiniLmEmbedder()


@pytest.fixture(scope="session")
def opened(embedder: Embedder) -> Iterator[Callable[..., Any]]:
    """Open one more MemoryBank, by its full name, with options."""
    with Gateway(DirectExchange({}, embedder)) as gateway:

        @contextmanager
        def open_one(name: str, **options: object) -> Iterator[Driven]:
            connection = gateway.connect(Scope(name, "test", 0))
            settings = Settings(
                connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, 384, "", dict(options)
            )
            with open_system(registry.find(name), settings) as system:
                yield Driven(system, connection, embedder)

        yield open_one


@pytest.fixture(scope="session")
def shared(opened: Callable[..., Any]) -> Iterator[dict[str, Driven]]:
    with opened("memorybank:repository", timeout=0.5) as repository, opened("memorybank:paper") as paper:
        yield {"repository": repository, "paper": paper}


@pytest.fixture
def bank(shared: dict[str, Driven]) -> Driven:
    """The configuration ``repository``, empty, with the embedded writer."""
    return _fresh(shared["repository"])


@pytest.fixture
def paper(shared: dict[str, Driven]) -> Driven:
    """The configuration ``paper``, empty, with the embedded writer."""
    return _fresh(shared["paper"])


def _fresh(driven: Driven) -> Driven:
    driven.faults({})
    driven.system.reset("case", 0)
    return driven


Talk = Callable[..., Session]


@pytest.fixture(scope="session")
def talk() -> Talk:
    """Make a session of a time and of texts, the user's first."""

    def make(at: str, *texts: str, name: str = "") -> Session:
        turns = tuple(Turn(("user", "assistant")[place % 2], text) for place, text in enumerate(texts))
        return Session(name or f"s-{at}", at, turns)

    return make


@pytest.fixture(scope="session")
def sessions(talk: Talk) -> list[Session]:
    return [
        talk(
            "2041-03-14T09:30",
            "For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318.",
            "Noted. Do you want it by voice or by name?",
            "By name, please. On the rota she is down as Sandpiper.",
            "I will write it that way.",
            name="s1",
        ),
        talk(
            "2041-04-02T18:05",
            "The spring concert moved to Larkmoor Hall, and parking code QF-7719 is for the altos.",
            "Shall I tell the basses to park elsewhere?",
            name="s2",
        ),
    ]
