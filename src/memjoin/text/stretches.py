"""Which stretches of a text are taken already, in a time that does not grow with their number."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable


class Stretches:
    """Stretches of a text, from a start to an end that is no part of them; what overlaps is one.

    Args:
        taken: Stretches, in any order.
    """

    def __init__(self, taken: Iterable[tuple[int, int]] = ()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(taken):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def free(self, start: int, end: int) -> bool:
        """Tell whether nothing of a stretch is taken."""
        before = bisect_left(self._starts, end) - 1  # the last that begins before its end
        return before < 0 or self._ends[before] <= start

    def take(self, start: int, end: int) -> None:
        """Take a stretch that is free."""
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._ends.insert(at, end)
