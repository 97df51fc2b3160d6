"""Reading what Mem0's model answered, and comparing it with what is stored."""

from __future__ import annotations

import json

import pytest

from memjoin.systems.mem0.replies import Extraction, Reply, losses, read_reply

GOOD = json.dumps({"memory": [{"id": "0", "text": "one"}, {"id": "1", "text": "two"}]})


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"<think>hm, {{}}</think>{GOOD}",
        f"Here is what I found: {GOOD} Anything else?",
        f"Here you are:\n```json\n{GOOD}\n```\nDone.",
    ],
)
def test_memories_are_read_out_of_what_models_put_around_them(content: str) -> None:
    assert read_reply(Reply(content)) == Extraction(texts=("one", "two"))


@pytest.mark.parametrize("content", [None, "", " \n", "<think>nothing to say</think>"])
def test_an_empty_reply(content: str | None) -> None:
    problem = read_reply(Reply(content)).problem
    assert problem is not None
    assert problem.kind == "empty-reply"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("I would rather not.", "not JSON"),
        (GOOD[:-10], "not JSON"),
        ('["one"]', "a list, not an object"),
        ('{"facts": [], "notes": 1}', "its keys: facts, notes"),
        ('{"memory": "one"}', "text, not a list"),
        ('{"memory": null}', "null, not a list"),
        ('{"memory": ["one", "two"]}', "lists text, not objects"),
    ],
)
def test_a_reply_of_another_form(content: str, says: str) -> None:
    problem = read_reply(Reply(content)).problem
    assert problem is not None
    assert problem.kind == "unparseable-reply"
    assert says in problem.detail


def test_a_reply_that_was_cut_off_says_so() -> None:
    problem = read_reply(Reply(GOOD[:-10], "length")).problem
    assert problem is not None
    assert "cut off at the token limit" in problem.detail


def test_a_model_that_finds_nothing_is_no_problem() -> None:
    assert read_reply(Reply('{"memory": []}')) == Extraction()


def test_what_is_no_memory_stands_apart() -> None:
    read = read_reply(Reply('{"memory": [{"text": "one"}, {"text": ""}, {"text": 3}, {"note": "x"}, "two"]}'))
    assert read.texts == ("one",)
    assert len(read.malformed) == 4
    assert read.problem is None


def test_nothing_is_lost_where_everything_is_stored() -> None:
    assert losses(read_reply(Reply(GOOD)), {"one", "two"}, {"one", "two"}, {}) == []


def test_a_repeated_memory_is_not_lost() -> None:
    assert losses(Extraction(texts=("one", "one", "old")), {"one"}, {"one", "old"}, {}) == []


def test_each_memory_that_is_not_stored_is_a_loss_with_its_reason() -> None:
    read = Extraction(texts=("kept", "failed", "vanished"), malformed=('{"text": 3}',))
    found = losses(read, {"kept"}, {"kept"}, {"failed": "InternalServerError: no"})
    assert [(loss.kind, loss.detail) for loss in found] == [
        ("ignored-reply", 'a memory without a text was skipped: {"text": 3}'),
        ("model-error", "not embedded, so not stored: failed: InternalServerError: no"),
        ("storage-error", "extracted and not in the store: vanished"),
    ]


def test_a_reply_that_only_mem0_could_read_is_no_loss() -> None:
    read = read_reply(Reply("prose"))
    assert losses(read, {"something"}, {"something"}, {}) == []
    assert [loss.kind for loss in losses(read, set(), set(), {})] == ["unparseable-reply"]
