"""The reference system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memjoin.models.direct import DirectExchange
from memjoin.models.faults import FaultyExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.types import Embedder, Scope
from memjoin.systems import registry
from memjoin.systems.launch import open_system
from memjoin.systems.protocol import Loss, Record, Session, Settings, Turn, WriteReport
from memjoin.systems.verbatim.adapter import Verbatim

TALK = Session(
    "s1",
    "2029-08-20T14:05",
    (Turn("user", "The urn is at Larkmoor."), Turn("assistant", "Noted."), Turn("user", "Zoë has the key.")),
)


@pytest.fixture
def system(gateway_settings: Settings) -> Verbatim:
    return Verbatim(gateway_settings)


def test_every_turn_is_a_record(system: Verbatim) -> None:
    assert system.write(TALK) == WriteReport(added=3)
    assert system.export()[0] == Record(
        "s1/1",
        "[2029-08-20 14:05] user: The urn is at Larkmoor.",
        kind="turn",
        created="2029-08-20T14:05",
        sessions=("s1",),
    )
    assert [record.text.split(": ", 1)[1] for record in system.export()] == [turn.text for turn in TALK.turns]
    system.reset("next", 0)
    assert system.export() == system.retrieve("urn", 3) == []
    system.close()


def test_the_nearest_come_first(system: Verbatim, embedder: Embedder) -> None:
    system.write(TALK)
    stored = system.export()
    vectors = embedder.embed([record.text for record in stored])
    query = "Where is the urn?"
    scores = vectors @ embedder.embed([query])[0]
    order = list(np.argsort(-scores))
    found = system.retrieve(query, 3)
    assert [record.id for record in found] == [stored[place].id for place in order]
    assert [record.score for record in found] == pytest.approx([scores[place] for place in order], abs=1e-6)
    assert system.retrieve(query, 1) == found[:1]
    exact = system.retrieve(stored[2].text, 1)[0]
    assert (exact.id, exact.score) == ("s1/3", pytest.approx(1.0))
    system.close()


def test_of_equal_ones_the_earlier_comes_first(system: Verbatim) -> None:
    twin = Session("s1", "2029-08-20T14:05", (Turn("user", "Same."),) * 4)
    system.write(twin)
    assert [record.id for record in system.retrieve("anything", None)] == ["s1/1", "s1/2", "s1/3", "s1/4"]
    system.close()


def test_how_many_where_the_run_does_not_say(gateway_settings: Settings) -> None:
    system = Verbatim(replace(gateway_settings, options={"k": 2}))
    system.write(TALK)
    assert len(system.retrieve("urn", None)) == 2
    system.close()


def test_a_session_without_turns(system: Verbatim) -> None:
    assert system.write(Session("s1", "2029-08-20T14:05", ())) == WriteReport()


def test_a_session_that_cannot_be_embedded_is_a_loss(embedder: Embedder) -> None:
    exchange = FaultyExchange(DirectExchange({}, embedder), {}, embeddings=frozenset({1}))
    with Gateway(exchange) as gateway:
        connection = gateway.connect(Scope("verbatim", "c", 0))
        settings = Settings(connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, 16, "")
        with open_system(registry.find("verbatim"), settings) as system:
            system.reset("c", 0)
            report = system.write(TALK)
            assert report.added == 0
            assert [loss.kind for loss in report.losses] == ["model-error"]
            assert isinstance(report.losses[0], Loss)
            assert report.losses[0].detail.startswith(
                "3 turns of s1 were not stored: the embedder failed: HTTP 5"
            )
            assert system.export() == []
            assert system.write(replace(TALK, id="s2")) == WriteReport(added=3)
