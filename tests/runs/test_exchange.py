"""The exchange of a cell: what is committed is not asked again, what is not is."""

from dataclasses import replace

import numpy as np
import pytest

from memjoin.models.errors import (
    AuthenticationError,
    ContextLengthError,
    ModelError,
    RateLimitedError,
    ServerError,
    UnknownModelError,
)
from memjoin.models.types import ChatRequest, Scope
from memjoin.runs.database import LedgerClosedError
from memjoin.runs.exchange import LedgerExchange

SCOPE = Scope("mem0", "F19-RJ-chain-01", 0, "s1")
REQUEST = ChatRequest("memjoin-writer", ({"role": "user", "content": "Remember this."},), {"seed": 0})


def content(reply):
    return reply.message["content"]


def test_a_committed_call_is_answered_from_the_ledger(ledger, new_model):
    model = new_model()
    first = LedgerExchange(ledger, {"writer": model}).chat(SCOPE, "writer", REQUEST)
    again = LedgerExchange(ledger, {"writer": model}).chat(SCOPE, "writer", REQUEST)
    assert again == first
    assert len(model.requests) == 1


def test_asking_the_same_again_within_a_cell_is_another_call(ledger, new_model):
    model = new_model()
    exchange = LedgerExchange(ledger, {"writer": model})
    assert [content(exchange.chat(SCOPE, "writer", REQUEST)) for _ in range(3)] == [
        "reply 1",
        "reply 2",
        "reply 3",
    ]
    resumed = LedgerExchange(ledger, {"writer": model})
    assert [content(resumed.chat(SCOPE, "writer", REQUEST)) for _ in range(4)] == [
        "reply 1",
        "reply 2",
        "reply 3",
        "reply 4",
    ]


@pytest.mark.parametrize(
    "scope",
    [
        replace(SCOPE, system="memorybank"),
        replace(SCOPE, case="F19-RJ-star-01"),
        replace(SCOPE, trial=1),
        replace(SCOPE, stage="s2"),
        replace(SCOPE, condition="all"),
    ],
)
def test_no_two_cells_stages_or_conditions_share_a_draw(ledger, new_model, scope):
    model = new_model()
    exchange = LedgerExchange(ledger, {"writer": model})
    exchange.chat(SCOPE, "writer", REQUEST)
    assert content(exchange.chat(scope, "writer", REQUEST)) == "reply 2"


@pytest.mark.parametrize(
    "request_",
    [
        replace(REQUEST, parameters={"seed": 1}),
        replace(REQUEST, messages=({"role": "user", "content": "Remember that."},)),
        replace(REQUEST, messages=({"role": "system", "content": "Remember this."},)),
        replace(REQUEST, messages=REQUEST.messages * 2),
    ],
)
def test_another_request_is_another_call(ledger, new_model, request_):
    model = new_model()
    exchange = LedgerExchange(ledger, {"writer": model})
    exchange.chat(SCOPE, "writer", REQUEST)
    exchange.chat(SCOPE, "writer", request_)
    assert len(model.requests) == 2


def test_what_a_framework_asked_for_and_did_not_get_makes_no_other_call(ledger, new_model):
    model = new_model()
    LedgerExchange(ledger, {"writer": model}).chat(SCOPE, "writer", REQUEST)
    asked = replace(REQUEST, asked={"temperature": 1})
    LedgerExchange(ledger, {"writer": model}).chat(SCOPE, "writer", asked)
    assert len(model.requests) == 1


def test_another_model_is_another_call(ledger, new_model):
    LedgerExchange(ledger, {"writer": new_model("a")}).chat(SCOPE, "writer", REQUEST)
    other = new_model("b")
    LedgerExchange(ledger, {"writer": other}).chat(SCOPE, "writer", REQUEST)
    assert len(other.requests) == 1


def test_judges_are_told_apart_by_the_model_of_the_request(ledger, new_model):
    one, two = new_model("one", lambda r: "1"), new_model("two", lambda r: "2")
    exchange = LedgerExchange(ledger, {"judge:one": one, "judge:two": two})
    replies = [exchange.chat(SCOPE, "judge", replace(REQUEST, model=name)) for name in ("two", "one")]
    assert [content(reply) for reply in replies] == ["2", "1"]


def test_a_failure_is_no_result_and_is_asked_again(ledger, new_model):
    model = new_model(failing=[ServerError("HTTP 500 from the writer model m.")])
    exchange = LedgerExchange(ledger, {"writer": model})
    with pytest.raises(ServerError):
        exchange.chat(SCOPE, "writer", REQUEST)
    assert ledger.failure_counts() == [("HTTP 500 from the writer model m.", 1)]
    resumed = LedgerExchange(ledger, {"writer": model})
    assert content(resumed.chat(SCOPE, "writer", REQUEST)) == "reply 2"


@pytest.mark.parametrize("replay", [True, False])
def test_nobody_is_asked_where_the_answer_could_not_be_kept(ledger, new_model, new_embedder, replay):
    model, embedder = new_model(), new_embedder()
    exchange = LedgerExchange(ledger, {"writer": model}, embedder, replay=replay)
    ledger.close()
    with pytest.raises(LedgerClosedError):
        exchange.chat(SCOPE, "writer", REQUEST)
    with pytest.raises(LedgerClosedError):
        exchange.embed(SCOPE, ["a"])
    assert (model.requests, embedder.texts) == ([], [])


def test_where_there_is_nothing_to_replay_the_first_reply_is_the_one_that_stays(ledger, new_model):
    model = new_model()
    for _ in range(2):
        LedgerExchange(ledger, {"writer": model}, replay=False).chat(SCOPE, "writer", REQUEST)
    assert content(LedgerExchange(ledger, {"writer": model}).chat(SCOPE, "writer", REQUEST)) == "reply 1"
    assert len(model.requests) == 2


def test_a_call_left_without_a_reply_is_remembered_until_it_gets_one(ledger, new_model):
    failing: list[ModelError] = [RateLimitedError("429"), ServerError("500")]
    exchange = LedgerExchange(ledger, {"writer": new_model(failing=failing)})
    for kind in (RateLimitedError, ServerError):
        with pytest.raises(kind):
            exchange.chat(SCOPE, "writer", REQUEST)
    assert isinstance(exchange.unanswered(), ServerError)
    exchange.chat(SCOPE, "writer", replace(REQUEST, parameters={}))
    assert isinstance(exchange.unanswered(), ServerError)
    exchange.chat(SCOPE, "writer", REQUEST)
    assert exchange.unanswered() is None


def test_a_window_too_short_is_the_system_s_to_deal_with(ledger, new_model):
    model = new_model(failing=[ContextLengthError("too long")])
    exchange = LedgerExchange(ledger, {"writer": model})
    with pytest.raises(ContextLengthError):
        exchange.chat(SCOPE, "writer", REQUEST)
    assert exchange.unanswered() is None


def test_a_role_without_a_model_is_named_with_its_flag(ledger):
    with pytest.raises(UnknownModelError, match="role reader") as error:
        LedgerExchange(ledger, {}).chat(SCOPE, "reader", REQUEST)
    assert "--reader" in error.value.hint
    with pytest.raises(UnknownModelError, match="No embedder"):
        LedgerExchange(ledger, {}).embed(SCOPE, ["a"])


def test_vectors_of_a_remote_embedder_are_kept_by_text(ledger, new_embedder):
    embedder = new_embedder()
    first = LedgerExchange(ledger, {}, embedder).embed(SCOPE, ["a", "b", "a"])
    assert embedder.texts == ["a", "b"]
    again = LedgerExchange(ledger, {}, embedder).embed(replace(SCOPE, system="other"), ["c", "b", "a"])
    assert embedder.texts == ["a", "b", "c"]
    assert first.dtype == again.dtype == np.float32
    assert np.array_equal(first[[0, 1, 2]], again[[2, 1, 2]])
    assert LedgerExchange(ledger, {}, embedder).embed(SCOPE, []).shape == (0, 8)


def test_vectors_of_an_embedded_embedder_are_computed_again(ledger, new_embedder):
    embedder = new_embedder(embedded=True)
    for _ in range(2):
        LedgerExchange(ledger, {}, embedder).embed(SCOPE, ["a"])
    assert embedder.texts == ["a", "a"]


def test_a_failing_embedder_is_an_unanswered_call_too(ledger, new_embedder):
    embedder = new_embedder(failing=[AuthenticationError("HTTP 401 from the embedder model m.")])
    exchange = LedgerExchange(ledger, {}, embedder)
    with pytest.raises(AuthenticationError):
        exchange.embed(SCOPE, ["a"])
    assert isinstance(exchange.unanswered(), AuthenticationError)
    exchange.embed(SCOPE, ["a"])
    assert exchange.unanswered() is None


def test_more_texts_than_one_statement_of_the_database_takes(ledger, new_embedder):
    texts = [f"text {number}" for number in range(1203)]
    exchange = LedgerExchange(ledger, {}, new_embedder())
    assert np.array_equal(exchange.embed(SCOPE, texts), exchange.embed(SCOPE, texts))
