"""The second half of a cell: an input, an answer to the task, and what judges make of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from memjoin.cases.schema import Case
from memjoin.conditions.interventions.base import Given
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
class Asked:
    """Which answer it is: that of an arm of a cell, to the task of the cell's case.

    Attributes:
        cell: The cell.
        case: Its case.
        arm: The arm.
        store: What is kept of the case in the store; None where there is none, or nothing is known.
        input: What is kept of it in the reader's input; None where that has no memory, or nothing is known.
    """

    cell: Cell
    case: Case
    arm: Arm
    store: Joins | None = None
    input: Joins | None = None

    @property
    def scope(self) -> Scope:
        """What its calls are counted under."""
        return Scope(self.cell.system, self.cell.case, self.cell.trial, "answer", self.arm.place)


_WITHHELD: Mapping[str, str] = MappingProxyType(
    {
        "length": "it ended at the model's limit of tokens before anything was said",
        "content_filter": "the endpoint's content filter withheld it",
    }
)
"""Why nothing was said though the model did not leave it at that, by OpenAI's finish reasons: nobody knows
what the answer would have been."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict that is committed. ``problem`` says what kept it from being better, where trying again may
    help, and ``cause`` whose failure that was; both are empty otherwise."""

    verdict: VerdictRow
    problem: str = ""
    cause: Cause = ""


def answer(asked: Asked, given: Given, desk: Desk) -> Judged:
    """Let the reader do the case's task with an input, have the answer judged, and commit it all.

    An endpoint that fails for this answer alone makes it *missing*, with the reason; it is never a zero.

    Args:
        asked: Which answer it is.
        given: What the reader gets beside the task.
        desk: Reader and judges, and the ledger, which gets the answer with its input, the votes and the
            verdict.

    Raises:
        ModelError: An endpoint fails for good: a wrong key, an address that is no API.
        LedgerError: The ledger cannot be written.
    """
    request = ChatRequest(
        desk.answering.reader,
        tuple(build_messages(asked.case.task.text, given.items, given.instructions)),
        parameters(desk.answering.sampling, asked.cell.trial),
    )
    try:
        reply = desk.exchange.chat(asked.scope, "reader", request)
    except ModelError as error:
        return unanswered(asked, error, desk.ledger)
    text = clean(_said(reply.message))
    if not text.strip() and (why := _WITHHELD.get(reply.finish_reason)):
        reason = f"the reader's reply is empty: {why}"
        # To ask again would give the same, and says nothing about whether the model can be had.
        return Judged(gap(asked, reason, desk.ledger), reason)
    return judge(asked, Answered(given.items, text), desk)


def _said(message: Message) -> str:
    """Return what a reply says. A refusal that comes in a field of its own is said as well."""
    for field in ("content", "refusal"):
        text = message.get(field)
        if isinstance(text, str) and text.strip():
            return text
    return ""


def judge(asked: Asked, answered: Answered, desk: Desk, action: Action | None = None) -> Judged:
    """Have an answer judged, and commit it with its votes and verdict.

    Args:
        asked: Which answer it is.
        answered: The answer and its input.
        desk: Judges and ledger.
        action: What a filter did to it; None where there was none.

    Raises:
        ModelError, LedgerError: As for ``answer``.
    """
    said = ask_panel(desk.answering.judges(desk.exchange), asked.scope, asked.case, answered.answer)
    verdict = judged(
        asked.case,
        system=asked.cell.system,
        condition=asked.arm.condition,
        intervention=asked.arm.intervention,
        trial=asked.cell.trial,
        consensus=said.consensus,
        store=asked.store,
        input=asked.input,
        action=action,
    )
    desk.ledger.commit_verdict(asked.cell, answered, said.ballots, verdict)
    # Where the votes at hand decide, a judge that could not be reached is not worth another try.
    unreached = desk.exchange.unanswered() if verdict.status == "invalid" else None
    return Judged(verdict, str(unreached), "model") if unreached else Judged(verdict)


def gap(asked: Asked, reason: str, ledger: Ledger) -> VerdictRow:
    """Commit that an answer could not be had, and why; returns the *missing* verdict."""
    verdict = missing(
        asked.case,
        system=asked.cell.system,
        condition=asked.arm.condition,
        intervention=asked.arm.intervention,
        trial=asked.cell.trial,
        reason=reason,
        store=asked.store,
        input=asked.input,
    )
    ledger.commit_gap(asked.cell, verdict)
    return verdict


def unanswered(asked: Asked, error: ModelError, ledger: Ledger) -> Judged:
    """Commit that a model could not be had for an answer.

    Raises:
        ModelError: It fails for good, and for every other answer too.
    """
    if error.stops_run:
        raise error
    verdict = gap(asked, error.message, ledger)
    # An input that is too long for the reader says nothing about whether the model can be had.
    return Judged(verdict, str(error), "" if isinstance(error, ContextLengthError) else "model")


def parameters(sampling: Sampling, trial: int) -> dict[str, object]:
    """Return what is sent with a request of a trial: the temperature, and the trial's own seed."""
    sent: dict[str, object] = {}
    if sampling.temperature is not None:
        sent["temperature"] = sampling.temperature
    if sampling.seed is not None:
        sent["seed"] = sampling.seed + trial
    return sent
