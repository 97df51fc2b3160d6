"""None: keeps nothing. Standard library only."""

from __future__ import annotations

from memjoin.systems.protocol import Record, Session, Settings, WriteReport


class Nothing:
    """A memory that stays empty: a reader has the task alone, on the way that every other memory takes."""

    def __init__(self, settings: Settings) -> None:
        pass

    def reset(self, case_id: str, seed: int) -> None:
        """Stay empty."""

    def write(self, session: Session) -> WriteReport:
        """Take a session and keep nothing of it. That is what it is for, and no loss."""
        return WriteReport()

    def export(self) -> list[Record]:
        """Return no record."""
        return []

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return no record."""
        return []

    def close(self) -> None:
        """Hold nothing, as before."""
