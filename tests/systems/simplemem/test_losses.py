"""Every way in which SimpleMem loses a whole session without a word, provoked in the package itself."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from memjoin.models.faults import Fault
from memjoin.models.types import ChatReply, ChatRequest, Exchange, Role, Scope, Vectors
from memjoin.systems.errors import CallFailed
from memjoin.systems.protocol import Session, Turn, WriteReport

TALK = Session(
    "s1",
    "2041-03-14T09:30",
    (Turn("user", "The urn is at Larkmoor Hall."), Turn("user", "Now the urn is at Tolland Street.")),
)
NEXT = Session("s2", "2041-03-15T09:30", (Turn("user", "Wren has the key to Larkmoor Hall."),))
ENTRY = {"lossless_restatement": "The urn is at Larkmoor Hall.", "keywords": ["urn"], "persons": []}
TRIES = 3


def kinds(report: WriteReport) -> list[str]:
    return [loss.kind for loss in report.losses]


def always(simplemem: Any, fault: Fault) -> None:
    simplemem.faults(dict.fromkeys(range(1, 30), fault))


FAULTS = [
    (Fault("prose"), "unparseable-reply", TRIES),
    (Fault("truncated"), "unparseable-reply", TRIES),
    (Fault("wrong-key"), "unparseable-reply", TRIES),
    (Fault("empty"), "empty-reply", TRIES),
    (Fault("wrong-tool"), "empty-reply", TRIES),
    # Its client tries three times each time.
    (Fault("http-500"), "model-error", TRIES * TRIES),
    (Fault("time-out"), "model-error", TRIES * TRIES),
]
each_fault = pytest.mark.parametrize(
    ("fault", "kind", "calls"), FAULTS, ids=[fault.kind for fault, _, _ in FAULTS]
)


@each_fault
def test_a_window_that_is_given_up_is_reported(simplemem: Any, fault: Fault, kind: str, calls: int) -> None:
    always(simplemem, fault)
    report = simplemem.system.write(TALK)
    assert kinds(report) == [kind, "nothing-stored"]
    assert report.losses[0].detail.startswith(f"turns 1 to 2: not extracted (after {calls} calls): ")
    assert (report.added, report.model_calls) == (0, calls)
    assert simplemem.system.export() == []
    simplemem.faults({})
    report = simplemem.system.write(NEXT)
    assert (report.added, report.losses) == (1, ())
    assert [record.sessions for record in simplemem.system.export()] == [("s2",)]


@each_fault
def test_one_bad_reply_is_made_up_for(simplemem: Any, fault: Fault, kind: str, calls: int) -> None:
    exchange = simplemem.faults({1: fault})
    report = simplemem.system.write(TALK)
    assert len(exchange.injected) == 1
    assert (report.added, report.model_calls, report.losses) == (2, 2, ())


LOST_WHOLE = {
    "prose before an array without a fence": f"I found this:\n{json.dumps([ENTRY])}",
    "an object around the array": json.dumps({"entries": [ENTRY, ENTRY]}),
    "one item without its key": json.dumps([ENTRY, {"keywords": ["urn"]}]),
    "persons that are null": json.dumps([ENTRY, ENTRY | {"persons": None}]),
    "keywords that are a text": json.dumps([ENTRY | {"keywords": "urn, hall"}]),
    "a list of texts": json.dumps(["The urn is at Larkmoor Hall."]),
    "a list of lists": json.dumps([["The urn is at Larkmoor Hall."]]),
}


@pytest.mark.parametrize("reply", LOST_WHOLE.values(), ids=LOST_WHOLE)
def test_one_flaw_in_a_reply_loses_all_of_it(simplemem: Any, reply: str) -> None:
    simplemem.answers(reply)
    report = simplemem.system.write(TALK)
    assert kinds(report) == ["unparseable-reply", "nothing-stored"]
    assert "SimpleMem cannot read the reply" in report.losses[0].detail
    assert report.model_calls == TRIES
    assert simplemem.system.export() == []


def test_a_reply_that_stops_at_the_token_limit_is_called_so(simplemem: Any) -> None:
    simplemem.answers(json.dumps([ENTRY])[:40], finish_reason="length")
    assert "cut off at the token limit" in simplemem.system.write(TALK).losses[0].detail


def test_a_window_among_others_is_lost_by_itself(simplemem: Any) -> None:
    turns = tuple(Turn("user", f"Box {number} of Wren is in aisle {number}.") for number in range(90))
    simplemem.faults(dict.fromkeys((2, 3, 4), Fault("prose")))
    report = simplemem.system.write(Session("s1", TALK.at, turns))
    assert kinds(report) == ["unparseable-reply"]
    assert report.losses[0].detail.startswith("turns 41 to 80: not extracted (after 3 calls)")
    assert (report.added, report.model_calls) == (50, 5)
    assert len(simplemem.system.export()) == 50


def test_a_session_in_which_the_model_finds_nothing(simplemem: Any) -> None:
    simplemem.answers("[]")
    report = simplemem.system.write(TALK)
    assert (kinds(report), report.model_calls) == (["nothing-stored"], 1)


def test_only_the_first_block_of_a_reply_is_read(simplemem: Any) -> None:
    block = f"```json\n{json.dumps([ENTRY])}\n```"
    simplemem.answers(f"{block}\nAnd for the other turn:\n{block}")
    report = simplemem.system.write(TALK)
    assert (report.added, kinds(report)) == (1, ["ignored-reply"])
    assert "of 2 blocks" in report.losses[0].detail


def test_records_that_are_not_embedded_are_not_stored(simplemem: Any) -> None:
    simplemem.faults({}, embeddings=frozenset({1}))
    report = simplemem.system.write(TALK)
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert report.losses[0].detail.startswith(
        "turns 1 to 2: 2 extracted records were not stored: not embedded"
    )
    assert simplemem.system.export() == []
    assert simplemem.system.write(NEXT).losses == ()


class TooShort:
    """An exchange whose vectors no store takes."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        return self._exchange.chat(scope, role, request)

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        return np.zeros((len(texts), 3), dtype=np.float32)


def test_a_store_that_refuses_records(simplemem: Any) -> None:
    simplemem.system.write(NEXT)
    simplemem.connection.exchange = TooShort(simplemem.faults({}))
    report = simplemem.system.write(TALK)
    assert (report.added, kinds(report)) == (0, ["storage-error", "nothing-stored"])
    with pytest.raises(CallFailed, match="a search failed"):
        simplemem.system.retrieve("Where is the urn?", None)
    simplemem.faults({})
    assert simplemem.system.write(TALK).losses == ()


def test_text_that_no_store_takes(simplemem: Any) -> None:
    simplemem.answers(json.dumps([ENTRY, ENTRY | {"lossless_restatement": "Half a pair: \ud83d"}]))
    report = simplemem.system.write(TALK)
    assert kinds(report) == ["storage-error", "nothing-stored"]
    assert report.losses[0].detail.startswith("turns 1 to 2: 2 extracted records were not stored: ")


def test_an_endpoint_that_hangs_is_given_up_on(second: Any) -> None:
    exchange = second.faults(dict.fromkeys(range(1, 10), Fault("time-out", hold=60)))
    report = second.system.write(TALK)
    exchange.release()
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert "timed out" in report.losses[0].detail.lower()


def test_the_context_window_is_too_small(simplemem: Any) -> None:
    simplemem.connection.context_window = 10
    report = simplemem.system.write(TALK)
    simplemem.connection.context_window = None
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert "context" in report.losses[0].detail


@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_search_without_its_model_is_an_error_and_no_empty_result(simplemem: Any, call: int) -> None:
    simplemem.system.write(TALK)
    # A plan, queries, a look; each is tried three times.
    simplemem.faults(dict.fromkeys(range(call, call + TRIES), Fault("http-500")))
    with pytest.raises(CallFailed, match="a search failed, and SimpleMem went on without it"):
        simplemem.system.retrieve("Where is the urn?", None)
    simplemem.faults({call: Fault("http-500")})
    assert len(simplemem.system.retrieve("Where is the urn?", None)) == 2


def test_a_search_that_is_not_embedded_is_an_error_and_no_empty_result(simplemem: Any) -> None:
    simplemem.system.write(TALK)
    simplemem.faults({}, embeddings=frozenset({1}))
    with pytest.raises(CallFailed, match="a search failed"):
        simplemem.system.retrieve("Where is the urn?", None)
