"""Small systems and processes to try the machinery on."""

from __future__ import annotations

import hashlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memjoin.models.direct import DirectExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import Scope, Vectors
from memjoin.systems.process import WorkerProcess
from memjoin.systems.protocol import Session, Settings, Turn
from memjoin.systems.spec import SystemSpec, read_folder

SESSION = Session(
    "s1", "2029-08-20T14:05", (Turn("user", "The urn is at Larkmoor."), Turn("assistant", "Ok."))
)

ANSWER = """
import json, os, sys, time
def calls():
    for line in sys.stdin:
        yield json.loads(line)
def answer(call, result):
    print(json.dumps({"id": call["id"], "result": result}), flush=True)
"""
"""What a Python script needs to speak the protocol; prepended to the scripts of ``process``."""


class HashEmbedder:
    """Random unit vectors that depend on the text alone."""

    name = "hash"
    dimensions = 16
    embedded = True

    def embed(self, texts: list[str]) -> Vectors:
        rows = []
        for text in texts:
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            vector = np.random.default_rng(seed).normal(size=self.dimensions)
            rows.append(vector / np.linalg.norm(vector))
        return np.array(rows, dtype=np.float32)


@pytest.fixture
def session() -> Session:
    return SESSION


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def settings() -> Settings:
    """Settings of a gateway that nothing calls."""
    return Settings("http://127.0.0.1:9/v1", "key", "chat", "embedding", 16, home="")


@pytest.fixture
def gateway_settings(embedder: HashEmbedder) -> Iterator[Settings]:
    """Settings of a gateway that embeds."""
    with Gateway(DirectExchange({}, embedder)) as gateway:
        connection = gateway.connect(Scope("test", "test", 0))
        yield Settings(
            connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, embedder.dimensions, home=""
        )


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """Start a script, Python unless another program is named, as a worker process."""
    started: list[WorkerProcess] = []

    def start(script: str, *program: str, **options: Any) -> WorkerProcess:
        path = tmp_path / f"script-{len(started)}"
        path.write_text(textwrap.dedent(script) if program else ANSWER + textwrap.dedent(script))
        command = [*(program or (sys.executable, "-S", "-E")), str(path)]
        environment = options.pop("environment", {"PATH": "/usr/bin:/bin"})
        worker = WorkerProcess("tried", command, environment, tmp_path, tmp_path / "stderr.log", **options)
        started.append(worker)
        worker.start()
        return worker

    yield start
    for worker in started:
        worker.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., SystemSpec]:
    """Make the folder of a system out of the body of its class, and return its specification."""

    def make(methods: str = "", head: str = "", toml: str = "", name: str = "tiny") -> SystemSpec:
        path = tmp_path / name
        path.mkdir(exist_ok=True)
        table = f'title = "Tiny"\ndescription = "For tests."\nadapter = "adapter:Tiny"\n{toml}'
        (path / "system.toml").write_text(table)
        (path / "adapter.py").write_text(TINY.format(head=head, methods=textwrap.indent(methods, "    ")))
        return read_folder(path, name)[0]

    return make


TINY = """
from dataclasses import replace
from memjoin.systems.protocol import Loss, Record, Session, Settings, WriteReport
{head}

class Tiny:
    def __init__(self, settings):
        self.settings = settings
        self.records = []

    def reset(self, case_id, seed):
        self.records = []

    def write(self, session):
        for number, turn in enumerate(session.turns):
            identity = f"{{session.id}}/{{number}}"
            self.records.append(Record(identity, f"[{{session.at}}] {{turn.text}}", created=session.at))
        return WriteReport(added=len(session.turns))

    def export(self):
        return list(self.records)

    def retrieve(self, query, k):
        return self.records[:k]

    def close(self):
        pass

{methods}
"""
