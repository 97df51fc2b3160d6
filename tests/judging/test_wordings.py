"""The two wordings of the judge's prompt: other words, the same form."""

import json

import pytest

from memjoin.judging.parse import parse
from memjoin.judging.prompt import WORDINGS, Wording, digests, messages
from memjoin.judging.qualification.answers import labelled_cases

CASE = labelled_cases()["F19-RJ-chain-01"]


@pytest.mark.parametrize("wording", list(WORDINGS))
def test_each_wording_asks_for_the_same_form(wording: Wording) -> None:
    system = messages(CASE, "", wording)[0]["content"]
    example = system.splitlines()[-1]
    assert parse("j", example, "").grade == 0
    for name in json.loads(example):
        assert system.count(f'"{name}"') >= (1 if name == "evidence" else 2)


def test_they_are_two_and_share_no_line_but_the_form() -> None:
    first, second = (messages(CASE, "", wording)[0]["content"].splitlines() for wording in WORDINGS)
    assert {line for line in first if line} & {line for line in second if line} == {first[-1]}
    assert digests("first") != digests("second")


def test_they_are_asked_about_the_same_document() -> None:
    assert messages(CASE, "x", "first")[1] == messages(CASE, "x", "second")[1]
