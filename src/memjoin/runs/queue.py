"""Which cell comes next."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable

from memjoin.runs.cell import Cell, CellOutcome

PATIENCE = 3
"""How many failures in a row, with no success before, are taken to mean that the next will fail too."""


class CellQueue:
    """Hands out cells to threads, and sees who fails too often. Thread-safe.

    A thread gets cells of the system that it has open as long as there are any, because to start a system
    takes longer than most cells do.

    Args:
        cells: What is to be run, in order.
        alone: Systems that one thread at a time may run: those in this process, which may share its state.
    """

    def __init__(self, cells: Iterable[Cell], alone: Collection[str] = ()) -> None:
        self._waiting: defaultdict[str, deque[Cell]] = defaultdict(deque)
        for cell in cells:
            self._waiting[cell.system].append(cell)
        self._alone = frozenset(alone)
        self._running: Counter[str] = Counter()
        self._seconds: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._failed: Counter[str] = Counter()
        self._fine: set[str] = set()
        self._model_failures = 0
        self._lock = threading.Lock()

    def take(self, system: str) -> Cell | None:
        """Return the next cell for a thread that has ``system`` open; None if there is none for it."""
        with self._lock:
            free = [name for name, cells in self._waiting.items() if cells and self._may(name)]
            if not free:
                return None
            # The most work first, so that no thread ends up with a whole system at the end.
            name = system if system in free else max(free, key=lambda name: len(self._waiting[name]))
            self._running[name] += 1
            return self._waiting[name].popleft()

    def ended(self, outcome: CellOutcome) -> None:
        """Take note of how a cell ended."""
        system = outcome.cell.system
        with self._lock:
            self._running[system] -= 1
            total = self._seconds[system]
            total[0] += outcome.seconds
            total[1] += 1
            if outcome.cause == "model":
                self._model_failures += 1
            else:
                self._model_failures = 0
            if outcome.cause == "system":
                self._failed[system] += 1
            elif outcome.status == "done":
                self._fine.add(system)

    def hopeless(self, system: str) -> bool:
        """Return whether a system failed at every cell so far, and often enough to leave it at that."""
        with self._lock:
            return self._failed[system] >= PATIENCE and system not in self._fine

    @property
    def models_fail(self) -> bool:
        """Whether the last cells all failed because a model could not be had."""
        with self._lock:
            return self._model_failures >= PATIENCE

    def seconds_left(self, threads: int) -> float:
        """Estimate the seconds until all is done, from the mean time of each system's cells so far."""
        with self._lock:
            seconds = sum(total for total, _ in self._seconds.values())
            ended = sum(count for _, count in self._seconds.values())
            overall = seconds / ended if ended else 0.0
            left = 0.0
            for name in self._waiting:
                total, count = self._seconds[name]
                mean = total / count if count else overall
                left += mean * (len(self._waiting[name]) + self._running[name] / 2)
            return left / max(threads, 1)

    def _may(self, name: str) -> bool:
        return name not in self._alone or not self._running[name]
