"""The second half of a cell: an input, an answer to the task, what a filter and judges make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memjoin.cases.schema import Case
from memjoin.conditions.interventions.base import AnswerFilter, DecisionError, Draft, Given
from memjoin.judging.panel import Judge, ask_panel
from memjoin.judging.rows import judged, missing
from memjoin.judging.verdict import Action, Joins, VerdictRow
from memjoin.models.errors import ContextLengthError, ModelError
from memjoin.models.reader_prompt import build_messages
from memjoin.models.types import ChatRequest, Message, Scope
from memjoin.models.wire import Sampling
from memjoin.runs.arms import Arm
from memjoin.runs.cell import Cause, Cell
from memjoin.runs.codec import clean
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.ledger import Answered, Ledger

DECISIONS = 2
"""How often a filter is asked for a decision that can be used."""
FILTER_TEMPERATURE = 0.0


@dataclass(frozen=True, slots=True)
class Answering:
    """How answers are made and judged in a run.

    Attributes:
        reader: The reader's name, as requests have it.
        sampling: Temperature and first seed of the reader.
        judges: Makes the panel, given the exchange that its calls go through.
        filter: The filter's name, as requests have it.
    """

    reader: str
    sampling: Sampling
    judges: Callable[[LedgerExchange], Sequence[Judge]]
    filter: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What an answer is made with: who answers and judges, where their calls go, and what keeps it all."""

    answering: Answering
    exchange: LedgerExchange
    ledger: Ledger


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
    arm: Arm,
    given: Given,
    keeps: Keeps,
    desk: Desk,
) -> Judged:
    """Let the reader do the case's task with an input, have the answer judged, and commit it all.

    An endpoint that fails for this answer alone makes it *missing*, with the reason; it is never a zero.

    Args:
        cell: The cell.
        case: Its case.
        arm: Which of the cell's answers it is.
        given: What the reader gets beside the task.
        keeps: What the input and its store keep of the case.
        desk: Reader and judges, and the ledger, which gets the answer with its input, the votes and the
            verdict.

    Raises:
        ModelError: An endpoint fails for good: a wrong key, an address that is no API.
        LedgerError: The ledger cannot be written.
    """
    scope = Scope(cell.system, cell.case, cell.trial, "answer", arm.place)
    request = ChatRequest(
        desk.answering.reader,
        tuple(build_messages(case.task.text, given.items, given.instructions)),
        _parameters(desk.answering.sampling, cell.trial),
    )
    try:
        reply = desk.exchange.chat(scope, "reader", request)
    except ModelError as error:
        return _unanswered(cell, case, arm, keeps, error, desk.ledger)
    content = reply.message.get("content")
    text = clean(content) if isinstance(content, str) else ""
    answered = Answered(given.items, text)
    return _judged(scope, case, arm, answered, keeps, None, desk)


def filtered(
    cell: Cell,
    case: Case,
    arm: Arm,
    by: AnswerFilter,
    keeps: Keeps,
    desk: Desk,
) -> Judged:
    """Have an answer of the cell filtered, what is left of it judged, and commit it all.

    The original is the answer of the same arm without the filter, and stays. A decision that cannot be
    understood is asked for once more; after that the filtered answer is *missing*.

    Args:
        cell: The cell.
        case: Its case.
        arm: The arm with the filter.
        by: The filter.
        keeps: What the input and its store keep of the case.
        desk: Filter and judges, and the ledger, which has the original answer and gets the filtered one.

    Raises:
        ModelError: An endpoint fails for good.
        LedgerError: The ledger cannot be written.
    """
    original = desk.ledger.answer(cell, arm.unfiltered.place)
    if original is None:
        reason = "there is no answer to filter"
        return Judged(gap(cell, case, arm, keeps, reason=reason, ledger=desk.ledger))
    scope = Scope(cell.system, cell.case, cell.trial, "answer", arm.place)
    draft = Draft(case.task.text, original.answer)
    messages = by.request(draft)
    why = ""
    for _ in range(DECISIONS):
        try:
            decision = "" if messages is None else _decision(scope, messages, desk)
            made = by.apply(draft, decision)
        except ModelError as error:
            return _unanswered(cell, case, arm, keeps, error, desk.ledger)
        except DecisionError as error:
            why = str(error)
            continue
        answered = Answered(original.items, clean(made.answer))
        return _judged(scope, case, arm, answered, keeps, made.action, desk)
    reason = f"the filter's decision cannot be used, {DECISIONS} times: {why}"
    return Judged(gap(cell, case, arm, keeps, reason=reason, ledger=desk.ledger))


def gap(
    cell: Cell,
    case: Case,
    arm: Arm,
    keeps: Keeps = NOTHING_KNOWN,
    *,
    reason: str,
    ledger: Ledger,
) -> VerdictRow:
    """Commit that an answer could not be had, and why; returns the *missing* verdict."""
    verdict = missing(
        case,
        system=cell.system,
        condition=arm.condition,
        intervention=arm.intervention,
        trial=cell.trial,
        reason=reason,
        store=keeps.store,
        input=keeps.input,
    )
    ledger.commit_gap(cell, verdict)
    return verdict


def _judged(
    scope: Scope,
    case: Case,
    arm: Arm,
    answered: Answered,
    keeps: Keeps,
    action: Action | None,
    desk: Desk,
) -> Judged:
    said = ask_panel(desk.answering.judges(desk.exchange), scope, case, answered.answer)
    verdict = judged(
        case,
        system=scope.system,
        condition=arm.condition,
        intervention=arm.intervention,
        trial=scope.trial,
        consensus=said.consensus,
        store=keeps.store,
        input=keeps.input,
        action=action,
    )
    desk.ledger.commit_verdict(Cell(scope.system, scope.case, scope.trial), answered, said.ballots, verdict)
    # Where the votes at hand decide, a judge that could not be reached is not worth another try.
    unreached = desk.exchange.unanswered() if verdict.status == "invalid" else None
    return Judged(verdict, str(unreached), "model") if unreached else Judged(verdict)


def _unanswered(cell: Cell, case: Case, arm: Arm, keeps: Keeps, error: ModelError, ledger: Ledger) -> Judged:
    if error.stops_run:
        raise error
    verdict = gap(cell, case, arm, keeps, reason=error.message, ledger=ledger)
    # An input that is too long for the reader says nothing about whether the model can be had.
    return Judged(verdict, str(error), "" if isinstance(error, ContextLengthError) else "model")


def _decision(scope: Scope, messages: tuple[Message, ...], desk: Desk) -> str:
    sampling = replace(desk.answering.sampling, temperature=FILTER_TEMPERATURE)
    request = ChatRequest(desk.answering.filter, messages, _parameters(sampling, scope.trial))
    content = desk.exchange.chat(scope, "filter", request).message.get("content")
    return content if isinstance(content, str) else ""


def _parameters(sampling: Sampling, trial: int) -> dict[str, object]:
    parameters: dict[str, object] = {}
    if sampling.temperature is not None:
        parameters["temperature"] = sampling.temperature
    if sampling.seed is not None:
        parameters["seed"] = sampling.seed + trial
    return parameters
