"""The second half of a cell: an input, an answer to the task, and what judges say of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memjoin.cases.schema import Case
from memjoin.conditions.views import ReaderInput
from memjoin.judging.panel import Judge, ask_panel
from memjoin.judging.rows import judged, missing
from memjoin.judging.verdict import Joins, VerdictRow
from memjoin.models.errors import ContextLengthError, ModelError
from memjoin.models.reader_prompt import build_messages
from memjoin.models.types import ChatRequest, Scope
from memjoin.models.wire import Sampling
from memjoin.runs.cell import Cause, Cell
from memjoin.runs.codec import clean
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.ledger import Answered, Ledger


@dataclass(frozen=True, slots=True)
class Answering:
    """How answers are made and judged in a run.

    Attributes:
        reader: The reader's name, as requests have it.
        sampling: Temperature and first seed of the reader.
        judges: Makes the panel, given the exchange that its calls go through.
    """

    reader: str
    sampling: Sampling
    judges: Callable[[LedgerExchange], Sequence[Judge]]


@dataclass(frozen=True, slots=True)
class Keeps:
    """What is kept of a case in a store, and in the reader's input that comes from it; None where there is
    no store, no memory in the input, or neither is known."""

    store: Joins | None
    input: Joins | None


NOTHING_KNOWN = Keeps(None, None)


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict that is committed. ``problem`` says what kept it from being better, where trying again may
    help, and ``cause`` whose failure that was; both are empty otherwise."""

    verdict: VerdictRow
    problem: str = ""
    cause: Cause = ""


def answer(
    cell: Cell,
    case: Case,
    given: ReaderInput,
    keeps: Keeps,
    *,
    answering: Answering,
    exchange: LedgerExchange,
    ledger: Ledger,
) -> Judged:
    """Let the reader do the case's task with an input, have the answer judged, and commit it all.

    An endpoint that fails for this answer alone makes it *missing*, with the reason; it is never a zero.

    Args:
        cell: The cell.
        case: Its case.
        given: What the reader gets beside the task.
        keeps: What the input and its store keep of the case.
        answering: Reader and judges.
        exchange: Where their calls go.
        ledger: Gets the answer with its input, the votes and the verdict.

    Raises:
        ModelError: An endpoint fails for good: a wrong key, an address that is no API.
        LedgerError: The ledger cannot be written.
    """
    scope = Scope(cell.system, cell.case, cell.trial, "answer", given.condition)
    request = ChatRequest(
        answering.reader,
        tuple(build_messages(case.task.text, given.items)),
        _parameters(answering.sampling, cell.trial),
    )
    try:
        reply = exchange.chat(scope, "reader", request)
    except ModelError as error:
        if error.stops_run:
            raise
        verdict = gap(cell, case, given.condition, keeps, reason=error.message, ledger=ledger)
        # An input that is too long for the reader says nothing about whether the model can be had.
        return Judged(verdict, str(error), "" if isinstance(error, ContextLengthError) else "model")
    content = reply.message.get("content")
    text = clean(content) if isinstance(content, str) else ""
    said = ask_panel(answering.judges(exchange), scope, case, text)
    verdict = judged(
        case,
        system=cell.system,
        condition=given.condition,
        trial=cell.trial,
        consensus=said.consensus,
        store=keeps.store,
        input=keeps.input,
    )
    ledger.commit_verdict(cell, Answered(given.items, text), said.ballots, verdict)
    # Where the votes at hand decide, a judge that could not be reached is not worth another try.
    unreached = exchange.unanswered() if verdict.status == "invalid" else None
    return Judged(verdict, str(unreached), "model") if unreached else Judged(verdict)


def gap(
    cell: Cell,
    case: Case,
    condition: str,
    keeps: Keeps = NOTHING_KNOWN,
    *,
    reason: str,
    ledger: Ledger,
) -> VerdictRow:
    """Commit that an answer could not be had, and why; returns the *missing* verdict."""
    verdict = missing(
        case,
        system=cell.system,
        condition=condition,
        trial=cell.trial,
        reason=reason,
        store=keeps.store,
        input=keeps.input,
    )
    ledger.commit_gap(cell, verdict)
    return verdict


def _parameters(sampling: Sampling, trial: int) -> dict[str, object]:
    parameters: dict[str, object] = {}
    if sampling.temperature is not None:
        parameters["temperature"] = sampling.temperature
    if sampling.seed is not None:
        parameters["seed"] = sampling.seed + trial
    return parameters
