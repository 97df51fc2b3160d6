"""Verbatim: keeps every turn as it was said. Standard library only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memjoin.systems.endpoint import Endpoint, EndpointError
from memjoin.systems.protocol import Loss, Record, Session, Settings, Turn, WriteReport


@dataclass(frozen=True, slots=True)
class _Stored:
    record: Record
    vector: tuple[float, ...]


class Verbatim:
    """Every turn a record, with its date and speaker; dense retrieval.

    Nothing decides what is worth keeping, so what a reader gets of the history depends on retrieval alone.
    Options: ``k``, the number of records where the run leaves it to the system.
    """

    def __init__(self, settings: Settings) -> None:
        self._endpoint = Endpoint(settings)
        self._k = int(str(settings.options.get("k", 10)))
        self._stored: list[_Stored] = []

    def reset(self, case_id: str, seed: int) -> None:
        """Forget everything. Neither the case nor the seed matters here."""
        self._stored = []

    def write(self, session: Session) -> WriteReport:
        """Store every turn of a session, or none where the embedder fails."""
        records = [turn_record(session, number, turn) for number, turn in enumerate(session.turns, start=1)]
        try:
            vectors = self._endpoint.embed([record.text for record in records])
        except EndpointError as error:
            detail = f"{len(records)} turns of {session.id} were not stored: the embedder failed: {error}"
            return WriteReport(losses=(Loss("model-error", detail),))
        self._stored += [
            _Stored(record, _unit(vector)) for record, vector in zip(records, vectors, strict=True)
        ]
        return WriteReport(added=len(records))

    def export(self) -> list[Record]:
        """Return every turn in the order in which it was said."""
        return [stored.record for stored in self._stored]

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return the k turns nearest to a query by cosine similarity, of equal ones the earlier first."""
        if not self._stored:
            return []
        (vector,) = self._endpoint.embed([query])
        unit = _unit(vector)
        found = [replace(stored.record, score=_dot(unit, stored.vector)) for stored in self._stored]
        found.sort(key=lambda record: -(record.score or 0.0))
        return found[: self._k if k is None else k]

    def close(self) -> None:
        """Close the connection to the gateway."""
        self._endpoint.close()


def turn_record(session: Session, number: int, turn: Turn) -> Record:
    """Return a turn as a record: when it was said, by whom, and what."""
    return Record(
        id=f"{session.id}/{number}",
        text=f"[{session.at.replace('T', ' ')}] {turn.speaker}: {turn.text}",
        kind="turn",
        created=session.at,
        sessions=(session.id,),
    )


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    length = math.sqrt(math.fsum(number * number for number in vector)) or 1.0
    return tuple(number / length for number in vector)


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))
