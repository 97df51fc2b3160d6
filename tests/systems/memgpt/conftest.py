"""MemGPT itself, in its own environment, on a gateway whose chat model each test scripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from driving import SESSIONS, Driven, Opener, opener
from memjoin.models.direct import DirectExchange
from memjoin.models.embedder import MiniLmEmbedder
from memjoin.models.gateway import Gateway
from memjoin.models.types import Embedder
from memjoin.systems.memgpt.responder import respond
from memjoin.systems.protocol import Session


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return MiniLmEmbedder()


@pytest.fixture(scope="session")
def gateway(embedder: Embedder) -> Iterator[Gateway]:
    with Gateway(DirectExchange({}, embedder)) as gateway:
        yield gateway


@pytest.fixture(scope="session")
def opened(gateway: Gateway, embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Open one more MemGPT, with options."""
    return opener("memgpt", respond, gateway, embedder, tmp_path_factory)


@pytest.fixture(scope="session")
def shared(opened: Opener) -> Iterator[Driven]:
    with opened(timeout=2, steps=20) as driven:
        yield driven


@pytest.fixture
def memgpt(shared: Driven) -> Driven:
    """The one worker that all tests share, with an empty memory and the embedded writer."""
    shared.faults({})
    shared.system.reset("case", 0)
    return shared


@pytest.fixture(scope="session")
def sessions() -> list[Session]:
    return list(SESSIONS)
