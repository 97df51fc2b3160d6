"""Answers that a filter reads before they go out: what is left of them is judged again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memjoin.conditions.interventions.apply import decided, request_of
from memjoin.conditions.interventions.base import DecisionError, Draft
from memjoin.conditions.interventions.registry import Step
from memjoin.models.errors import ModelError
from memjoin.models.types import ChatRequest, Message
from memjoin.runs.answers import Asked, Desk, Judged, gap, judge, parameters, unanswered
from memjoin.runs.codec import clean
from memjoin.runs.ledger import Answered

DECISIONS = 2
"""How often a filter is asked for a decision that can be used."""
TEMPERATURE = 0.0
"""At which it is asked: a decision is no matter of chance."""


def filtered(asked: Asked, by: Step, desk: Desk) -> Judged:
    """Have an answer of the cell filtered, what is left of it judged, and commit it all.

    The original is the answer of the same arm without the filter, and stays. A decision that cannot be
    understood is asked for once more; after that the filtered answer is *missing*.

    Args:
        asked: Which answer it is; its arm has the filter.
        by: The filter.
        desk: Filter and judges, and the ledger, which has the original answer and gets the filtered one.

    Raises:
        MemJoinError: A filter of the user's own fails.
        ModelError: An endpoint fails for good.
        LedgerError: The ledger cannot be written.
    """
    original = desk.ledger.answer(asked.cell, asked.arm.unfiltered.place)
    if original is None:
        return Judged(gap(asked, "there is no answer to filter", desk.ledger))
    draft = Draft(asked.case.task.text, original.answer)
    messages = request_of(by, draft)
    # Nobody decides anew where no model is asked.
    tries = DECISIONS if messages is not None else 1
    why = ""
    for _ in range(tries):
        try:
            decision = "" if messages is None else _decision(asked, messages, desk)
            made = decided(by, draft, decision)
        except ModelError as error:
            return unanswered(asked, error, desk.ledger)
        except DecisionError as error:
            why = str(error)
            continue
        answered = Answered(original.items, clean(made.answer))
        return judge(asked, answered, desk, made.action)
    often = f", {tries} times" if tries > 1 else ""
    return Judged(gap(asked, f"the filter's decision cannot be used{often}: {why}", desk.ledger))


def _decision(asked: Asked, messages: Sequence[Message], desk: Desk) -> str:
    sampling = replace(desk.answering.sampling, temperature=TEMPERATURE)
    request = ChatRequest(desk.answering.filter, tuple(messages), parameters(sampling, asked.cell.trial))
    content = desk.exchange.chat(asked.scope, "filter", request).message.get("content")
    return content if isinstance(content, str) else ""
