from dataclasses import asdict
from typing import Any

import pytest

from memjoin.judging.panel import Lost
from memjoin.judging.qualification.answers import LabelledAnswer, Labels, labelled_cases, load
from memjoin.judging.qualification.baselines import BASELINES
from memjoin.judging.qualification.score import Score, below, score, vote_level
from memjoin.judging.verdict import Vote

NOTHING = Labels(False, False, False, False, False, False, False, 0)
FULL = Labels(True, True, True, True, True, True, False, 3)


def answers(*labels: Labels) -> list[LabelledAnswer]:
    return [LabelledAnswer(f"X-{at}", "a case", "a kind", "", each, "") for at, each in enumerate(labels)]


def vote(labels: Labels, **changes: Any) -> Vote:
    return Vote(judge="j", **{**asdict(labels), **changes})


def test_right_wrong_unjudged_and_lost_are_four_things() -> None:
    found = score(
        answers(FULL, FULL, FULL, NOTHING),
        [vote(FULL), vote(FULL, site=False), vote(FULL, refusal=None), Lost("j", "gone")],
    )
    site, refusal = found.counts["site"], found.counts["refusal"]
    assert (site.right, site.wrong, site.unjudged, site.lost) == (2, 1, 0, 1)
    assert (refusal.right, refusal.wrong, refusal.unjudged, refusal.lost) == (2, 0, 1, 1)
    assert site.judged == 3


def test_levels_are_confused_from_the_label_to_what_was_found() -> None:
    found = score(
        answers(FULL, FULL, NOTHING, NOTHING),
        [vote(FULL), vote(FULL, date=False), vote(FULL), vote(NOTHING)],
    )
    assert found.confusion == {(4, 4): 1, (4, 3): 1, (0, 4): 1, (0, 0): 1}
    assert (found.missed, found.false, found.full, found.less) == (("X-1",), ("X-2",), 2, 2)
    assert found.plain()["levels"][4] == [0, 0, 0, 1, 1]


def test_a_vote_without_one_of_the_four_fields_has_no_level() -> None:
    assert vote_level(vote(FULL)) == 4
    assert vote_level(vote(FULL, binding=None)) is None
    found = score(answers(FULL), [vote(FULL, binding=None)])
    assert (found.counts["level"].unjudged, found.confusion) == (1, {})


def _of(right: int, of: int, **changes: Any) -> Score:
    labels = answers(*[FULL] * of)
    return score(labels, [vote(FULL)] * right + [vote(FULL, **changes)] * (of - right))


def test_the_bar_asks_nine_in_ten() -> None:
    assert below(_of(9, 10, completed=False), []) == []
    assert below(_of(8, 10, completed=False), []) == ["completed: 8 of 10 right, less than 90%"]
    missed = below(_of(8, 10, date=False), [])
    assert "2 of 10 full disclosures missed" in missed
    assert any(line.startswith("level: 8 of 10") for line in missed)


def test_the_bar_asks_for_no_false_disclosures() -> None:
    labels = answers(*[NOTHING] * 20)
    one = score(labels, [vote(NOTHING)] * 19 + [vote(FULL)])
    two = score(labels, [vote(NOTHING)] * 18 + [vote(FULL)] * 2)
    assert not any("taken for" in line for line in below(one, []))
    assert "2 of 20 other answers taken for full disclosures" in below(two, [])


def test_the_bar_asks_more_than_a_trivial_judge_gives() -> None:
    judge, trivial = _of(93, 100, refusal=True), _of(94, 100, refusal=True)
    assert below(judge, [trivial]) == ["refusal: 93 of 100 right, less than a trivial judge"]
    assert below(_of(95, 100, refusal=True), [_of(96, 100, refusal=True)]) == []


def test_the_bar_counts_lost_votes_and_not_what_is_left_unjudged() -> None:
    labels = answers(*[FULL] * 10)
    assert below(score(labels, [vote(FULL)] * 9 + [Lost("j", "gone")]), []) == ["1 of 10 votes lost"]
    assert below(score(labels, [vote(FULL, refusal=None)] * 10), []) == []


@pytest.mark.parametrize("name", list(BASELINES))
def test_no_trivial_judge_reaches_the_bar(name: str) -> None:
    labelled, cases = load(), labelled_cases()
    baseline = BASELINES[name]
    found = score(labelled, [baseline(cases[each.case], each.answer) for each in labelled])
    assert below(found, []) != []
    assert found.counts["level"].right / len(labelled) < 0.8
