"""Asking a language model about many cases at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.models.errors import ModelError
from memjoin.models.names import EMBEDDED, resolve_chat
from memjoin.models.types import ChatModel
from memjoin.runs.threads import side_by_side
from memjoin.runs.verification.ask import (
    NotTold,
    Question,
    Told,
    ask,
    compare,
    fingerprint,
    questions,
    request,
)
from memjoin.runs.verification.record import Record
from memjoin.runs.verification.summary import CaseAnswers, Verification

PATIENCE = 3
"""How many questions in a row may go unanswered for want of the model before all is stopped."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a verification is: questions with an answer or lost, of all; how many of these are lost."""

    ended: int
    total: int
    lost: int


def find_model(name: str, in_flight: int) -> ChatModel:
    """Return the model of a name.

    Raises:
        MemJoinError: It is an embedded one, which is no language model, or there is none of that name.
    """
    if name == EMBEDDED:
        raise MemJoinError(
            "The embedded roles are no language models; they cannot be asked.",
            "Name one with --model: openai/gpt-5-mini, ollama/llama3.1, or a base URL and #model.",
        )
    return resolve_chat(name, "reader", concurrency=in_flight)


def verify(
    cases: Sequence[Case],
    model: ChatModel,
    *,
    out: Path | None = None,
    in_flight: int = 8,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Verification:
    """Ask a model for the relation of each case, from the full history and from every single session.

    Args:
        cases: The cases.
        model: Who is asked.
        out: A file that keeps every answer as it comes; what it has already is not asked again.
        in_flight: How many questions are asked at once.
        report: Gets the progress once at the beginning and after every answer.

    Raises:
        ModelError: The model fails for good (no key, no such model, no connection), or failed at several
            questions in a row.
        MemJoinError: ``out`` cannot be used.
        KeyboardInterrupt: The user stopped it. Like the others it comes at once; what was answered is kept.
    """
    wanted = [question for case in cases for question in questions(case)]
    answers: dict[int, Told | NotTold] = {}
    with Record(out) as record:
        asked = [fingerprint(request(question, model.name)) for question in wanted]
        for place, key in enumerate(asked):
            if kept := record.known.get(key):
                target = wanted[place].case.annotation.target
                answers[place] = compare(kept.said, kept.bound, kept.because, target)
        lost = 0
        report(Progress(len(answers), len(wanted), lost))
        waiting = [place for place in range(len(wanted)) if place not in answers]
        for place, answer, last in _ask_all(wanted, waiting, model, in_flight):
            told = NotTold(_first_line(answer)) if isinstance(answer, ModelError) else answer
            answers[place] = told
            record.add(wanted[place], model.name, asked[place], told)
            lost += isinstance(told, NotTold)
            report(Progress(len(answers), len(wanted), lost))
            if isinstance(answer, ModelError) and last:
                raise answer
    return Verification(model.name, tuple(_by_case(cases, wanted, answers)))


def _by_case(
    cases: Sequence[Case], wanted: Sequence[Question], answers: dict[int, Told | NotTold]
) -> Iterator[CaseAnswers]:
    place = 0
    for case in cases:
        number = len(case.sessions)
        sessions = tuple((str(wanted[at].shown), answers[at]) for at in range(place + 1, place + 1 + number))
        yield CaseAnswers(case.id, answers[place], sessions)
        place += 1 + number


def _ask_all(
    wanted: Sequence[Question], waiting: Sequence[int], model: ChatModel, in_flight: int
) -> Iterator[tuple[int, Told | NotTold | ModelError, bool]]:
    """Ask questions, several at once, and yield answers as they come: place, answer, whether to stop."""
    failed, stopped, lock = 0, threading.Event(), threading.Lock()

    def work(place: int) -> tuple[Told | NotTold | ModelError, bool]:
        nonlocal failed
        answer: Told | NotTold | ModelError
        try:
            answer = ask(wanted[place], model)
        except ModelError as error:
            answer = error
        with lock:
            failed = failed + 1 if isinstance(answer, ModelError) else 0
            hopeless = isinstance(answer, ModelError) and (answer.stops_run or failed >= PATIENCE)
            if hopeless:
                stopped.set()
        return answer, hopeless

    for place, (answer, hopeless) in side_by_side(work, waiting, in_flight, stopped):
        yield place, answer, hopeless


def _first_line(error: MemJoinError) -> str:
    return error.message.partition("\n")[0]
