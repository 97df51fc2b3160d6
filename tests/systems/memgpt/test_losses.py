"""Every way in which MemGPT loses memory without a word, provoked in the package itself."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from driving import Call, Driven, Scripted, calling
from memjoin.models.faults import Fault
from memjoin.systems.protocol import Session, Turn, WriteReport

TALK = Session("s1", "2041-03-14T09:30", (Turn("user", "The urn is at Larkmoor Hall."),))
NEXT = Session("s2", "2041-03-15T09:30", (Turn("user", "Wren has the key to Larkmoor Hall."),))


def kinds(report: WriteReport) -> list[str]:
    return [loss.kind for loss in report.losses]


def calls(memgpt: Driven, *made: Call) -> Scripted:
    """Let the agent call tools, one after the other, and then send a message."""
    replies = chain((calling(call) for call in made), repeat(calling(("send_message", {"message": "Done."}))))
    return memgpt.answers(lambda request: next(replies))


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Fault("prose"), "unparseable-reply"),
        (Fault("truncated"), "unparseable-reply"),
        (Fault("wrong-key"), "unparseable-reply"),
        (Fault("empty"), "empty-reply"),
        (Fault("wrong-tool"), "ignored-reply"),
        (Fault("http-500"), "model-error"),
        (Fault("time-out"), "model-error"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else value,
)
def test_a_bad_first_reply_is_reported(memgpt: Driven, fault: Fault, kind: str) -> None:
    exchange = memgpt.faults({1: fault})
    report = memgpt.system.write(TALK)
    assert len(exchange.injected) == 1
    assert kinds(report)[0] == kind
    assert memgpt.system.write(NEXT).losses == ()
    assert any(
        "Wren has the key" in record.text for record in memgpt.system.export() if record.kind == "archival"
    )


def test_a_step_that_fails_leaves_nothing_of_the_session(memgpt: Driven) -> None:
    memgpt.faults({1: Fault("http-500")})
    assert kinds(memgpt.system.write(TALK)) == ["model-error", "nothing-stored"]
    assert [record.kind for record in memgpt.system.export()] == ["core", "core"]


def test_an_endpoint_that_hangs_is_given_up_on(memgpt: Driven) -> None:
    exchange = memgpt.faults({1: Fault("time-out", hold=60)})
    report = memgpt.system.write(TALK)
    exchange.release()
    assert kinds(report) == ["model-error", "nothing-stored"]


def test_a_passage_that_cannot_be_embedded_is_reported(memgpt: Driven) -> None:
    memgpt.faults({}, embeddings=frozenset({1}))
    report = memgpt.system.write(TALK)
    assert kinds(report) == ["model-error"]
    assert report.losses[0].detail.startswith("archival_memory_insert")


def test_a_replacement_of_what_is_not_there(memgpt: Driven) -> None:
    arguments = {"name": "human", "old_content": "never said", "new_content": "x", "request_heartbeat": True}
    calls(memgpt, ("core_memory_replace", arguments))
    report = memgpt.system.write(TALK)
    assert kinds(report) == ["ignored-reply"]
    assert "nothing to replace" in report.losses[0].detail


def test_a_core_block_that_is_full(memgpt: Driven) -> None:
    calls(memgpt, ("core_memory_append", {"name": "human", "content": "x" * 2100}))
    report = memgpt.system.write(TALK)
    assert kinds(report) == ["storage-error"]
    # MemGPT sets the text before it looks at its length: the call fails, and the text stays all the same.
    assert max(len(record.text) for record in memgpt.system.export() if record.kind == "core") > 2100


def test_a_long_passage_is_split_and_nothing_of_it_lost(memgpt: Driven) -> None:
    content = " ".join(f"Shelf {number} holds box {number * 7}." for number in range(1, 120))
    calls(memgpt, ("archival_memory_insert", {"content": content}))
    memgpt.system.write(TALK)
    passages = [record.text for record in memgpt.system.export() if record.kind == "archival"]
    assert len(passages) > 1
    assert all(any(f"holds box {number * 7}." in text for text in passages) for number in range(1, 120))


def test_an_agent_that_does_not_stop_is_stopped(memgpt: Driven) -> None:
    model = memgpt.answers(calling(("archival_memory_search", {"query": "x", "request_heartbeat": True})))
    report = memgpt.system.write(TALK)
    assert report.model_calls == len(model.requests) == 20
    assert kinds(report) == ["other"]
    assert "stopped after 20 steps" in report.losses[0].detail


def test_a_window_that_is_too_small_for_one_session(memgpt: Driven) -> None:
    memgpt.connection.context_window = 10
    report = memgpt.system.write(TALK)
    memgpt.connection.context_window = None
    assert kinds(report) == ["model-error", "nothing-stored"]


def test_earlier_messages_are_summarised_where_the_window_is_full(memgpt: Driven) -> None:
    memgpt.connection.context_window = 6500
    for number in range(6):
        said = f"Box {number} of Wren Okonjo is at Larkmoor Hall. " + "It is heavy and old. " * 50
        turns = (Turn("user", said),)
        report = memgpt.system.write(Session(f"s{number}", f"2041-03-{number + 10}T09:30", turns))
        assert report.losses == ()
    memgpt.connection.context_window = None
    texts = [record.text for record in memgpt.system.export() if record.kind == "recall"]
    assert any("The following is a summary of the previous" in text for text in texts)
    assert all(any(f"Box {number} of" in text for text in texts) for number in range(6))
