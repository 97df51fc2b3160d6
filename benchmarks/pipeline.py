"""What the pipeline itself costs: a run of the paper's size on models that answer at once.

    python benchmarks/pipeline.py [--cases 288] [--trials 3] [--intervention M3]

Six memory systems that keep every turn, two references: 14 inputs a case and trial, each with one reader call
and three votes, all through the ledger. Prints CPU an answer, calls a second, memory and the ledger's size.
The aim: at most 4 ms of CPU an answer, and memory that does not grow with the number of answers.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from memjoin.cases.build import build_cases
from memjoin.cases.family import families
from memjoin.cases.pool import load_pool
from memjoin.cases.schema import Case
from memjoin.models.filter import EmbeddedFilter
from memjoin.models.types import ChatReply, ChatRequest, Usage, Vectors
from memjoin.runs.arms import arms_of, plan_arms, read_arm
from memjoin.runs.cell import Cell
from memjoin.runs.config import RunConfig
from memjoin.runs.execute import Progress
from memjoin.runs.prepare import Prepared
from memjoin.runs.run import Models, run
from memjoin.systems.protocol import Record, Session, Settings, WriteReport
from memjoin.systems.spec import SystemSpec

SYSTEMS = tuple(f"system-{number}" for number in range(1, 7))
JUDGES = tuple(f"http://127.0.0.1:9/v1#judge-{number}" for number in range(1, 4))
READER = "http://127.0.0.1:9/v1#reader"

_FIELDS = ("binding", "service", "site", "date", "inappropriate", "completed", "refusal")
VOTE = json.dumps(
    {"evidence": {name: [] for name in _FIELDS[:4]}, **dict.fromkeys(_FIELDS, False), "grade": 2}
)


class Instant:
    """A model that answers at once: the reader with the end of its prompt, a judge with a vote."""

    deterministic = True
    embedded = False

    def __init__(self, name: str, answer: str = "") -> None:
        self.name = name
        self._answer = answer

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer."""
        text = self._answer or str(request.messages[-1]["content"])[-600:]
        return ChatReply({"role": "assistant", "content": text}, "stop", Usage(500, 150), self.name)


class NoEmbedder:
    """An embedder that nobody asks."""

    name, dimensions, embedded = "none", 1, True

    def embed(self, texts: list[str]) -> Vectors:
        """Refuse."""
        raise AssertionError("nobody asks")


class Verbatim:
    """A memory system that keeps every turn and costs nothing."""

    def __init__(self, settings: Settings) -> None:
        self._records: list[Record] = []

    def reset(self, case_id: str, seed: int) -> None:
        """Forget all."""
        self._records = []

    def write(self, session: Session) -> WriteReport:
        """Keep every turn."""
        self._records += [
            Record(f"{session.id}/{number}", f"[{session.at}] {turn.speaker}: {turn.text}")
            for number, turn in enumerate(session.turns)
        ]
        return WriteReport(added=len(session.turns))

    def export(self) -> list[Record]:
        """Return every turn."""
        return self._records

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return the first k."""
        return self._records[:k]

    def interrupt(self) -> None:
        """Do nothing: there is no process."""

    def close(self) -> None:
        """Do nothing."""


class Watch:
    """Looks at this process's memory while the run gets on."""

    def __init__(self) -> None:
        self.memory: list[tuple[float, int]] = []

    def note(self, line: str) -> None:
        """Do nothing."""

    def progress(self, progress: Progress) -> None:
        """Note the memory after every twentieth of the cells."""
        done = progress.ended / progress.total
        if not self.memory or done - self.memory[-1][0] >= 0.05:
            self.memory.append((done, resident()))

    def at(self, share: float) -> int:
        """Return MB of memory when that share of the cells was done."""
        return next((size for done, size in self.memory if done >= share), self.memory[-1][1])


def resident() -> int:
    """Return this process's resident memory in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def pace() -> float:
    """Return the CPU seconds of a fixed piece of work: shared machines are not always equally fast."""
    began, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - began


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=288)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--intervention", action="append", default=[], metavar="NAME")
    chosen = parser.parse_args(arguments)
    found = list(families().values())
    cases: list[Case] = list(build_cases(found, load_pool(), -(-chosen.cases // len(found))))[: chosen.cases]
    judges = {f"judge:{name}": Instant(name, VOTE) for name in JUDGES}
    roles = {"reader": Instant(READER), "filter": EmbeddedFilter(), **judges}
    conditions, treated = plan_arms(chosen.intervention, ("retrieved", "all", "history", "task-only"))
    config = RunConfig(
        dataset="benchmark",
        dataset_sha256="0" * 64,
        cases=tuple(case.id for case in cases),
        systems=SYSTEMS,
        conditions=conditions,
        trials=chosen.trials,
        writer="embedded",
        reader=READER,
        judges=JUDGES,
        embedder="embedded",
        k=10,
        seed=0,
        temperature=0.7,
        interventions=treated,
        filter="embedded" if any(read_arm(place).filtered for place in treated) else "",
    )
    specs = tuple(SystemSpec(name, name, "worker", name, command=(name,)) for name in SYSTEMS)
    inputs = sum(len(arms_of(Cell(system, "", 0), conditions, treated)) for system in ("", *SYSTEMS))
    answers = len(cases) * chosen.trials * inputs
    with tempfile.TemporaryDirectory() as root:
        watch = Watch()
        wall, cpu = time.perf_counter(), time.process_time()
        finished = run(
            Prepared(config, tuple(cases), specs),
            root=Path(root),
            name="benchmark",
            reporter=watch,
            concurrency=2,
            models=Models(dict.fromkeys(("", *SYSTEMS), roles), NoEmbedder()),
            opener=lambda spec, settings, log: Verbatim(settings),
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        size = finished.folder.ledger.stat().st_size
    print(f"{len(cases)} cases, {chosen.trials} trials, {inputs} inputs: {answers:,} answers")
    print(f"this machine       {pace():8.2f} s for ten million additions in Python (0.5 is common)")
    print(f"CPU an answer      {1000 * cpu / answers:8.2f} ms (aim: at most 4)")
    print(f"calls a second     {4 * answers / wall:8.0f} (wall {wall:.0f} s, CPU {cpu:.0f} s)")
    print(
        f"memory, MB         {watch.at(0.25):8d} at 25%, {watch.at(0.5)} at 50%, {watch.at(1.0)} at the end"
    )
    print(f"ledger             {size / 2**20:8.0f} MB ({size / answers / 1024:.1f} KB an answer)")


if __name__ == "__main__":
    main()
