"""The unit of work, and what it leaves in the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.models.connection import Counts
from memjoin.systems.protocol import Record, WriteReport

CellStatus: TypeAlias = Literal["done", "failed"]
Cause: TypeAlias = Literal["", "model", "system"]


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One (system, case, trial), from its first write to its last vote. ``system`` is empty for the cell of
    a case's reference conditions. Trials count from 0.

    Cells share nothing but the ledger and may run in any order, in any process.
    """

    system: str
    case: str
    trial: int

    @property
    def place(self) -> tuple[str, str, int]:
        """The columns that name it in the ledger."""
        return (self.system, self.case, self.trial)

    def __str__(self) -> str:
        return f"{self.system or 'references'}, case {self.case}, trial {self.trial + 1}"


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What writing one session did."""

    session: str
    report: WriteReport


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory after its last session. Every condition of the cell is built from this one value.

    Attributes:
        hash: SHA-256 over the exported records.
        exported: Every record, in the system's stable order.
        retrieved: What the system retrieved for the task, best first.
        reports: What each session's write did, losses included.
        counts: The model calls that made it, as the gateway counted them.
    """

    hash: str
    exported: tuple[Record, ...]
    retrieved: tuple[Record, ...]
    reports: tuple[SessionReport, ...]
    counts: Counts


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """How a cell ended. ``reason`` says why it failed, ``cause`` whose failure it was; a failed cell is tried
    again when the run is resumed, a done one never."""

    cell: Cell
    status: CellStatus
    reason: str = ""
    seconds: float = 0.0
    cause: Cause = ""
