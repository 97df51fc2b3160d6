"""What can be wrong with a verdict table."""

from __future__ import annotations

from memjoin.errors import MemJoinError


class VerdictTableError(MemJoinError):
    """Verdict rows that contradict each other, or the run's plan."""
