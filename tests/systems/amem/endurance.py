"""Many cases and one long history through one worker; prints what it holds and how long it takes.

    uv run python tests/systems/amem/endurance.py amem --cases 200 --turns 1000

Runs any system that has an embedded writer. Files, threads and memory are those of the worker after so many
cases of one session each; the times are those of a session of ten turns and of a retrieval with k = 10.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from memjoin.models.direct import DirectExchange
from memjoin.models.embedder import MiniLmEmbedder
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import Scope
from memjoin.models.writer import EmbeddedWriter
from memjoin.systems import registry
from memjoin.systems.contract import material
from memjoin.systems.launch import WorkerSystem, open_system
from memjoin.systems.protocol import Session, Settings, Turn


def held(system: WorkerSystem) -> str:
    """Return what a worker holds; Linux only."""
    if system.process is None:
        raise RuntimeError("the worker is gone")
    guard = system.process.pid
    child = Path(f"/proc/{guard}/task/{guard}/children").read_text().split()[0]
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{child}/status").read_text().splitlines() if ":" in line
    )
    opened = len(list(Path(f"/proc/{child}/fd").iterdir()))
    files = sum(path.is_file() for path in system.home.rglob("*"))
    memory = int(status["VmRSS"].split()[0]) // 1024
    return f"{opened} open files, {status['Threads'].strip()} threads, {memory} MB, {files} files on disk"


def timed(call: Callable[[], object]) -> float:
    """Return how many milliseconds a call took."""
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1000


def talk(number: int) -> Session:
    """Return a session of ten turns that says something new."""
    turns = []
    for place in range(number * 10, number * 10 + 10, 2):
        name = f"Wren{chr(97 + place % 26)}{chr(97 + place // 26 % 26)}"
        said = f"Box {place} of {name} is in aisle {place * 7 % 101} at Larkmoor Hall, tag QF-{1000 + place}."
        turns += [Turn("user", said), Turn("assistant", "Noted, it is on the list.")]
    return Session(
        f"s{number}", f"2041-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}T09:30", tuple(turns)
    )


def main() -> None:
    """Run both and print lines."""
    parser = argparse.ArgumentParser(description="What a worker holds after many cases, and a long history.")
    parser.add_argument("system")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--turns", type=int, default=1000)
    arguments = parser.parse_args()
    spec = registry.find(arguments.system)
    writer = EmbeddedWriter(registry.load_responder(spec))
    with Gateway(DirectExchange({"writer": writer}, MiniLmEmbedder())) as gateway:
        connection = gateway.connect(Scope(spec.name, "endurance", 0))
        settings = Settings(connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, 384, "")
        with open_system(spec, settings, report=print) as system:
            if not isinstance(system, WorkerSystem):
                raise SystemExit(f"{spec.name} does not run in a process of its own")
            for case in range(1, arguments.cases + 1):
                system.reset(f"case-{case}", 0)
                for loss in system.write(material.choir()[0]).losses:
                    print(f"case {case}: {loss}")
                system.retrieve(material.QUERY, 10)
                if case in (1, 10) or case % 50 == 0:
                    print(f"{case} cases: {held(system)}", flush=True)
            system.reset("long", 0)
            sessions = arguments.turns // 10
            for number in range(sessions):
                write = timed(partial(losses, system, number))
                if number in (0, 9) or (number + 1) % max(1, sessions // 4) == 0:
                    retrieve = timed(lambda: system.retrieve("Where is the box with tag QF-1002?", 10))
                    print(
                        f"{number * 10 + 10} turns: a session {write:.0f} ms, a retrieval {retrieve:.0f} ms; "
                        f"{len(system.export())} records; {held(system)}",
                        flush=True,
                    )


def losses(system: WorkerSystem, number: int) -> None:
    """Write a session and print what was lost."""
    for loss in system.write(talk(number)).losses:
        print(f"session {number}: {loss}")


if __name__ == "__main__":
    main()
