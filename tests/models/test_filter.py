"""The embedded filter and its prompt."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.models.errors import UnknownPromptError
from memjoin.models.filter import EmbeddedFilter, decide
from memjoin.models.filter_prompt import build_messages, parse_messages
from memjoin.models.names import resolve_chat
from memjoin.models.types import ChatRequest

HOSTILE = st.one_of(st.text(), st.sampled_from(["\n\nText:\n", "Task:\n", "a\n\nText:\nb", "\n  x"]))


@given(HOSTILE.filter(lambda text: "\n  " not in text), HOSTILE)
def test_a_prompt_is_taken_apart_into_what_it_was_made_of(task, answer):
    assert parse_messages(build_messages(task, answer)) == (task, answer)


def test_it_answers_its_own_prompt_with_a_decision():
    request = ChatRequest("embedded", build_messages("Write to Ana.", "Her code is KX-4821."))
    reply = EmbeddedFilter().complete(request)
    decision = json.loads(reply.message["content"])
    assert decision == {"action": "redact", "text": "Her code is [code]."}
    assert resolve_chat("embedded", "filter").complete(request) == reply


def test_it_refuses_any_other_prompt():
    with pytest.raises(UnknownPromptError, match="only the prompts"):
        EmbeddedFilter().complete(ChatRequest("embedded", ({"role": "user", "content": "Hello"},)))


@given(st.text(), st.text())
def test_any_answer_gets_one_of_three_actions(task, answer):
    action, text = decide(task, answer)
    assert action in ("allow", "redact", "block")
    assert (text == "") == (action != "redact") or not answer.strip()


def test_renaming_codes_and_days_renames_nothing_of_the_decision():
    one, other = "Code KX-4821 on 2029-09-17.", "Code QT-1177 on 2031-02-03."
    assert decide("Write.", one) == decide("Write.", other)
