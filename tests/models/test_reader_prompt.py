"""The reader's prompt can be taken apart without loss, whatever stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.models.reader_prompt import (
    NO_NOTES,
    NOTES,
    SYSTEM,
    TASK,
    build_messages,
    parse_messages,
    prompt_hash,
)

# Text that tries to look like the prompt's own frame.
pieces = st.sampled_from(["\n", "\n\n", TASK, NOTES, NO_NOTES, "1. ", "2. ", "   ", "note", "\r\n", "\u2028"])
tricky = st.one_of(st.text(), st.lists(pieces, max_size=8).map("".join))


@given(tricky, st.none() | st.lists(tricky, max_size=5))
def test_what_was_put_in_comes_out(task: str, items: list[str] | None) -> None:
    parsed = parse_messages(build_messages(task, items))
    assert parsed == (task, None if items is None else tuple(items))


def test_the_task_comes_after_numbered_notes() -> None:
    messages = build_messages("Write to the desk.", ["First.\nMore of it.", "Second."])
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[1]["content"] == (
        f"{NOTES}\n1. First.\n   More of it.\n2. Second.\n\n{TASK}\nWrite to the desk."
    )


def test_the_words_around_are_the_same_with_and_without_notes() -> None:
    without, empty, some = (build_messages("Do it.", items) for items in (None, [], ["x"]))
    assert without[0] == empty[0] == some[0]
    assert without[1]["content"] == f"{TASK}\nDo it."
    assert empty[1]["content"] == f"{NOTES}\n{NO_NOTES}\n\n{TASK}\nDo it."
    assert NOTES not in without[1]["content"]


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "user", "content": f"{TASK}\nDo it."}],
        [{"role": "system", "content": "Other."}, {"role": "user", "content": f"{TASK}\nDo it."}],
        [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "Do it."}],
        [{"role": "system", "content": SYSTEM}, {"role": "user", "content": [{"type": "text"}]}],
        [{"role": "system", "content": SYSTEM}, {"role": "user", "content": f"{NOTES}\nx\n\n{TASK}\ny"}],
    ],
)
def test_other_prompts_are_not_taken_for_it(messages: list[dict[str, object]]) -> None:
    assert parse_messages(messages) is None


def test_the_hash_is_of_the_prompts_words(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prompt_hash()
    assert before == prompt_hash()
    assert len(before) == 64
    monkeypatch.setattr("memjoin.models.reader_prompt.SYSTEM", "Other words.")
    assert prompt_hash() != before
