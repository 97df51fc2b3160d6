"""What a system holds and how long it takes: many cases through one worker, two workers, one long history."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from common import QUERY, gateway_for, opened, sessions, timed

from memjoin.models.gateway import Gateway
from memjoin.systems.launch import WorkerSystem
from memjoin.systems.protocol import Session, Turn
from memjoin.systems.spec import SystemSpec

Say = Callable[[str], None]
MORE_FILES, MORE_THREADS, MORE_MEMORY = 2, 4, 1.1
"""What a worker may hold more after all cases than after the first ten: threads of a pool come and go."""


@dataclass(frozen=True)
class Held:
    """What a worker's process holds. Linux only.

    Attributes:
        files: Open file descriptors.
        threads: Threads.
        memory: Resident memory, MB.
        on_disk: Files in its private directory.
    """

    files: int
    threads: int
    memory: int
    on_disk: int

    def line(self) -> str:
        """The same for people."""
        return (
            f"{self.files} open files, {self.threads} threads, {self.memory} MB, {self.on_disk} files on disk"
        )

    def flat_since(self, earlier: Held) -> bool:
        """Whether nothing has grown that should not."""
        return (
            self.files <= earlier.files + MORE_FILES
            and self.threads <= earlier.threads + MORE_THREADS
            and self.memory <= earlier.memory * MORE_MEMORY
            and self.on_disk <= earlier.on_disk
        )


def held(system: WorkerSystem) -> Held:
    """Look at a worker; the process that was started guards it."""
    if system.process is None:
        raise RuntimeError("the worker is gone")
    guard = system.process.pid
    child = Path(f"/proc/{guard}/task/{guard}/children").read_text().split()[0]
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{child}/status").read_text().splitlines() if ":" in line
    )
    return Held(
        files=len(list(Path(f"/proc/{child}/fd").iterdir())),
        threads=int(status["Threads"]),
        memory=int(status["VmRSS"].split()[0]) // 1024,
        on_disk=sum(path.is_file() for path in system.home.rglob("*")),
    )


def endurance(spec: SystemSpec, cases: int, say: Say) -> bool:
    """Write cases of one session through one worker; return whether it holds no more at the end."""
    earlier = None
    with gateway_for(spec) as gateway, opened(spec, gateway) as (system, _):
        for case in range(1, cases + 1):
            system.reset(f"case-{case}", 0)
            for loss in system.write(sessions(case)[0]).losses:
                say(f"{spec.name}: case {case}: {loss.kind}: {loss.detail}")
            system.retrieve(QUERY, 10)
            if case == min(10, cases) or case % 50 == 0 or case == cases:
                now = held(system)
                earlier = earlier or now
                say(f"{spec.name}: {case} cases: {now.line()}")
        flat = earlier is not None and held(system).flat_since(earlier)
    say(f"{spec.name}: {'flat' if flat else 'GROWS'}")
    return flat


def throughput(spec: SystemSpec, cases: int, say: Say) -> None:
    """Write cases of four sessions by one worker, then by two at once, and say how many a second."""
    with gateway_for(spec) as gateway:
        speeds = [_speed(spec, gateway, workers, cases) for workers in (1, 2)]
    say(
        f"{spec.name}: {speeds[0]:.2f} cases a second by one worker, {speeds[1]:.2f} by two "
        f"({speeds[1] / speeds[0]:.2f} times)"
    )


def _speed(spec: SystemSpec, gateway: Gateway, workers: int, cases: int) -> float:
    """Return cases a second, from when all workers have written their first case."""
    ready = threading.Barrier(workers + 1)
    left: Iterator[int] = iter(range(1, cases + 1))
    lock = threading.Lock()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with opened(spec, gateway) as (system, _):
                _write_case(system, 0)
                ready.wait()
                while True:
                    with lock:
                        case = next(left, None)
                    if case is None:
                        return
                    _write_case(system, case)
        except BaseException as error:
            failures.append(error)
            ready.abort()
            raise

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    try:
        ready.wait()
    except threading.BrokenBarrierError:
        raise failures[0] from None
    begin = time.perf_counter()
    for thread in threads:
        thread.join()
    return cases / (time.perf_counter() - begin)


def _write_case(system: WorkerSystem, case: int) -> None:
    system.reset(f"case-{case}", 0)
    for session in sessions(case):
        system.write(session)
    system.retrieve(QUERY, 10)


def long_history(spec: SystemSpec, turns: int, say: Say) -> None:
    """Write one history, sessions of ten turns, and say how write and retrieve time grow.

    A time is the median of the last five sessions, and of five retrievals after them.
    """
    steps = sorted({max(1, turns // 10 * part // 10) for part in (1, 2, 4, 6, 8, 10)})
    first: tuple[float, float] | None = None
    with gateway_for(spec) as gateway, opened(spec, gateway) as (system, _):
        # The first call of a kind is dear, whatever it is about.
        _write_case(system, 0)
        system.reset("long", 0)
        lost = 0
        writes: list[float] = []

        def write(session: Session) -> None:
            nonlocal lost
            lost += len(system.write(session).losses)

        for number in range(turns // 10):
            writes.append(timed(partial(write, long_talk(number))))
            if number + 1 in steps:
                queries = [f"Where is the box with tag QF-{1000 + place}?" for place in range(5)]
                retrieve = statistics.median(timed(partial(system.retrieve, q, 10)) for q in queries)
                now = (statistics.median(writes[-5:]), retrieve)
                first = first or now
                say(
                    f"{spec.name}: {number * 10 + 10} turns, {len(system.export())} records: a session "
                    f"{now[0]:.0f} ms ({now[0] / first[0]:.1f} times), a retrieval {now[1]:.0f} ms "
                    f"({now[1] / first[1]:.1f} times); {lost} losses; {held(system).line()}"
                )


def long_talk(number: int) -> Session:
    """Return a session of ten turns that says something new."""
    turns = []
    for place in range(number * 10, number * 10 + 10, 2):
        name = f"Wren{chr(97 + place % 26)}{chr(97 + place // 26 % 26)}"
        said = f"Box {place} of {name} is in aisle {place * 7 % 101} at Larkmoor Hall, tag QF-{1000 + place}."
        turns += [Turn("user", said), Turn("assistant", "Noted, it is on the list.")]
    day = f"{2041 + number // 336}-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}T09:30"
    return Session(f"s{number}", day, tuple(turns))
