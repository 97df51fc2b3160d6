"""The protocol between MemJoin and a memory system. Standard library only: it runs in any environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

LossKind = Literal[
    "unparseable-reply",  # the model's reply could not be read as what the framework asked for
    "empty-reply",  # the reply held nothing
    "ignored-reply",  # the reply had content that was not stored
    "model-error",  # the endpoint failed
    "storage-error",  # a store refused a record
    "nothing-stored",  # a session left no trace in the store
    "other",
]


@dataclass(frozen=True)
class Turn:
    """One message: ``speaker`` is ``user`` or ``assistant``."""

    speaker: str
    text: str


@dataclass(frozen=True)
class Session:
    """One conversation as a memory system gets it. ``at`` is local time, e.g. ``2029-08-20T14:05``."""

    id: str
    at: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Record:
    """One stored or retrieved record.

    ``text`` is exactly what a reader would see, the adapter's own dates and stamps included. ``created``
    and ``updated`` are ISO times or None where the system keeps none. ``sessions`` are the ids of the
    sessions it is known to come from, empty if unknown. ``score`` is set on retrieval alone, higher is
    nearer, None where the system gives none.
    """

    id: str
    text: str
    kind: str = "memory"
    created: str | None = None
    updated: str | None = None
    sessions: tuple[str, ...] = ()
    score: float | None = None


@dataclass(frozen=True)
class Loss:
    """Something that was said or answered and is not in the store, and why."""

    kind: LossKind
    detail: str


@dataclass(frozen=True)
class WriteReport:
    """What writing one session did: counts of records, of model calls, and every loss."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    model_calls: int = 0
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True)
class Settings:
    """What a system is made with.

    ``base_url`` and ``api_key`` are the gateway's (OpenAI-compatible, ``/v1`` included); a system never
    sees a provider's key. ``home`` is a private directory of this worker that may be written to.
    ``options`` come from the system's registered configuration.
    """

    base_url: str
    api_key: str
    chat_model: str
    embedding_model: str
    dimensions: int
    home: str
    options: dict[str, object] = field(default_factory=dict)


class MemorySystem(Protocol):
    """What a memory system must do. Made with ``System(settings)``; calls come one at a time.

    ``reset`` leaves a fresh, empty memory and nothing of an earlier case. ``retrieve`` must not change the
    store. ``k`` is None where the run leaves the number to the system's own configuration.
    """

    def reset(self, case_id: str, seed: int) -> None:
        """Make the memory empty."""

    def write(self, session: Session) -> WriteReport:
        """Store one session. Sessions come in order."""

    def export(self) -> list[Record]:
        """Return every stored record, in a stable order."""

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return records for a query, best first."""

    def close(self) -> None:
        """Free what is held."""
