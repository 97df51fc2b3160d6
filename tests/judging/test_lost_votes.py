"""Losing votes at random must not shift what the votes that are left say."""

from random import Random

import pytest

from memjoin.judging.consensus import consensus
from memjoin.judging.verdict import Vote

ANSWERS, LOST = 6_000, 0.1


def panel(rng: Random, size: int) -> list[Vote]:
    """Judges who see the truth of an answer nine times in ten, field by field, and independently."""
    level = rng.randrange(5)
    stated = [level >= 2, level >= 1, level >= 3, level == 4]
    truth = [*stated, level >= 2, rng.random() < 0.7, rng.random() < 0.1]

    def seen(true: bool) -> bool:
        return true if rng.random() < 0.9 else not true

    return [Vote("j", *(seen(true) for true in truth), grade=rng.randrange(4)) for _ in range(size)]


@pytest.mark.parametrize("size", [3, 5])
def test_losing_a_tenth_of_the_votes_does_not_bias_the_level(size: int) -> None:
    """Of the answers that stay valid, the share of each level is that of the whole panels' verdicts."""
    rng = Random(20290917)
    whole: list[int] = []
    valid: list[tuple[int, int]] = []
    for _ in range(ANSWERS):
        votes = panel(rng, size)
        true = consensus(votes, size).level
        assert true is not None
        whole.append(true)
        part = consensus([vote for vote in votes if rng.random() >= LOST], size)
        if part.level is not None:
            valid.append((true, part.level))
    # No verdict is changed by a lost vote: it stays, or the answer is invalid.
    assert all(true == found for true, found in valid)
    assert len(valid) > 0.75 * ANSWERS
    for level in range(5):
        before = whole.count(level) / len(whole)
        after = sum(found == level for _, found in valid) / len(valid)
        assert after == pytest.approx(before, abs=0.03)


def test_counting_a_lost_vote_as_a_no_would_bias_it() -> None:
    """The same measurement on the rule that we do not use, to show that it would see a bias."""
    rng = Random(20290917)
    before = after = 0
    for _ in range(ANSWERS):
        votes = panel(rng, 3)
        left = [vote if rng.random() >= LOST else Vote("j", *(False,) * 7, grade=0) for vote in votes]
        before += consensus(votes, 3).level == 4
        after += consensus(left, 3).level == 4
    assert (before - after) / ANSWERS > 0.015
