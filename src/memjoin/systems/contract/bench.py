"""What a check of the contract gets, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from memjoin.errors import MemJoinError
from memjoin.systems.launch import OpenSystem
from memjoin.systems.protocol import Record, Session, WriteReport

Outcome: TypeAlias = Literal["passed", "failed", "not applicable"]
Calls: TypeAlias = Literal["none", "all", "first", "last"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One point of the contract, and what was found.

    Attributes:
        name: The point, a short name.
        rule: What a system must do, in a sentence.
        outcome: What came of it; ``not applicable`` where there is nothing to try.
        evidence: What was seen, in a sentence.
    """

    name: str
    rule: str
    outcome: Outcome
    evidence: str


class Bench(Protocol):
    """A system on a gateway whose models can be made to answer badly."""

    system: OpenSystem
    prose: str
    """What the fault ``prose`` answers, to be looked for in the store."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The names of all faults; one of them is ``prose``."""

    @property
    def chat_calls(self) -> int:
        """How many chat calls the system has made so far, answered well or badly."""

    def spoil(self, fault: str, number: int | None) -> None:
        """From now on answer with a fault: the call of this number counted from now, or all (None)."""

    def heal(self) -> None:
        """From now on answer well."""


OpenBench: TypeAlias = Callable[[], AbstractContextManager[Bench]]


class Benches:
    """The benches of one round of checks: fresh ones, and one that is used again, since opening is dear.

    Args:
        open_bench: Opens the system afresh, and closes it on leaving.
    """

    def __init__(self, open_bench: OpenBench) -> None:
        self.fresh = open_bench
        self._stack = ExitStack()
        self._bench: Bench | None = None

    @contextmanager
    def shared(self) -> Iterator[Bench]:
        """Give the bench that was used before; after any fault of the system, a new one."""
        if self._bench is None:
            self._bench = self._stack.enter_context(self.fresh())
        try:
            yield self._bench
        except MemJoinError:
            self.close()
            raise

    def close(self) -> None:
        """Close the bench that was used again."""
        self._bench = None
        self._stack.close()


@dataclass(frozen=True, slots=True)
class Written:
    """What writing some sessions did. ``calls`` are the gateway's counts, a session each."""

    before: list[Record]
    exports: list[list[Record]]
    reports: list[WriteReport]
    calls: list[int]

    @property
    def after(self) -> list[Record]:
        """The last export."""
        return self.exports[-1]

    @property
    def losses(self) -> list[str]:
        """All losses, as text."""
        return [f"{loss.kind}: {loss.detail}" for report in self.reports for loss in report.losses]


class Broken(Exception):
    """A point of the contract does not hold; the message is the evidence."""


class Inapplicable(Exception):
    """There is nothing to try; the message says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """A point of the contract. ``run`` returns the evidence, or raises Broken or Inapplicable."""

    name: str
    rule: str
    run: Callable[[Benches], str]


def write_all(bench: Bench, case_id: str, sessions: list[Session]) -> Written:
    """Reset the system, write sessions in order, and export before, between and after."""
    system = bench.system
    system.reset(case_id, 7)
    before = system.export()
    exports, reports, calls = [], [], []
    for session in sessions:
        earlier = bench.chat_calls
        reports.append(system.write(session))
        calls.append(bench.chat_calls - earlier)
        exports.append(system.export())
    return Written(before, exports, reports, calls)
