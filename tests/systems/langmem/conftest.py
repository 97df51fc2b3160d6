"""LangMem itself, in its own environment, on a gateway whose chat model each test scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from driving import Call, Driven, Scripted, calling, opener
from memjoin.models.direct import DirectExchange
from memjoin.models.embedder import MiniLmEmbedder
from memjoin.models.gateway import Gateway
from memjoin.models.types import ChatRequest, Embedder
from memjoin.systems.langmem.responder import respond
from memjoin.systems.protocol import Session, Turn


class DrivenLangMem(Driven):
    """A running LangMem, whose chat model answers with tool calls."""

    def calls(self, *calls: Call, content: str | None = None, finish_reason: str = "stop") -> Scripted:
        """Let the chat model answer every request with these tool calls, or with a text."""
        return self.answers(calling(*calls, content=content), finish_reason)

    def remembers(self, *texts: str) -> Scripted:
        """Let the chat model answer with a call of ``Memory`` for each text."""
        return self.calls(*(("Memory", {"content": text}) for text in texts))

    def asks(
        self, answer: Callable[[ChatRequest], Mapping[str, Any]], finish_reason: str = "stop"
    ) -> Scripted:
        """Let the chat model answer with the message that a function makes of the request."""
        return self.answers(answer, finish_reason)


Opener = Callable[..., AbstractContextManager[DrivenLangMem]]


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return MiniLmEmbedder()


@pytest.fixture(scope="session")
def gateway(embedder: Embedder) -> Iterator[Gateway]:
    with Gateway(DirectExchange({}, embedder)) as gateway:
        yield gateway


@pytest.fixture(scope="session")
def opened(gateway: Gateway, embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Open one more LangMem, with options."""
    open_plain = opener("langmem", respond, gateway, embedder, tmp_path_factory)

    @contextmanager
    def open_one(**options: object) -> Iterator[DrivenLangMem]:
        with open_plain(**options) as driven:
            yield DrivenLangMem(**vars(driven))

    return open_one


@pytest.fixture(scope="session")
def shared(opened: Opener) -> Iterator[DrivenLangMem]:
    with opened(timeout=1) as driven:
        yield driven


@pytest.fixture
def langmem(shared: DrivenLangMem) -> DrivenLangMem:
    """The one worker that all tests share, with an empty memory and the embedded writer."""
    shared.faults({})
    shared.system.reset("case", 0)
    return shared


def _session(number: int, at: str, *texts: str) -> Session:
    turns = tuple(Turn(("user", "assistant")[place % 2], text) for place, text in enumerate(texts))
    return Session(f"s{number}", at, turns)


@pytest.fixture(scope="session")
def sessions() -> list[Session]:
    return [
        _session(
            1,
            "2041-03-14T09:30",
            "For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318.",
            "Noted. Do you want it by voice or by name?",
            "By name, please. Parking code QF-7719 is for Eastmoor House.",
            "I will write it that way.",
        ),
        _session(
            2,
            "2041-04-02T18:05",
            "The basses sing on Tuesdays. Parking code QF-7719 has moved to Larkmoor Hall.",
            "Shall I tell the basses to park elsewhere?",
        ),
    ]
