"""One cell, from its first write to its last vote."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memjoin.cases.schema import Case
from memjoin.conditions.interventions.apply import edited
from memjoin.conditions.interventions.base import Given, is_filter
from memjoin.conditions.views import condition, view
from memjoin.errors import MemJoinError
from memjoin.judging.joins import joins
from memjoin.models.errors import ModelError
from memjoin.models.types import ChatModel, Embedder
from memjoin.runs.answers import Answering, Asked, Desk, answer, gap
from memjoin.runs.arms import arms_of
from memjoin.runs.cell import Cause, Cell, CellOutcome
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.filtering import filtered
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
        dimensions: Of its vectors.
        answering: Reader and judges.
        conditions: Names of the input conditions, in order.
        treated: The arms with an intervention, by name, in order.
    """

    ledger: Ledger
    setups: Mapping[str, Setup]
    models: Mapping[str, Mapping[str, ChatModel]]
    embedder: Embedder
    dimensions: int
    answering: Answering
    conditions: tuple[str, ...]
    treated: tuple[str, ...] = ()


def done_cells(ledger: Ledger, conditions: Sequence[str], treated: Sequence[str]) -> set[Cell]:
    """Return the cells that a ledger has as done, with an answer for every arm.

    One that was done before the run got another intervention is not.
    """
    places = ledger.places()
    return {
        outcome.cell
        for outcome in ledger.outcomes()
        if outcome.status == "done"
        and all(
            arm.place in places.get(outcome.cell.place, ())
            for arm in arms_of(outcome.cell, conditions, treated)
        )
    }


def conditions_of(cell: Cell, conditions: Sequence[str]) -> tuple[str, ...]:
    """Return the conditions that a cell answers: the references without a system, the others with one."""
    return tuple(name for name in conditions if condition(name).reference == (not cell.system))


def run_cell(cell: Cell, case: Case, means: Means, bench: Bench) -> CellOutcome:
    """Run a cell, or what is left of it, and commit all it yields and how it ended.

    A memory that is committed is used as it is, and a verdict that is committed stays; so a cell that was
    broken off goes on where it stopped. What fails for this cell alone leaves *missing* verdicts with the
    reason.

    Raises:
        MemJoinError: An intervention of the user's own fails.
        ModelError: A model fails for good.
        LedgerError: The ledger cannot be written.
        RunStoppedError: The run is being stopped.
    """
    began = time.monotonic()
    again = means.ledger.begin(cell)

    def exchange(attempt: int = 1) -> LedgerExchange:
        models = means.models[cell.system]
        return LedgerExchange(means.ledger, models, means.embedder, replay=again or attempt > 1)

    memory = means.ledger.memory(cell) if again and cell.system else None
    try:
        if memory is None and cell.system:
            memory = bench.memory(means.setups[cell.system], cell, case, exchange)
            means.ledger.commit_memory(cell, memory)
    except (ModelError, SystemFault) as error:
        if isinstance(error, ModelError) and error.stops_run:
            raise
        cause: Cause = "model" if isinstance(error, ModelError) else "system"
        return give_up(cell, case, means, error, cause)
    stored = tuple(record.text for record in memory.exported) if memory else ()
    store = joins(stored, case) if memory else None
    results = []
    for arm in arms_of(cell, means.conditions, means.treated):
        committed = means.ledger.verdict(cell, arm.place) if again else None
        if committed is not None and committed.status == "ok":
            continue
        bench.check_stopped()
        seen = view(
            arm.condition,
            sessions=case.sessions,
            retrieved=memory.retrieved if memory else (),
            exported=memory.exported if memory else (),
        )
        steps = arm.steps
        given = edited(Given(seen.items), steps, case)
        kept = None
        if given.items is not None:
            kept = store if memory and given.items == stored else joins(given.items, case)
        asked = Asked(cell, case, arm, store, kept)
        desk = Desk(means.answering, exchange(), means.ledger)
        by = next((step for step in steps if is_filter(step.intervention)), None)
        results.append(answer(asked, given, desk) if by is None else filtered(asked, by, desk))
    seconds = time.monotonic() - began
    outcome = CellOutcome(cell, "done", seconds=seconds)
    for result in results:
        if result.problem and not outcome.cause:
            outcome = CellOutcome(cell, "failed", result.problem, seconds, result.cause)
    means.ledger.commit_outcome(outcome)
    return outcome


def give_up(cell: Cell, case: Case, means: Means, error: MemJoinError, cause: Cause) -> CellOutcome:
    """Commit that no answer of a cell could be had, and why."""
    first = error.message.partition("\n")[0]
    for arm in arms_of(cell, means.conditions, means.treated):
        gap(Asked(cell, case, arm), first, means.ledger)
    outcome = CellOutcome(cell, "failed", str(error), cause=cause)
    means.ledger.commit_outcome(outcome)
    return outcome
