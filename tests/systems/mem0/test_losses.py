"""Every way in which Mem0 loses memory without a word, provoked in the package itself."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from memjoin.models.faults import Fault
from memjoin.models.types import ChatReply, ChatRequest, Exchange, Role, Scope, Vectors
from memjoin.systems.protocol import Session, Turn, WriteReport


def memories(*texts: object) -> str:
    return json.dumps({"memory": [{"id": str(n), "text": text} for n, text in enumerate(texts)]})


def kinds(report: WriteReport) -> list[str]:
    return [loss.kind for loss in report.losses]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault("prose"), "unparseable-reply"),
        (Fault("truncated"), "unparseable-reply"),
        (Fault("wrong-key"), "unparseable-reply"),
        (Fault("empty"), "empty-reply"),
        (Fault("wrong-tool"), "empty-reply"),
        (Fault("http-500"), "model-error"),
        (Fault("time-out"), "model-error"),
        (Fault("content", '{"memory": ["a list", "of strings"]}'), "unparseable-reply"),
        (Fault("content", '{"memory": [{"id": "0", "text": ["a list"]}]}'), "unparseable-reply"),
        (Fault("content", '{"memory": [{"text": "one"}, "and a string"]}'), "unparseable-reply"),
    ],
    ids=lambda value: value.content[:24] or value.kind if isinstance(value, Fault) else value,
)
def test_a_bad_reply_loses_the_session_and_says_so(
    mem0: Any, sessions: list[Session], fault: Fault, kind: str
) -> None:
    exchange = mem0.faults({1: fault})
    report = mem0.system.write(sessions[0])
    assert len(exchange.injected) == 1
    assert kinds(report) == [kind, "nothing-stored"]
    assert (report.added, report.model_calls) == (0, 1)
    assert mem0.system.export() == []
    after = mem0.system.write(sessions[1])
    assert after.losses == ()
    assert after.added == len(mem0.system.export()) > 0


def test_an_endpoint_that_hangs_is_given_up_on(mem0: Any, sessions: list[Session]) -> None:
    exchange = mem0.faults({1: Fault("time-out", hold=60)})
    report = mem0.system.write(sessions[0])
    exchange.release()
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert "timed out" in report.losses[0].detail.lower()


def test_a_model_that_remembers_nothing_leaves_a_loss_too(mem0: Any, sessions: list[Session]) -> None:
    mem0.answers(memories())
    assert kinds(mem0.system.write(sessions[0])) == ["nothing-stored"]


def test_a_session_without_words_is_no_loss(mem0: Any) -> None:
    mem0.answers(memories())
    report = mem0.system.write(Session("s1", "2041-05-01T10:00", (Turn("user", " "),)))
    assert report.losses == ()


def test_a_reply_that_ends_at_the_token_limit(mem0: Any, sessions: list[Session]) -> None:
    mem0.answers(memories("one", "two")[:-12], finish_reason="length")
    report = mem0.system.write(sessions[0])
    assert "cut off at the token limit" in report.losses[0].detail


@pytest.mark.parametrize("text", ["", 3, None])
def test_a_memory_without_a_text_is_skipped(mem0: Any, sessions: list[Session], text: object) -> None:
    mem0.answers(memories("The choir sings on Fridays", text))
    report = mem0.system.write(sessions[0])
    assert kinds(report) == ["ignored-reply"]
    assert report.added == 1


def test_the_embedder_fails_before_anything_is_asked(mem0: Any, sessions: list[Session]) -> None:
    mem0.faults({}, embeddings=frozenset({1}))
    report = mem0.system.write(sessions[0])
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert report.model_calls == 0


def test_a_memory_whose_embedding_fails_is_dropped_by_mem0_and_named_here(
    mem0: Any, sessions: list[Session]
) -> None:
    # The first call embeds the session, the second both memories, the third and fourth each by itself.
    exchange = mem0.faults(
        {1: Fault("content", memories("kept for good", "dropped for good"))}, embeddings=frozenset({2, 4})
    )
    report = mem0.system.write(sessions[0])
    assert len(exchange.injected) == 1
    assert report.added == 1
    assert kinds(report) == ["model-error"]
    assert "dropped for good" in report.losses[0].detail
    assert ["kept for good" in record.text for record in mem0.system.export()] == [True]


class NotANumber:
    """An exchange whose embedding calls of some numbers, from 1 on, give vectors that no store takes."""

    def __init__(self, exchange: Exchange, numbers: set[int]) -> None:
        self._exchange = exchange
        self._numbers = numbers
        self._calls = 0

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        return self._exchange.chat(scope, role, request)

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        self._calls += 1
        vectors = self._exchange.embed(scope, texts)
        return np.full_like(vectors, np.nan) if self._calls in self._numbers else vectors


def test_a_record_that_the_store_refuses_is_dropped_by_mem0_and_named_here(
    mem0: Any, sessions: list[Session]
) -> None:
    reply = {1: Fault("content", memories("kept for good", "refused for good"))}
    mem0.connection.exchange = NotANumber(mem0.faults(reply, embeddings=frozenset({2})), {4})
    report = mem0.system.write(sessions[0])
    assert (report.added, kinds(report)) == (1, ["storage-error"])
    assert "refused for good" in report.losses[0].detail
    assert ["kept for good" in record.text for record in mem0.system.export()] == [True]


def test_a_store_that_refuses_everything(mem0: Any, sessions: list[Session]) -> None:
    mem0.connection.exchange = NotANumber(mem0.faults({}), {2})
    report = mem0.system.write(sessions[0])
    assert (report.added, kinds(report)) == (0, ["storage-error", "nothing-stored"])
    assert mem0.system.write(sessions[1]).losses == ()


def test_a_memory_that_cannot_be_encoded(mem0: Any, sessions: list[Session]) -> None:
    mem0.answers('{"memory": [{"text": "half a pair \\ud83d"}, {"text": "whole"}]}')
    report = mem0.system.write(sessions[0])
    assert kinds(report) == ["model-error"]
    assert report.added == 1


def test_a_memory_said_twice_is_stored_once_and_not_lost(mem0: Any, sessions: list[Session]) -> None:
    mem0.answers(memories("The choir sings on Fridays", "The choir sings on Fridays"))
    first = mem0.system.write(sessions[0])
    assert (first.added, first.losses) == (1, ())
    again = mem0.system.write(sessions[1])
    assert (again.added, kinds(again)) == (0, ["nothing-stored"])


def test_the_context_window_is_too_small(mem0: Any, sessions: list[Session]) -> None:
    mem0.connection.context_window = 10
    report = mem0.system.write(sessions[0])
    mem0.connection.context_window = None
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert "context" in report.losses[0].detail
