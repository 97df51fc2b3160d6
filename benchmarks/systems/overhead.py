"""What MemJoin adds to a system: through its worker, against the framework driven directly.

Both sides ask the same gateway and get the same replies, one case each in turn, so that whatever else the
machine does falls on both. The first case of either side is not counted. A system without an environment of
its own is its class, called in this process, against the same class in a worker.
"""

from __future__ import annotations

import importlib
import json
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from common import QUERY, gateway_for, opened, sessions, timed

from memjoin.systems import environments, wire
from memjoin.systems.process import clean_environment
from memjoin.systems.protocol import Session, Settings
from memjoin.systems.spec import SystemSpec

SHARE, MILLISECONDS, K = 0.15, 3.0, 10
_SERVE = Path(__file__).parent / "direct" / "serve.py"
_SYSTEMS = Path(wire.__file__).parent

Times = dict[str, list[float]]


@dataclass(frozen=True)
class Overhead:
    """Medians in milliseconds of one kind of call; ``allowed`` is how much more the worker may take."""

    system: str
    call: str
    direct: float
    worker: float

    @property
    def allowed(self) -> float:
        """15% or 3 ms, whichever is larger."""
        return max(SHARE * self.direct, MILLISECONDS)

    @property
    def holds(self) -> bool:
        """Whether the worker takes no more than that."""
        return self.worker - self.direct <= self.allowed

    def line(self) -> str:
        """One line for people."""
        found = "holds" if self.holds else "DOES NOT HOLD"
        return (
            f"{self.system:24} {self.call:9} {self.direct:9.2f} {self.worker:9.2f} "
            f"{self.worker - self.direct:+8.2f} {self.allowed:8.2f}  {found}"
        )


HEAD = f"{'system':24} {'call':9} {'direct ms':>9} {'worker ms':>9} {'more':>8} {'allowed':>8}"


def measure(spec: SystemSpec, cases: int) -> list[Overhead]:
    """Run both sides over cases of four sessions and return the medians of a write and of a retrieval."""
    direct: Times = {"write": [], "retrieve": []}
    worker: Times = {"write": [], "retrieve": []}
    with (
        gateway_for(spec) as gateway,
        opened(spec, gateway) as (system, settings),
        _directly(spec, replace(settings, options=dict(spec.options))) as drive,
    ):
        for case in range(cases + 1):
            talks = sessions(case)
            took = drive(talks)
            system.reset(f"case-{case}", 0)
            writes = [timed(partial(system.write, session)) for session in talks]
            retrieve = timed(lambda: system.retrieve(QUERY, K))
            if case:
                direct["write"] += took["write"]
                direct["retrieve"] += took["retrieve"]
                worker["write"] += writes
                worker["retrieve"].append(retrieve)
    return [
        Overhead(spec.name, call, statistics.median(direct[call]), statistics.median(worker[call]))
        for call in direct
    ]


@contextmanager
def _directly(spec: SystemSpec, settings: Settings) -> Iterator[Callable[[list[Session]], Times]]:
    """Give a function that writes a case into a fresh store of the framework's own, and asks it."""
    with tempfile.TemporaryDirectory() as home:
        settings = replace(settings, home=home)
        if spec.lock is None:
            yield _in_process(spec, settings)
            return
        command = [
            *(str(environments.ensure(spec, print)), str(_SERVE), spec.system),
            *(json.dumps(wire.settings_to_json(settings)), str(_SYSTEMS)),
        ]
        variables = clean_environment(Path(home), settings.base_url, settings.api_key)
        given = {name: value.replace("{home}", home) for name, value in spec.environment.items()}
        log = Path(home) / "stderr.log"
        with (
            log.open("w") as errors,
            subprocess.Popen(
                command,
                cwd=home,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=variables | given,
            ) as process,
        ):
            yield partial(_in_its_process, process, log)
            if process.stdin is not None:
                process.stdin.close()


def _in_its_process(process: subprocess.Popen[str], log: Path, talks: list[Session]) -> Times:
    case = {"sessions": [wire.session_to_json(talk) for talk in talks], "query": QUERY, "k": K}
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the process has no standard streams")
    process.stdin.write(json.dumps(case) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"the framework ended:\n{log.read_text()[-3000:]}")
    took = json.loads(line)
    return {"write": took["write"], "retrieve": [took["retrieve"]]}


def _in_process(spec: SystemSpec, settings: Settings) -> Callable[[list[Session]], Times]:
    module, _, name = spec.adapter.partition(":")
    system = getattr(importlib.import_module(module), name)(settings)

    def drive(talks: list[Session]) -> Times:
        system.reset("direct", 0)
        writes = [timed(partial(system.write, talk)) for talk in talks]
        return {"write": writes, "retrieve": [timed(lambda: system.retrieve(QUERY, K))]}

    return drive
