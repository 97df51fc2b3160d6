"""What is lost when a model or the embedder fails, and that it is said."""

from __future__ import annotations

from typing import Any

import pytest

from memjoin.models.faults import Fault
from memjoin.systems.errors import CallFailed
from memjoin.systems.protocol import Session, WriteReport

TEXTS = ("day events of 2041-03-14", "day portrait of 2041-03-14", "overall events", "overall portrait")


def kinds(report: WriteReport) -> list[str]:
    return [loss.kind for loss in report.losses]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault("empty"), "empty-reply"),
        (Fault("content", " \n "), "empty-reply"),
        (Fault("wrong-tool"), "empty-reply"),
        (Fault("http-500"), "model-error"),
        (Fault("time-out"), "model-error"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else value,
)
def test_a_text_that_does_not_come_is_reported(
    bank: Any, sessions: list[Session], fault: Fault, kind: str, number: int
) -> None:
    bank.faults({number: fault})
    report = bank.system.write(sessions[0])
    assert kinds(report) == [kind]
    assert report.losses[0].detail.startswith(f"{TEXTS[number - 1]} not written")
    # Without a daily text there is nothing to make the overall one of.
    assert report.model_calls == (3 if number <= 2 else 4)
    assert report.added == len(bank.system.export()) == (6 - (2 if number <= 2 else 1))


def test_a_text_that_is_cut_off_is_kept_and_reported(bank: Any, sessions: list[Session]) -> None:
    bank.faults({1: Fault("truncated")})
    report = bank.system.write(sessions[0])
    assert [(loss.kind, loss.detail) for loss in report.losses] == [
        ("other", "day events of 2041-03-14 cut off at the token limit")
    ]
    assert report.added == 6


def test_an_endpoint_that_hangs_is_given_up_on(bank: Any, sessions: list[Session]) -> None:
    exchange = bank.faults({1: Fault("time-out", hold=60)})
    report = bank.system.write(sessions[0])
    exchange.release()
    assert kinds(report) == ["model-error"]
    assert "timed out" in report.losses[0].detail


def test_a_day_that_was_missed_is_asked_for_again(bank: Any, sessions: list[Session]) -> None:
    bank.faults({1: Fault("http-500")})
    bank.system.write(sessions[0])
    report = bank.system.write(sessions[1])
    assert (report.losses, report.model_calls) == ((), 5)
    assert [record.id for record in bank.system.export() if record.kind == "summary"] == [
        "summary-2041-03-14",
        "summary-2041-04-02",
    ]


def test_an_overall_text_that_fails_leaves_the_one_before(bank: Any, sessions: list[Session]) -> None:
    bank.faults({7: Fault("empty")})
    bank.system.write(sessions[0])
    before = next(r for r in bank.system.export() if r.kind == "overall-summary")
    report = bank.system.write(sessions[1])
    assert kinds(report) == ["empty-reply"]
    assert next(r for r in bank.system.export() if r.kind == "overall-summary") == before


def test_pieces_that_are_not_embedded_are_kept_reported_and_embedded_later(
    bank: Any, sessions: list[Session]
) -> None:
    bank.faults({}, embeddings=frozenset({1}))
    report = bank.system.write(sessions[0])
    assert kinds(report) == ["model-error"]
    assert "3 pieces not embedded" in report.losses[0].detail
    assert report.added == 6
    found = bank.system.retrieve("Sandpiper", None)
    assert [record.kind for record in found] == ["overall-portrait"]
    assert bank.system.write(sessions[1]).losses == ()
    assert any("Sandpiper" in record.text for record in bank.system.retrieve("Sandpiper", None))


def test_a_recall_that_fails_is_reported(paper: Any, sessions: list[Session]) -> None:
    # The first call embeds the first session's pieces, the second what the second session recalls with.
    paper.faults({}, embeddings=frozenset({2}))
    near = Session("s2", "2041-03-14T10:00", sessions[1].turns)
    paper.system.write(sessions[0])
    report = paper.system.write(near)
    assert kinds(report) == ["model-error", "other"]
    assert report.losses[0].detail.startswith("s2 recalled nothing")


def test_a_query_that_cannot_be_embedded_is_an_error(bank: Any, sessions: list[Session]) -> None:
    bank.system.write(sessions[0])
    bank.faults({}, embeddings=frozenset({1}))
    with pytest.raises(CallFailed, match="EndpointError"):
        bank.system.retrieve("Sandpiper", None)
    assert bank.system.retrieve("Sandpiper", None)


def test_half_a_surrogate_pair_in_a_reply_does_no_harm(bank: Any, sessions: list[Session]) -> None:
    bank.answers(lambda task, content: "half \ud83d a pair")
    assert bank.system.write(sessions[0]).losses == ()
    assert any(record.text.endswith("half ? a pair") for record in bank.system.export())
