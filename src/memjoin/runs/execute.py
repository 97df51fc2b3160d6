"""Runs the cells: some threads, each with a place for memory systems, and one way to stop them all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.models.gateway import Gateway
from memjoin.runs.cell import Cell, CellOutcome
from memjoin.runs.cells import Means, done_cells, give_up, run_cell
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.memory import Bench, Opener, RunStoppedError
from memjoin.runs.queue import PATIENCE, CellQueue

GRACE = 3.0
"""Seconds that threads get to leave when the run is stopped; a model call under way can take longer."""


class ModelsFailError(MemJoinError):
    """A model could not be had for several cells in a row; to go on would lose the next ones too."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: cells that ended of all, of these failed, cells a second, and seconds left."""

    ended: int
    total: int
    failed: int
    rate: float
    left: float
    last: CellOutcome | None = None


def execute(
    cells: Sequence[Cell],
    cases: Mapping[str, Case],
    means: Means,
    *,
    logs: Path,
    scratch: Path,
    concurrency: int,
    opener: Opener,
    report: Callable[[Progress], None] = lambda progress: None,
) -> list[CellOutcome]:
    """Run all cells that the ledger does not have as done, and return how they ended.

    The order in which they run has no part in what they yield.

    Args:
        cells: All cells of the run.
        cases: The cases by id.
        means: What the cells are run with.
        logs: The folder for what systems print.
        scratch: A folder for their private directories.
        concurrency: How many cells run at once.
        opener: Opens a memory system.
        report: Gets the progress once at the beginning and after every cell; called from one thread at a
            time.

    Raises:
        ModelError: A model fails for good, or failed for several cells in a row.
        LedgerError: The ledger cannot be written.
        GatewayError: The gateway cannot be started.
        KeyboardInterrupt: The user stopped the run. Like the others, it comes when all has been stopped.
    """
    done = done_cells(means.ledger, means.conditions, means.treated)
    waiting = [cell for cell in cells if cell not in done]
    alone = [name for name, setup in means.setups.items() if setup.spec.kind == "in-process"]
    board = _Board(len(cells), len(cells) - len(waiting), CellQueue(waiting, alone), report)
    if not waiting:
        board.show()
        return []
    logs.mkdir(parents=True, exist_ok=True)
    # Connections bring their own exchange; this one is for none of them.
    with Gateway(LedgerExchange(means.ledger, {})) as gateway:
        stopped = threading.Event()
        threads = min(concurrency, len(waiting))
        board.threads = threads
        benches = [
            Bench(gateway, means.dimensions, logs, scratch, number + 1, stopped, opener)
            for number in range(threads)
        ]
        board.show()
        futures: list[Future[None]] = []
        try:
            for bench in benches:
                futures.append(_in_thread(partial(_work, board, cases, means, bench)))
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            _stop(stopped, benches[: len(futures)], futures)
    for future in futures:
        if future.done() and (error := future.exception()) and not isinstance(error, RunStoppedError):
            raise error
    return board.outcomes


class _Board:
    """What the threads of a run share: the queue, the outcomes and the count."""

    def __init__(
        self, total: int, already: int, queue: CellQueue, report: Callable[[Progress], None]
    ) -> None:
        self.queue = queue
        self.outcomes: list[CellOutcome] = []
        self.threads = 1
        self._total = total
        self._already = already
        self._failed = 0
        self._report = report
        self._began = time.monotonic()
        self._lock = threading.Lock()

    def ended(self, outcome: CellOutcome) -> None:
        """Count a cell that ended, and tell of it."""
        self.queue.ended(outcome)
        with self._lock:
            self.outcomes.append(outcome)
            self._failed += outcome.status == "failed"
            self._show(outcome)

    def show(self) -> None:
        """Tell how things stand at the beginning."""
        with self._lock:
            self._show(None)

    def _show(self, outcome: CellOutcome | None) -> None:
        ended = len(self.outcomes)
        passed = time.monotonic() - self._began
        self._report(
            Progress(
                ended=self._already + ended,
                total=self._total,
                failed=self._failed,
                rate=ended / passed if passed > 0 else 0.0,
                left=self.queue.seconds_left(self.threads),
                last=outcome,
            )
        )


def _work(board: _Board, cases: Mapping[str, Case], means: Means, bench: Bench) -> None:
    """Run cells until there are none, or the run is being stopped: what one thread does."""
    system = ""
    try:
        while (cell := board.queue.take(system)) is not None:
            bench.check_stopped()
            case = cases[cell.case]
            if board.queue.hopeless(cell.system):
                error = MemJoinError(f"not tried: {cell.system} failed at each of its first {PATIENCE} cells")
                outcome = give_up(cell, case, means, error, "system")
            else:
                outcome = run_cell(cell, case, means, bench)
            system = cell.system or system
            board.ended(outcome)
            if board.queue.models_fail:
                raise ModelsFailError(
                    f"{PATIENCE} cells in a row failed for want of a model. The last: {_first(outcome)}",
                    "Wait until the endpoint is well again.",
                )
    finally:
        bench.close()


def _in_thread(work: Callable[[], None]) -> Future[None]:
    """Start a thread that does not keep the process alive: it may be waiting for a model when all stops."""
    future: Future[None] = Future()

    def body() -> None:
        with _Into(future):
            work()

    threading.Thread(target=body, name="memjoin-cells", daemon=True).start()
    return future


class _Into:
    """Puts how a block ends into a future, whatever it is: who waits for the future gets the exception."""

    def __init__(self, future: Future[None]) -> None:
        self._future = future

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None:
            self._future.set_result(None)
        else:
            self._future.set_exception(error)
        return True


def _first(outcome: CellOutcome) -> str:
    return outcome.reason.partition("\n")[0]


def _stop(stopped: threading.Event, benches: Sequence[Bench], futures: Sequence[Future[None]]) -> None:
    """Have all threads leave. Does nothing where they have left of themselves."""
    stopped.set()
    if all(future.done() for future in futures):
        return
    for bench in benches:
        bench.interrupt()
    wait(futures, timeout=GRACE)
    for bench, future in zip(benches, futures, strict=True):
        if not future.done():
            # It waits for a model, not for its system, whose process is gone: what is left can be cleared.
            bench.close()
