"""A budget in calls or tokens: what it lets through, and how a run stops and goes on."""

from __future__ import annotations

import threading

import pytest

from memjoin.errors import MemJoinError
from memjoin.models.errors import ServerError
from memjoin.models.types import ChatRequest
from memjoin.runs.budget import (
    Budget,
    BudgetSpentError,
    Meter,
    MeteredChat,
    MeteredEmbedder,
    metered,
    parse_budget,
)
from memjoin.runs.reader import Run

HI = ChatRequest("m", ({"role": "user", "content": "h" * 40},))  # 14 tokens, estimated


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("500calls", Budget(calls=500)),
        ("1 call", Budget(calls=1)),
        ("2Mtokens", Budget(tokens=2_000_000)),
        ("1.5M tokens", Budget(tokens=1_500_000)),
        ("20_000tokens", Budget(tokens=20_000)),
        ("500calls,2ktokens", Budget(500, 2_000)),
        ("0calls", Budget(calls=0)),
    ],
)
def test_budgets_are_read(text, budget):
    assert parse_budget(text) == budget


@pytest.mark.parametrize(
    "text", ["", "500", "calls", "5usd", "-1calls", "1.2.3calls", "1calls,2calls", "5mtokens"]
)
def test_what_is_no_budget_is_refused_with_an_example(text):
    with pytest.raises(MemJoinError, match="is no budget") as caught:
        parse_budget(text)
    assert "500calls" in caught.value.hint


def test_budgets_are_put_for_people():
    assert str(Budget(500, 2_000_000)) == "500 calls and 2,000,000 tokens"
    assert str(Budget(tokens=3)) == "3 tokens"


def test_calls_are_never_exceeded(new_model):
    meter = Meter(Budget(calls=5), calls=2)
    chat = MeteredChat(new_model(), meter)
    for _ in range(3):
        chat.complete(HI)
    with pytest.raises(BudgetSpentError, match="5 calls is used up") as caught:
        chat.complete(HI)
    assert caught.value.stops_run
    assert meter.used == (5, 36)


def test_a_call_whose_messages_alone_would_go_beyond_is_not_begun(new_model):
    model = new_model()  # replies of 12 tokens in all
    chat = MeteredChat(model, Meter(Budget(tokens=25)))
    chat.complete(HI)
    with pytest.raises(BudgetSpentError, match="25 tokens is used up"):
        chat.complete(HI)
    assert len(model.requests) == 1


def test_a_call_without_a_reply_uses_nothing(new_model):
    meter = Meter(Budget(calls=1))
    chat = MeteredChat(new_model(failing=[ServerError("no")]), meter)
    with pytest.raises(ServerError):
        chat.complete(HI)
    assert meter.used == (0, 0)
    chat.complete(HI)
    assert meter.used == (1, 12)


def test_calls_under_way_count_already(new_model):
    begun, go_on = threading.Event(), threading.Event()

    def slow(request):
        begun.set()
        go_on.wait(20)
        return "late"

    chat = MeteredChat(new_model(answer=slow), Meter(Budget(calls=1)))
    thread = threading.Thread(target=lambda: chat.complete(HI))
    thread.start()
    assert begun.wait(20)
    with pytest.raises(BudgetSpentError):
        chat.complete(HI)
    go_on.set()
    thread.join()


def test_texts_count_too(new_embedder):
    meter = Meter(Budget(tokens=10))
    embedder = MeteredEmbedder(new_embedder(), meter)
    assert embedder.embed(["four", "four"]).shape == (2, embedder.dimensions)
    assert meter.used == (1, 2)
    with pytest.raises(BudgetSpentError):
        embedder.embed(["x" * 100])


def test_what_is_embedded_is_not_counted(new_model, new_embedder):
    own = new_model()
    own.embedded = True
    embedder = new_embedder(embedded=True)
    roles, kept = metered({"": {"reader": own, "judge:j": new_model()}}, embedder, Meter(Budget(calls=0)))
    assert roles[""]["reader"] is own
    assert kept is embedder
    assert isinstance(roles[""]["judge:j"], MeteredChat)


def test_a_run_stops_at_its_budget_and_goes_on_with_a_larger_one(fake_run, tmp_path):
    undisturbed = fake_run("whole")
    with pytest.raises(BudgetSpentError) as caught:
        fake_run("limited", budget=Budget(calls=7))
    assert "goes on from it" in caught.value.hint
    with pytest.raises(BudgetSpentError):
        fake_run("limited", budget=Budget(calls=7))
    with Run(tmp_path / "runs" / "limited") as opened:
        used = opened.usage()
        assert used.calls == 7
        assert opened.failure_counts() == []
        assert not any(row.status == "missing" and row.reason != "not run yet" for row in opened.rows())
    finished = fake_run("limited", budget=Budget(calls=1000))
    with Run(undisturbed.folder.path) as one, Run(finished.folder.path) as other:
        assert list(one.rows()) == list(other.rows())
        assert one.usage().calls == other.usage().calls
