"""What a worker costs: Mem0 through MemJoin's worker, against Mem0 as an application drives it.

    uv run python benchmarks/worker.py [--cases 30] [--json]

Both sides run in Mem0's own environment, ask the same gateway and get the same replies, one case each in turn
so that whatever else the machine does falls on both. The first case of either side is not counted. What is
compared is the median of a write of one session (six turns) and of a retrieval (k = 10). Holds if a write
costs at most 15% or 3 ms more, whichever is larger; exits with 1 if it does not.

The worker's side does more than carry calls: the adapter also compares what was sent, answered and stored.
The cost of a call alone is shown by an empty one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from memjoin.models.direct import DirectExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import ChatReply, ChatRequest, Scope, Usage, Vectors
from memjoin.systems import environments, registry
from memjoin.systems.launch import open_system
from memjoin.systems.process import clean_environment
from memjoin.systems.protocol import Session, Settings, Turn

SHARE, MILLISECONDS = 0.15, 3.0
QUERY = "Where do the altos park, and who keeps locker 318?"


class InstantWriter:
    """Three facts in answer to any prompt, other ones to another prompt. Models are not what is measured."""

    name = "instant"
    deterministic = True
    embedded = True

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer in the form that Mem0 asks for."""
        number = zlib.crc32(str(request.messages[-1]["content"]).encode())
        facts = [
            f"Ottilie Vanterpool keeps locker {number}.",
            f"The concert is at Larkmoor Hall {number}, and the altos park behind Tolland Street.",
            f"The tea urn must be ready at Larkmoor Hall {number} by half past six.",
        ]
        memory = [{"id": str(n), "text": text, "attributed_to": "user"} for n, text in enumerate(facts)]
        message = {"role": "assistant", "content": json.dumps({"memory": memory})}
        return ChatReply(message, "stop", Usage(0, 0), request.model)


class InstantEmbedder:
    """Vectors that depend on the text alone."""

    name = "instant"
    dimensions = 384
    embedded = True

    def embed(self, texts: list[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), 384)."""
        draws = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=384) for text in texts]
        rows = np.array(draws, dtype=np.float32).reshape(-1, 384)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


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


def timed(call: Callable[[], object]) -> float:
    """Return how many milliseconds a call took."""
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1000


def measure(cases: int) -> dict[str, Any]:
    """Run both sides and return their medians in milliseconds."""
    spec = registry.find("mem0")
    python = environments.ensure(spec, print)
    model, embedder = InstantWriter(), InstantEmbedder()
    direct: dict[str, list[float]] = {"write": [], "retrieve": []}
    worker: dict[str, list[float]] = {"write": [], "retrieve": [], "empty": []}
    with Gateway(DirectExchange({"writer": model}, embedder)) as gateway:
        connection = gateway.connect(Scope("mem0", "benchmark", 0))
        settings = Settings(
            connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, embedder.dimensions, home=""
        )
        with open_system(spec, settings) as system:
            home = system.home.with_name("direct")
            command = [
                *(str(python), "-P", str(Path(__file__).with_name("mem0_direct.py"))),
                *(connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL),
                str(embedder.dimensions),
            ]
            variables = clean_environment(home, connection.base_url, connection.api_key)
            with subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=variables,
            ) as process:
                if process.stdin is None or process.stdout is None:
                    raise RuntimeError("the process has no standard streams")
                for case in range(cases + 1):
                    sessions = [talk(case, number) for number in range(1, 5)]
                    process.stdin.write(_as_application(sessions))
                    process.stdin.flush()
                    took = json.loads(process.stdout.readline())
                    system.reset(f"case-{case}", 0)
                    writes = [timed(partial(system.write, session)) for session in sessions]
                    retrieve = timed(lambda: system.retrieve(QUERY, 10))
                    empty = timed(lambda: system.retrieve("", 10))
                    if case:
                        direct["write"] += took["write"]
                        direct["retrieve"].append(took["retrieve"])
                        worker["write"] += writes
                        worker["retrieve"].append(retrieve)
                        worker["empty"].append(empty)
                process.stdin.close()
    return {
        "cases": cases,
        "direct": {name: statistics.median(times) for name, times in direct.items()},
        "worker": {name: statistics.median(times) for name, times in worker.items()},
    }


def _as_application(sessions: list[Session]) -> str:
    talks = [[{"role": turn.speaker, "content": turn.text} for turn in session.turns] for session in sessions]
    return json.dumps({"sessions": talks, "query": QUERY}) + "\n"


def main() -> int:
    """Measure, print, and say whether it holds."""
    parser = argparse.ArgumentParser(description="Cost of a worker against the framework driven directly.")
    parser.add_argument("--cases", type=int, default=30, help="cases of four sessions on either side")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    figures = measure(arguments.cases)
    direct, worker = figures["direct"], figures["worker"]
    allowed = max(SHARE * direct["write"], MILLISECONDS)
    figures["more"] = {name: worker[name] - direct[name] for name in direct}
    figures["allowed"] = allowed
    figures["holds"] = figures["more"]["write"] <= allowed
    if arguments.json:
        print(json.dumps(figures, indent=2))
    else:
        for name in direct:
            print(
                f"{name}: directly {direct[name]:.2f} ms, through the worker {worker[name]:.2f} ms, "
                f"{figures['more'][name]:+.2f} ms"
            )
        print(f"an empty call: {worker['empty']:.2f} ms")
        print(
            f"allowed for a write: {allowed:.2f} ms more; {'holds' if figures['holds'] else 'DOES NOT HOLD'}"
        )
    return 0 if figures["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
