"""Every way in which A-Mem loses memory without a word, provoked in the package itself."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from memjoin.models.faults import Fault
from memjoin.models.types import ChatReply, ChatRequest, Exchange, Role, Scope, Vectors
from memjoin.systems.protocol import Session, Turn, WriteReport

TALK = Session(
    "s1",
    "2041-03-14T09:30",
    (Turn("user", "The urn is at Larkmoor Hall."), Turn("user", "Now the urn is at Tolland Street.")),
)
NEXT = Session("s2", "2041-03-15T09:30", (Turn("user", "Wren has the key to Larkmoor Hall."),))
ANALYSIS = {"keywords": ["urn"], "context": "About an urn.", "tags": ["things"]}
EVOLUTION = {
    "should_evolve": True,
    "actions": ["strengthen", "update_neighbor"],
    "suggested_connections": [],
    "tags_to_update": ["things"],
    "new_context_neighborhood": ["Changed."],
    "new_tags_neighborhood": [["changed"]],
}


def kinds(report: WriteReport) -> list[str]:
    return [loss.kind for loss in report.losses]


FAULTS = [
    (Fault("prose"), "unparseable-reply"),
    (Fault("truncated"), "unparseable-reply"),
    (Fault("wrong-key"), "unparseable-reply"),
    (Fault("empty"), "empty-reply"),
    (Fault("wrong-tool"), "empty-reply"),
    (Fault("http-500"), "model-error"),
    (Fault("time-out"), "model-error"),
]
each_fault = pytest.mark.parametrize(("fault", "kind"), FAULTS, ids=[fault.kind for fault, _ in FAULTS])


@each_fault
def test_a_note_that_is_not_analysed_stays_without_keywords(amem: Any, fault: Fault, kind: str) -> None:
    exchange = amem.faults({1: fault})
    report = amem.system.write(TALK)
    assert len(exchange.injected) == 1
    assert kinds(report) == [kind]
    assert report.losses[0].detail.startswith("turn 1: not analysed: ")
    assert (report.added, report.model_calls) == (2, 3)
    assert "memory keywords: []" in amem.system.export()[0].text
    assert amem.system.write(NEXT).losses == ()


@each_fault
def test_a_note_that_is_not_linked(amem: Any, fault: Fault, kind: str) -> None:
    amem.faults({3: fault})
    report = amem.system.write(TALK)
    assert kinds(report) == [kind]
    assert report.losses[0].detail.startswith("turn 2: not linked: ")
    assert (report.added, report.model_calls) == (2, 3)
    assert all(record.kind == "memory" for record in amem.system.retrieve("the urn", 5))


@pytest.mark.parametrize(
    "reply",
    ["[]", '"text"', json.dumps(ANALYSIS | {"keywords": "urn, hall"}), json.dumps(ANALYSIS | {"tags": [1]})],
)
def test_a_reply_of_the_wrong_form_makes_the_package_give_the_note_up(amem: Any, reply: str) -> None:
    amem.faults({1: Fault("content", reply)})
    report = amem.system.write(Session("s1", TALK.at, TALK.turns[:1]))
    assert kinds(report) == ["unparseable-reply", "unparseable-reply", "nothing-stored"]
    assert "not stored" in report.losses[1].detail
    assert amem.system.export() == []
    assert amem.system.write(NEXT).losses == ()


def test_a_context_that_is_no_text(amem: Any) -> None:
    amem.faults({1: Fault("content", json.dumps(ANALYSIS | {"context": None}))})
    assert kinds(amem.system.write(TALK)) == ["unparseable-reply"]


@pytest.mark.parametrize(
    ("change", "kind", "detail"),
    [
        ({"suggested_connections": ["nobody"]}, "ignored-reply", "do not exist: nobody"),
        ({"actions": ["forget"]}, "ignored-reply", "no action forget"),
        ({"new_tags_neighborhood": []}, "ignored-reply", "1 neighbours, but 1 contexts and 0 lists"),
        ({"new_context_neighborhood": []}, "ignored-reply", "1 neighbours, but 0 contexts and 1 lists"),
        ({"should_evolve": "no"}, "unparseable-reply", "'should_evolve' is not a truth value"),
        ({"suggested_connections": "one"}, "unparseable-reply", "'suggested_connections' is not texts"),
    ],
)
def test_what_a_reply_asks_for_and_cannot_be_done(
    amem: Any, change: dict[str, object], kind: str, detail: str
) -> None:
    amem.faults({3: Fault("content", json.dumps(EVOLUTION | change))})
    report = amem.system.write(TALK)
    assert kinds(report) == [kind]
    assert detail in report.losses[0].detail


def test_a_reply_that_stops_half_way_has_done_its_first_half(amem: Any) -> None:
    reply = {key: value for key, value in EVOLUTION.items() if key != "new_tags_neighborhood"}
    amem.faults({3: Fault("content", json.dumps(reply))})
    report = amem.system.write(TALK)
    assert kinds(report) == ["unparseable-reply"]
    assert "memory tags: ['things']" in amem.system.export()[1].text


def test_a_neighbour_that_cannot_be_updated(amem: Any) -> None:
    amem.faults({3: Fault("content", json.dumps(EVOLUTION | {"new_tags_neighborhood": [[1]]}))})
    report = amem.system.write(TALK)
    assert kinds(report) == ["unparseable-reply"]
    assert "Changed." not in amem.system.export()[0].text


def test_an_endpoint_that_hangs_is_given_up_on(amem: Any) -> None:
    exchange = amem.faults({1: Fault("time-out", hold=60)})
    report = amem.system.write(TALK)
    exchange.release()
    assert kinds(report) == ["model-error"]
    assert "timed out" in report.losses[0].detail.lower()


def test_a_note_that_is_not_embedded_is_not_stored(amem: Any) -> None:
    amem.faults({}, embeddings=frozenset({1}))
    report = amem.system.write(Session("s1", TALK.at, TALK.turns[:1]))
    assert kinds(report) == ["model-error", "nothing-stored"]
    assert amem.system.export() == []


def test_neighbours_that_are_not_found_are_not_linked(amem: Any) -> None:
    # The first call embeds the first note, the second looks for the neighbours of the second.
    amem.faults({}, embeddings=frozenset({2}))
    report = amem.system.write(TALK)
    assert kinds(report) == ["model-error"]
    assert "neighbours were not found" in report.losses[0].detail
    assert (report.added, report.model_calls) == (2, 2)


def test_an_earlier_note_that_is_lost_while_it_is_updated(amem: Any) -> None:
    amem.faults({}, embeddings=frozenset({3}))
    amem.system.write(Session("s1", TALK.at, TALK.turns[:1]))
    amem.faults({2: Fault("content", json.dumps(EVOLUTION))}, embeddings=frozenset({2}))
    report = amem.system.write(Session("s2", TALK.at, TALK.turns[1:]))
    assert (report.added, report.removed) == (1, 1)
    assert kinds(report) == ["model-error"]
    assert "1 earlier notes were lost" in report.losses[0].detail
    assert len(amem.system.export()) == 1


class NotANumber:
    """An exchange whose vectors no store takes."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        return self._exchange.chat(scope, role, request)

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        return np.zeros((len(texts), 3), dtype=np.float32)


def test_a_store_that_refuses_a_note(amem: Any) -> None:
    amem.system.write(NEXT)
    amem.connection.exchange = NotANumber(amem.faults({}))
    report = amem.system.write(Session("s1", TALK.at, TALK.turns[:1]))
    assert (report.added, set(kinds(report))) == (0, {"storage-error", "nothing-stored"})
    amem.faults({})
    assert amem.system.write(TALK).losses == ()


def test_the_context_window_is_too_small(amem: Any) -> None:
    amem.connection.context_window = 10
    report = amem.system.write(TALK)
    amem.connection.context_window = None
    assert kinds(report) == ["model-error"] * 3
    assert "context" in report.losses[0].detail
