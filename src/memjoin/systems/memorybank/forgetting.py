"""MemoryBank's forgetting curve, as published: R = exp(-t / S).

``t`` is the time since a memory was made or last recalled, in days; ``S`` its strength, 1 at first and 1 more
with every recall. R is the share of memories that are still there after t. A memory has one draw, uniform in
[0, 1), from its making or last recall on, and is gone once R has fallen to it: so the chance to be there
after t is R(t) however often one looks. (The authors' program draws afresh at every start, which makes
memories fade faster the more often it is started.)
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

_DAY = timedelta(days=1)


def retention(days: float, strength: float) -> float:
    """Return R, the chance that a memory of a strength is still there after a number of days."""
    return math.exp(-days / strength)


@dataclass(frozen=True, slots=True)
class Trace:
    """How well one memory is remembered: its strength, since when, and its draw in [0, 1)."""

    since: datetime
    draw: float
    strength: int = 1

    def kept(self, now: datetime) -> bool:
        """Tell whether the memory is still there at a time; a time before ``since`` counts as ``since``."""
        return self.draw < retention(max((now - self.since) / _DAY, 0.0), self.strength)

    def recalled(self, now: datetime, draw: float) -> Trace:
        """Return the trace after a recall: stronger by 1, its time beginning anew, with a draw of its own."""
        return replace(self, since=now, draw=draw, strength=self.strength + 1)


def draw(seed: int, case_id: str, memory: str, strength: int) -> float:
    """Return the draw of a memory at a strength: uniform in [0, 1), the same for the same arguments."""
    digest = hashlib.sha256(f"{seed}\n{case_id}\n{memory}\n{strength}".encode()).digest()
    # 53 bits, as many as a float has: more could round up to 1, which no retention exceeds.
    return (int.from_bytes(digest[:7], "big") >> 3) / 2**53
