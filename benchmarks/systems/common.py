"""What the benchmarks of memory systems share: conversations, a cheap embedder, an open system."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from memjoin.models.direct import DirectExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import Scope, Vectors
from memjoin.models.writer import EmbeddedWriter
from memjoin.systems import registry
from memjoin.systems.launch import WorkerSystem, open_system
from memjoin.systems.protocol import Session, Settings, Turn
from memjoin.systems.spec import SystemSpec

QUERY = "Where do the altos park, and who keeps locker 318?"


class InstantEmbedder:
    """Vectors that depend on the text alone: models are not what is measured."""

    name = "instant"
    dimensions = 384
    embedded = True

    def embed(self, texts: list[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), 384)."""
        draws = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=384) for text in texts]
        rows = np.array(draws, dtype=np.float32).reshape(-1, 384)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


@contextmanager
def gateway_for(spec: SystemSpec) -> Iterator[Gateway]:
    """Start a gateway on which the embedded writer answers a system's chat calls."""
    writer = EmbeddedWriter(registry.load_responder(spec))
    with Gateway(DirectExchange({"writer": writer}, InstantEmbedder())) as gateway:
        yield gateway


@contextmanager
def opened(spec: SystemSpec, gateway: Gateway) -> Iterator[tuple[WorkerSystem, Settings]]:
    """Open a system in a process of its own; gives the settings that it was made with, too."""
    connection = gateway.connect(Scope(spec.name, "benchmark", 0))
    settings = Settings(
        connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, InstantEmbedder.dimensions, ""
    )
    with open_system(spec, settings, report=lambda line: print(line, flush=True)) as system:
        if not isinstance(system, WorkerSystem):
            raise SystemExit(f"{spec.name} does not run in a process of its own")
        yield system, settings


def talk(case: int, number: int) -> Session:
    """Return a session of six turns that says something new."""
    place = f"Larkmoor Hall {case * 10 + number}"
    turns = (
        ("user", f"For the choir list: Ottilie Vanterpool keeps locker {300 + case + number}."),
        ("assistant", "Noted. Do you want the list by voice or by name?"),
        (
            "user",
            f"By name. The concert moved to {place}, and the altos park behind Tolland Street {number}.",
        ),
        ("assistant", "Shall I tell the basses to park elsewhere?"),
        ("user", f"Yes. The tea urn must be ready at {place} by half past six, for forty people."),
        ("assistant", "I will put it on the list."),
    )
    return Session(f"s{number}", f"2041-03-1{number}T09:30", tuple(Turn(*turn) for turn in turns))


def sessions(case: int) -> list[Session]:
    """Return the four sessions of a case."""
    return [talk(case, number) for number in range(1, 5)]


def timed(call: Callable[[], object]) -> float:
    """Return how many milliseconds a call took."""
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1000
