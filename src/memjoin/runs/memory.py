"""The first half of a cell: sessions go into a memory system, and what it keeps comes out."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memjoin.cases.schema import Case
from memjoin.cases.schema import Session as CaseSession
from memjoin.errors import MemJoinError
from memjoin.models.connection import Connection
from memjoin.models.errors import ModelError
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import Scope
from memjoin.models.wire import Sampling
from memjoin.runs.cell import Cell, SessionReport, StoredMemory
from memjoin.runs.codec import clean
from memjoin.runs.config import digest
from memjoin.runs.exchange import LedgerExchange
from memjoin.systems.errors import SystemFault, WorkerDied, WorkerGarbage, WorkerTimeout
from memjoin.systems.launch import OpenSystem
from memjoin.systems.protocol import Record, Session, Settings, Turn
from memjoin.systems.spec import SystemSpec

ATTEMPTS = 3
"""How often a case is written before its cell is given up, where the system's process ends or hangs."""

Opener = Callable[[SystemSpec, Settings, Path], OpenSystem]
"""Opens a system: specification, settings, and the file for its standard error."""


class RunStoppedError(MemJoinError):
    """The run is being stopped; what was under way is left as it is."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A memory system as a run uses it.

    Attributes:
        spec: The system.
        k: How many records are asked for; None leaves it to the system.
        sampling: Temperature and first seed of its model calls.
    """

    spec: SystemSpec
    k: int | None
    sampling: Sampling


class Bench:
    """A thread's place to run memory systems: one is open at a time, and kept for the next cell.

    Args:
        gateway: Where the systems' model calls go.
        dimensions: Of the embedder's vectors.
        logs: The folder for what the systems print.
        scratch: The folder for their private directories.
        number: The thread's number, for the names of logs.
        stopped: Set when the run is being stopped.
        opener: Opens a system.
    """

    def __init__(
        self,
        gateway: Gateway,
        dimensions: int,
        logs: Path,
        scratch: Path,
        number: int,
        stopped: threading.Event,
        opener: Opener,
    ) -> None:
        self._gateway = gateway
        self._dimensions = dimensions
        self._logs = logs
        self._scratch = scratch
        self._number = number
        self._stopped = stopped
        self._opener = opener
        self._setup: Setup | None = None
        self._system: OpenSystem | None = None
        self._connection: Connection | None = None

    def memory(
        self, setup: Setup, cell: Cell, case: Case, exchange: Callable[[int], LedgerExchange]
    ) -> StoredMemory:
        """Write a case into an empty memory of a system, and return what it keeps and retrieves.

        A process that ends, hangs or prints garbage is replaced, and the case written again from its first
        session; model calls that were answered are not asked again.

        Args:
            setup: The system.
            cell: The cell; its trial gives the seed.
            case: The case.
            exchange: Makes the exchange of an attempt, given its number, from 1 on.

        Raises:
            ModelError: A model could not be had, whatever the system made of it.
            SystemFault: The system failed, of its own accord.
            LedgerError: The ledger cannot be written.
            RunStoppedError: The run is being stopped.
        """
        for attempt in range(1, ATTEMPTS + 1):
            calls = exchange(attempt)
            try:
                return self._write(setup, cell, case, calls)
            except (WorkerDied, WorkerTimeout, WorkerGarbage):
                self._look(calls)
                self.close()
                if attempt == ATTEMPTS:
                    raise
            except SystemFault:
                self._look(calls)
                self.close()
                raise
            except BaseException:
                self.close()
                raise
        raise AssertionError("the last attempt returns or raises")

    def check_stopped(self) -> None:
        """Raise ``RunStoppedError`` if the run is being stopped."""
        if self._stopped.is_set():
            raise RunStoppedError("The run is being stopped.")

    def interrupt(self) -> None:
        """End the system's process under another thread's hands; its call there fails at once."""
        if (system := self._system) is not None:
            system.interrupt()

    def close(self) -> None:
        """End the open system, if there is one."""
        system, self._system = self._system, None
        connection, self._connection = self._connection, None
        self._setup = None
        # First the key: what a dying process still asks must not be answered in a later attempt's name.
        if connection is not None:
            connection.close()
        if system is not None:
            system.close()

    def _write(self, setup: Setup, cell: Cell, case: Case, calls: LedgerExchange) -> StoredMemory:
        scope = Scope(cell.system, cell.case, cell.trial, "start")
        system, connection = self._ready(setup, scope, calls)
        before = connection.counts
        seed = (setup.sampling.seed or 0) + cell.trial
        connection.exchange = calls
        connection.sampling = replace(setup.sampling, seed=seed)
        connection.scope = scope
        system.reset(_opaque(case.id), seed)
        reports = []
        for session in case.sessions:
            connection.scope = replace(scope, stage=session.id)
            reports.append(SessionReport(session.id, system.write(_plain(session))))
            self._look(calls)
        exported = _cleaned(system.export())
        connection.scope = replace(scope, stage="retrieve")
        retrieved = _cleaned(system.retrieve(case.task.text, setup.k))
        self._look(calls)
        return StoredMemory(
            hash=store_hash(exported),
            exported=exported,
            retrieved=retrieved,
            reports=tuple(reports),
            counts=connection.counts - before,
        )

    def _ready(self, setup: Setup, scope: Scope, calls: LedgerExchange) -> tuple[OpenSystem, Connection]:
        if self._system is not None and self._connection is not None and self._setup == setup:
            return self._system, self._connection
        self.close()
        self.check_stopped()
        self._connection = self._gateway.connect(scope, exchange=calls, sampling=setup.sampling)
        settings = Settings(
            base_url=self._connection.base_url,
            api_key=self._connection.api_key,
            chat_model=CHAT_MODEL,
            embedding_model=EMBEDDING_MODEL,
            dimensions=self._dimensions,
            home=tempfile.mkdtemp(dir=self._scratch),
        )
        self._system = self._opener(setup.spec, settings, self._logs / _log_name(setup.spec, self._number))
        self._setup = setup
        return self._system, self._connection

    def _look(self, calls: LedgerExchange) -> None:
        """Raise what went wrong behind the system's back, which it may have swallowed or died of."""
        self.check_stopped()
        errors = self._connection.take_errors() if self._connection else []
        for error in errors:
            ours = not isinstance(error, MemJoinError)  # a fault in the gateway
            ledger = isinstance(error, MemJoinError) and not isinstance(error, ModelError)
            if ours or ledger or (isinstance(error, ModelError) and error.stops_run):
                raise error
        if (unanswered := calls.unanswered()) is not None:
            raise unanswered


def store_hash(records: Sequence[Record]) -> str:
    """Return the SHA-256 that identifies a store: over every exported record, in order."""
    return digest([[r.id, r.text, r.kind, r.created, r.updated, list(r.sessions)] for r in records])


def _opaque(case: str) -> str:
    # A case's id names its family and topology, which are the evaluator's side.
    return f"case-{hashlib.sha256(case.encode()).hexdigest()[:12]}"


def _plain(session: CaseSession) -> Session:
    return Session(session.id, session.at, tuple(Turn(turn.speaker, turn.text) for turn in session.turns))


def _cleaned(records: Sequence[Record]) -> tuple[Record, ...]:
    cleaned = ((record, clean(record.text)) for record in records)
    return tuple(record if text == record.text else replace(record, text=text) for record, text in cleaned)


def _log_name(spec: SystemSpec, number: int) -> str:
    name = "".join(c if c.isalnum() else "-" for c in spec.name)[:40]
    return f"{name}-{number}.log"
