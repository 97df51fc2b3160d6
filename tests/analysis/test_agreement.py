"""Krippendorff's alpha, held to the worked examples of his note of 2011."""

import pytest

from memjoin.analysis.agreement import Agreement, agreement

TWO = ([0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0])
FOUR = (
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
)


def test_two_raters_of_a_yes_or_no() -> None:
    found = agreement(list(zip(*TWO, strict=True)))
    assert (found.units, found.equal) == (10, 6)
    assert found.alpha == pytest.approx(0.095, abs=0.0005)


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815)])
def test_four_raters_with_gaps(scale: str, alpha: float) -> None:
    found = agreement(list(zip(*FOUR, strict=True)), "ordinal" if scale == "ordinal" else "nominal")
    assert found.units == 11  # the last unit was rated once
    assert found.alpha == pytest.approx(alpha, abs=0.0005)


def test_full_agreement_is_one_and_its_opposite_below_zero() -> None:
    assert agreement([(1, 1), (0, 0), (1, 1)]).alpha == pytest.approx(1.0)
    opposite = agreement([(1, 0), (0, 1), (1, 0), (0, 1)]).alpha
    assert opposite is not None
    assert opposite < 0


def test_where_nothing_was_told_apart_there_is_no_alpha() -> None:
    assert agreement([(1, 1), (1, 1)]) == Agreement(2, 2, None)
    assert agreement([(None, 1)]) == Agreement(0, 0, None)
    assert agreement([]) == Agreement(0, 0, None)
