"""SimpleMem itself, in its own environment, on a gateway whose chat model each test scripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from driving import SESSIONS, Driven, Opener, opener
from memjoin.models.direct import DirectExchange
from memjoin.models.embedder import MiniLmEmbedder
from memjoin.models.gateway import Gateway
from memjoin.models.types import Embedder
from memjoin.systems.protocol import Session
from memjoin.systems.simplemem.responder import respond


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return MiniLmEmbedder()


@pytest.fixture(scope="session")
def gateway(embedder: Embedder) -> Iterator[Gateway]:
    with Gateway(DirectExchange({}, embedder)) as gateway:
        yield gateway


@pytest.fixture(scope="session")
def opened(gateway: Gateway, embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Open one more SimpleMem, with options."""
    return opener("simplemem", respond, gateway, embedder, tmp_path_factory)


@pytest.fixture(scope="session")
def shared(opened: Opener) -> Iterator[Driven]:
    with opened() as driven:
        yield driven


@pytest.fixture(scope="session")
def second_worker(opened: Opener) -> Iterator[Driven]:
    with opened(timeout=0.5) as driven:
        yield driven


@pytest.fixture
def second(second_worker: Driven) -> Driven:
    """Another worker, of little patience, with an empty memory and the embedded writer."""
    second_worker.faults({})
    second_worker.system.reset("case", 0)
    return second_worker


@pytest.fixture
def simplemem(shared: Driven) -> Driven:
    """The one worker that all tests share, with an empty memory and the embedded writer."""
    shared.faults({})
    shared.system.reset("case", 0)
    return shared


@pytest.fixture(scope="session")
def sessions() -> list[Session]:
    return list(SESSIONS)
