from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memjoin.analysis.builders.power import detectable_differences
from memjoin.analysis.paired import mcnemar
from memjoin.analysis.power import detectable, power


def by_hand(cases: int, discordance: float, difference: float, alpha: float) -> float:
    """Sum the multinomial chances of every (b, c) that the test rejects."""
    one, other = (discordance + difference) / 2, (discordance - difference) / 2
    return sum(
        comb(cases, b) * comb(cases - b, c) * one**b * other**c * (1 - discordance) ** (cases - b - c)
        for b in range(cases + 1)
        for c in range(cases - b + 1)
        if mcnemar(b, c) <= alpha
    )


@pytest.mark.parametrize(
    ("cases", "discordance", "difference", "alpha"),
    [
        (24, 0.3, 0.2, 0.05),
        (24, 0.5, 0.5, 0.05),
        (40, 0.2, 0.0, 0.05),
        (40, 0.4, -0.3, 0.01),
        (12, 1.0, 0.6, 0.05),
    ],
)
def test_power_is_the_chance_that_the_exact_test_rejects(
    cases: int, discordance: float, difference: float, alpha: float
) -> None:
    expected = by_hand(cases, discordance, difference, alpha)
    assert power(cases, discordance, difference, alpha) == pytest.approx(expected, abs=1e-9)


def test_power_is_what_a_simulation_finds() -> None:
    """288 cases, a fifth discordant, 7.6 points apart: four times in five."""
    found = detectable(288, 0.2)
    assert found.difference is not None
    assert 100 * found.difference == pytest.approx(7.6, abs=0.05)
    one = (0.2 + found.difference) / 2
    draws = np.random.default_rng(0).multinomial(288, [one, 0.2 - one, 0.8], 4000)
    rejected = np.mean([mcnemar(int(b), int(c)) <= 0.05 for b, c, _ in draws])
    assert rejected == pytest.approx(0.8, abs=0.03)


def test_without_a_difference_the_test_rejects_less_often_than_its_level() -> None:
    """The exact test is conservative; that is its price."""
    for discordance in (0.05, 0.2, 0.5):
        assert 0 < power(288, discordance, 0.0) < 0.05


@given(st.integers(10, 400), st.floats(0.02, 1.0))
def test_the_detectable_difference_is_the_smallest_that_reaches_the_power(cases: int, assumed: float) -> None:
    found = detectable(cases, assumed)
    assert found.difference is not None
    assert found.discordance == max(assumed, found.difference)
    assert power(cases, found.discordance, found.difference) >= 0.8
    less = found.difference - 1e-6
    assert power(cases, max(assumed, less), less) < 0.8


def test_more_cases_and_less_discordance_detect_smaller_differences() -> None:
    differences = [detectable(cases, 0.2).difference or 1 for cases in (24, 96, 288, 2880, 28_800)]
    assert differences == sorted(differences, reverse=True)
    by_discordance = [detectable(288, each).difference or 1 for each in (0.05, 0.1, 0.2, 0.4)]
    assert by_discordance == sorted(by_discordance)
    alone, of_eleven = detectable(288, 0.2).difference, detectable(288, 0.2, 0.05 / 11).difference
    assert alone is not None
    assert of_eleven is not None
    assert alone < of_eleven


def test_five_cases_detect_nothing() -> None:
    """Five of five on one side is p = 0.0625."""
    assert detectable(5, 0.2).difference is None
    assert detectable(6, 0.2).difference is not None
    table = detectable_differences([detectable(5, 0.2)], 0.05, 0.8, 1)
    assert [cell.text for cell in table.rows[0]] == ["20.0", "–", "–", "–"]
    assert "5 cases are too few to detect any difference." in table.notes


def test_no_discordance_no_power() -> None:
    assert power(288, 0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    "wrong", [(0, 0.2, 0.1, 0.05), (10, 0.2, 0.3, 0.05), (10, 1.2, 0.3, 0.05), (10, 0.2, 0.1, 0.0)]
)
def test_what_cannot_be_is_refused(wrong: tuple[int, float, float, float]) -> None:
    with pytest.raises(ValueError, match="no power for"):
        power(*wrong)
    with pytest.raises(ValueError, match="a power of 1"):
        detectable(10, 0.2, at_power=1)


def test_a_row_says_how_many_cases_that_is() -> None:
    table = detectable_differences([detectable(288, 0.2), detectable(24, 0.05)], 0.05, 0.8, 1)
    assert [cell.text for cell in table.rows[0]] == ["20.0", "7.6", "22", "40, 18"]
    assert table.rows[1][1].text.endswith("*")
    assert any(note.startswith("With a star") for note in table.notes)
