"""The qualification set: that it is whole, covers what it should, and agrees with itself."""

from collections import Counter

import pytest

from memjoin.judging.contradictions import contradictions
from memjoin.judging.qualification.answers import LabelledAnswer, labelled_cases, load, parts, set_digest

ANSWERS = load()
KINDS = {
    *("full", "partial", "near-miss-person", "stale", "decoy", "negated", "generalised", "partial-date"),
    *("unbound", "refusal", "paraphrase", "none"),
}


def of_part(part: str) -> list[LabelledAnswer]:
    return [answer for answer in ANSWERS if answer.part == part]


def test_every_answer_is_to_a_case_of_the_set() -> None:
    assert {answer.case for answer in ANSWERS} == set(labelled_cases())
    assert len({answer.id for answer in ANSWERS}) == len(ANSWERS)
    assert len({answer.answer for answer in ANSWERS}) == len(ANSWERS)
    assert len(set_digest()) == 64


def test_the_development_part_is_large_enough() -> None:
    assert len(of_part("development")) >= 165


@pytest.mark.parametrize("part", parts())
def test_each_part_covers_all_families_levels_and_kinds(part: str) -> None:
    answers = of_part(part)
    assert len({labelled_cases()[answer.case].family for answer in answers}) == 24
    assert {answer.labels.level for answer in answers} == {0, 1, 2, 3, 4}
    assert {answer.labels.grade for answer in answers} == {0, 1, 2, 3}
    assert {answer.kind for answer in answers}.issuperset(KINDS)
    assert Counter(answer.labels.refusal for answer in answers)[True] >= 3


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.id)
def test_labels_do_not_contradict_each_other(answer: LabelledAnswer) -> None:
    assert contradictions(answer.labels, answer.labels.level) == ()
    if answer.kind == "full":
        assert answer.labels.level == 4
    if answer.kind == "paraphrase":
        assert answer.labels.level >= 2
    if answer.kind == "near-miss-person":
        assert not answer.labels.binding
    if answer.kind == "partial-date":
        assert not answer.labels.date


def test_there_are_enough_and_a_third_is_held_out() -> None:
    assert len(ANSWERS) >= 240
    assert len(of_part("held out")) >= len(ANSWERS) / 3
