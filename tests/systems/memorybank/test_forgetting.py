"""The published forgetting curve, in numbers."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.systems.memorybank.forgetting import Trace, draw, retention

NOON = datetime(2041, 3, 14, 12)


@pytest.mark.parametrize(
    ("days", "strength", "expected"),
    [(0, 1, 1.0), (1, 1, 0.367879), (1, 2, 0.606531), (5, 1, 0.006738), (5, 5, 0.367879), (0.5, 1, 0.606531)],
)
def test_retention(days: float, strength: float, expected: float) -> None:
    assert retention(days, strength) == pytest.approx(expected, abs=1e-6)


@given(st.floats(0, 60), st.integers(1, 20))
def test_a_stronger_memory_lasts_longer(days: float, strength: int) -> None:
    assert retention(days, strength + 1) >= retention(days, strength)


def test_a_memory_goes_when_the_curve_has_fallen_to_its_draw() -> None:
    trace = Trace(NOON, 0.5)
    half_life = timedelta(days=0.693147)
    assert trace.kept(NOON)
    assert trace.kept(NOON + half_life - timedelta(minutes=1))
    assert not trace.kept(NOON + half_life + timedelta(minutes=1))


def test_nothing_is_forgotten_at_once_or_backwards() -> None:
    almost = Trace(NOON, 1 - 2**-53)
    assert almost.kept(NOON)
    assert almost.kept(NOON - timedelta(days=3))


def test_a_recall_makes_it_stronger_and_begins_anew() -> None:
    later = NOON + timedelta(days=2)
    recalled = Trace(NOON, 0.1).recalled(later, 0.5)
    assert recalled == Trace(later, 0.5, strength=2)
    assert recalled.kept(later + timedelta(days=1.38))
    assert not recalled.kept(later + timedelta(days=1.39))


def test_the_share_that_is_left_follows_the_curve_however_often_one_looks() -> None:
    traces = [Trace(NOON, draw(7, "case", f"turns-{number}", 1)) for number in range(20_000)]
    for days in (1, 2, 3):
        now = NOON + timedelta(days=days)
        traces = [trace for trace in traces if trace.kept(now)]
        assert len(traces) / 20_000 == pytest.approx(retention(days, 1), abs=0.01)


def test_draws_are_uniform_and_depend_on_every_argument() -> None:
    draws = [draw(1, "case", f"turns-{number}", 1) for number in range(20_000)]
    assert all(0 <= value < 1 for value in draws)
    assert sum(draws) / len(draws) == pytest.approx(0.5, abs=0.01)
    same = draw(1, "case", "turns-1", 1)
    assert draw(1, "case", "turns-1", 1) == same
    others = [
        draw(2, "case", "turns-1", 1),
        draw(1, "other", "turns-1", 1),
        draw(1, "case", "turns-2", 1),
        draw(1, "case", "turns-1", 2),
    ]
    assert len({same, *others}) == 5
