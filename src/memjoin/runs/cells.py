"""One cell, from its first write to its last vote."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memjoin.cases.schema import Case
from memjoin.conditions.views import condition, view
from memjoin.judging.joins import joins
from memjoin.models.errors import ModelError
from memjoin.models.types import ChatModel, Embedder
from memjoin.runs.answers import Answering, answer, gap
from memjoin.runs.cell import Cell, CellOutcome, StoredMemory
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.ledger import Ledger
from memjoin.runs.memory import Bench, Setup
from memjoin.systems.errors import SystemFault


@dataclass(frozen=True, slots=True)
class Means:
    """What the cells of a run are run with.

    Attributes:
        ledger: The run's ledger.
        setups: The memory systems by name.
        models: The models by name of system (empty: of references), each by role, see ``LedgerExchange``.
        embedder: What embeds texts.
        answering: Reader and judges.
        conditions: Names of the input conditions, in order.
    """

    ledger: Ledger
    setups: Mapping[str, Setup]
    models: Mapping[str, Mapping[str, ChatModel]]
    embedder: Embedder
    answering: Answering
    conditions: tuple[str, ...]


def conditions_of(cell: Cell, conditions: Sequence[str]) -> tuple[str, ...]:
    """Return the conditions that a cell answers: the references without a system, the others with one."""
    return tuple(name for name in conditions if condition(name).reference == (not cell.system))


def run_cell(cell: Cell, case: Case, means: Means, bench: Bench) -> CellOutcome:
    """Run a cell, or what is left of it, and commit all it yields and how it ended.

    A memory that is committed is used as it is, and a verdict that is committed stays; so a cell that was
    broken off goes on where it stopped. What fails for this cell alone leaves *missing* verdicts with the
    reason.

    Raises:
        ModelError: A model fails for good.
        LedgerError: The ledger cannot be written.
        RunStoppedError: The run is being stopped.
    """
    began = time.monotonic()
    problem = _run(cell, case, means, bench)
    seconds = time.monotonic() - began
    outcome = CellOutcome(cell, "failed" if problem else "done", problem, seconds)
    means.ledger.commit_outcome(outcome)
    return outcome


def _run(cell: Cell, case: Case, means: Means, bench: Bench) -> str:
    """Return what went wrong, or nothing."""
    wanted = conditions_of(cell, means.conditions)

    def exchange() -> LedgerExchange:
        return LedgerExchange(means.ledger, means.models[cell.system], means.embedder)

    memory: StoredMemory | None = None
    if cell.system:
        try:
            memory = means.ledger.memory(cell)
            if memory is None:
                memory = bench.memory(means.setups[cell.system], cell, case, exchange)
                means.ledger.commit_memory(cell, memory)
        except (ModelError, SystemFault) as error:
            if isinstance(error, ModelError) and error.stops_run:
                raise
            for name in wanted:
                gap(cell, case, name, reason=error.message, ledger=means.ledger)
            return error.message
    store = joins([record.text for record in memory.exported], case) if memory else None
    calls = exchange()
    problems = []
    for name in wanted:
        committed = means.ledger.verdict(cell, name)
        if committed is not None and committed.status == "ok":
            continue
        given = view(
            name,
            sessions=case.sessions,
            retrieved=memory.retrieved if memory else (),
            exported=memory.exported if memory else (),
        )
        result = answer(
            cell, case, given, store, answering=means.answering, exchange=calls, ledger=means.ledger
        )
        problems.append(result.problem)
    return next((problem for problem in problems if problem), "")
