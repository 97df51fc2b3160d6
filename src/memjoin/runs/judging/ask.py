"""Asks a panel about answers, by way of a ledger, so that nothing is asked twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from memjoin.cases.schema import Case
from memjoin.judging.panel import Lost, PanelVerdict, ask_panel
from memjoin.models import names
from memjoin.models.errors import ModelError
from memjoin.models.prices import Prices
from memjoin.models.types import ChatModel, Scope
from memjoin.runs.budget import Budget, Meter, MeteredChat
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.judging.panel import Panel, members
from memjoin.runs.ledger import Ledger
from memjoin.runs.threads import side_by_side
from memjoin.runs.usage import usage

PATIENCE = 3
"""How many answers in a row may go unjudged for want of a model before all is stopped."""


@dataclass(frozen=True, slots=True)
class Question:
    """An answer to be judged, and who asks."""

    scope: Scope
    case: Case
    answer: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far judging is: answers that were judged, of all, and how many of these lost a vote."""

    ended: int
    total: int
    lost: int


def within(budget: Budget | None, models: Mapping[str, ChatModel], ledger: Ledger) -> Mapping[str, ChatModel]:
    """Return judges' models with their calls counting against a budget, on top of those in the ledger."""
    if budget is None:
        return models
    before = usage(ledger, Prices())
    meter = Meter(budget, before.calls, before.tokens)
    return {key: MeteredChat(model, meter) for key, model in models.items()}


def ask_all(
    questions: Sequence[Question],
    panel: Panel,
    models: Mapping[str, ChatModel],
    ledger: Ledger,
    *,
    threads: int,
    report: Callable[[Progress], None],
) -> Iterator[tuple[Question, PanelVerdict]]:
    """Ask a panel about many answers, and yield what it says as it comes.

    Args:
        questions: The answers.
        panel: The judges.
        models: Those that are models, as ``find_models`` gives them.
        ledger: Keeps every call; what it has is not asked again.
        threads: How many answers are judged at once, where any judge is a model.
        report: Gets the progress once at the beginning and after every answer.

    Raises:
        ModelError: A model fails for good, or failed at several answers in a row.
        LedgerError: The ledger cannot be written.
    """
    failing: list[ModelError] = []

    def ask(question: Question) -> PanelVerdict:
        exchange = LedgerExchange(ledger, models)
        said = ask_panel(members(panel, exchange), question.scope, question.case, question.answer)
        error = exchange.unanswered()
        if error is None:
            failing.clear()
        else:
            failing.append(error)
            if len(failing) >= PATIENCE:
                raise error
        return said

    lost, ended = 0, count(1)
    report(Progress(0, len(questions), 0))
    try:
        for question, said in side_by_side(ask, questions, threads if panel.models else 1):
            lost += any(isinstance(ballot, Lost) for ballot in said.ballots)
            yield question, said
            report(Progress(next(ended), len(questions), lost))
    finally:
        if any(map(names.is_local, panel.models)):
            from memjoin.models import local

            local.stop()  # its server, if a call has started it
