"""Comparing what LangMem's model answered with what is stored."""

from __future__ import annotations

import pytest

from memjoin.systems.langmem.replies import ENDING, UPDATING, Notes, Reply, losses, refusal
from memjoin.systems.protocol import Loss

UPDATE = frozenset({"Memory", "PatchDoc"})
MENDING = frozenset({"PatchFunctionErrors", "PatchFunctionName"})


def noted(*replies: Reply) -> Notes:
    return Notes(calls=len(replies), replies=list(replies))


def stating(*texts: str) -> Reply:
    return Reply(calls=tuple(("Memory", {"content": text}) for text in texts))


def kinds(found: list[Loss]) -> list[str]:
    return [loss.kind for loss in found]


def test_nothing_is_lost_where_everything_is_stored() -> None:
    assert losses(noted(stating("one", "two")), ["one", "two"], {"one", "two"}) == []


def test_no_reply_and_no_failure_is_no_loss() -> None:
    assert losses(Notes(), [], set()) == []


def test_what_is_stated_and_not_stored_is_a_loss_once() -> None:
    notes = noted(stating("one", "two", "three"))
    notes.refused.append(Loss("storage-error", refusal("two", "ValueError: no")))
    found = losses(notes, ["one"], {"one"})
    assert sorted(loss.kind for loss in found) == ["ignored-reply", "storage-error"]
    assert {loss.detail for loss in found} == {
        "stated and not in the store: three",
        "not stored: two: ValueError: no",
    }


def test_an_unknown_tool_that_was_mended_is_no_loss() -> None:
    reply = Reply(calls=(("Memory", {"content": "one"}), ("Remember", {"content": "two"})))
    assert losses(noted(reply, Reply(offered=MENDING)), ["one", "two"], {"one", "two"}) == []
    assert kinds(losses(noted(reply, Reply(offered=MENDING)), ["one"], {"one"})) == ["ignored-reply"]


def test_a_new_request_for_memories_makes_up_for_the_replies_before_it() -> None:
    notes = Notes()
    notes.asks(mends=False)
    notes.replies.append(Reply("prose", offered=UPDATE))
    notes.dropped.append((UPDATING, "Could not apply patch"))
    notes.asks(mends=True)
    assert (len(notes.replies), len(notes.dropped)) == (1, 1)
    notes.asks(mends=False)
    assert (notes.replies, notes.dropped, notes.calls) == ([], [], 3)


def test_lines_of_the_log_count_where_they_mean_a_dropped_call() -> None:
    notes = noted(stating("one"))
    notes.dropped += [(UPDATING, "no such record"), (ENDING, "no text"), ("_get_message_op", "tried again")]
    assert kinds(losses(notes, ["one"], {"one"})) == ["ignored-reply", "unparseable-reply"]


@pytest.mark.parametrize(
    ("patches", "lost"),
    [([], 0), ("[]", 0), ("Here: [1] and", 0), ("none", 1), ("[1", 1), (None, 1), ({}, 1)],
)
def test_patches_are_a_list_or_text_with_one(patches: object, lost: int) -> None:
    reply = Reply(calls=(("PatchDoc", {"json_doc_id": "a", "patches": patches}),), offered=UPDATE)
    assert len(losses(noted(reply), [], set())) == lost


def test_giving_up_is_said_unless_the_failure_is() -> None:
    notes = noted(stating("one"))
    notes.gave_up = True
    assert kinds(losses(notes, ["one"], {"one"})) == ["unparseable-reply"]
    notes.failure = Loss("model-error", "HTTP 500")
    assert kinds(losses(notes, ["one"], {"one"})) == ["model-error"]


def test_a_reply_that_was_cut_off_says_so() -> None:
    reply = Reply(unreadable=(("Memory", '{"con'),), cut=True)
    (loss,) = losses(noted(reply), [], set())
    assert "cut off at the token limit" in loss.detail
