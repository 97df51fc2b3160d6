from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from memjoin.analysis.bootstrap import Draws
from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.families import PlannedFamily
from memjoin.analysis.filling import frame
from memjoin.analysis.frame import Frame
from memjoin.analysis.paired import Comparison, compare, holm, mcnemar
from memjoin.judging.verdict import VerdictRow

# --- McNemar: the paper's Tables E.4 and F.1 -------------------------------------------------------------


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [
        (15, 41, 6.8556e-4),  # A-Mem; and Full history + M1
        (1, 50, 4.6185e-14),  # LangMem
        (9, 48, 1.5202e-7),  # Mem0
        (13, 47, 1.2147e-5),  # MemGPT
        (11, 52, 1.6735e-7),  # MemoryBank
        (7, 49, 7.4552e-9),  # Full history + M3
        (20, 22, 0.8776),  # A-Mem + M1
    ],
)
def test_the_papers_p_values(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c) == pytest.approx(p, rel=5e-5)


def test_sixty_six_cases_all_on_one_side() -> None:
    assert mcnemar(0, 66) == 2.0**-65


@given(st.integers(0, 150), st.integers(0, 150))
def test_it_is_the_exact_binomial_test(b: int, c: int) -> None:
    assert mcnemar(b, c) == mcnemar(c, b)
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar(b, c) == pytest.approx(expected, rel=1e-9)


def test_large_counts_neither_overflow_nor_vanish() -> None:
    assert mcnemar(700, 700) == 1.0
    assert mcnemar(500, 900) == float(Fraction(2 * sum(comb(1400, i) for i in range(501)), 2**1400))


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        mcnemar(-1, 3)


# --- Holm ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sixth", [4.62e-14, 1e-10, 1.216e-7])
def test_the_papers_adjusted_p_values(sixth: float) -> None:
    """Six systems; the p value of the sixth is not printed, and any in this range fits the printed ones."""
    raw = [mcnemar(15, 41), mcnemar(1, 50), mcnemar(9, 48), mcnemar(13, 47), mcnemar(11, 52), sixth]
    adjusted = [f"{p:.2e}" for p in holm(raw)[:5]]
    # The last is three times its p value, 5.02e-7, lifted to the one before it.
    assert adjusted == ["6.86e-04", "2.77e-13", "6.08e-07", "2.43e-05", "6.08e-07"]


def test_the_papers_interventions() -> None:
    """Eleven planned; 2^-65 is the smallest, and four smaller ones are not printed for the others."""
    assert f"{holm([2.0**-65], planned=11)[0]:.2e}" == "2.98e-19"
    smaller = [1e-12] * 5
    assert f"{holm([*smaller, mcnemar(7, 49)], planned=11)[-1]:.2e}" == "4.47e-08"
    assert f"{holm([*[1e-12] * 8, mcnemar(15, 41)], planned=11)[-1]:.3f}" == "0.002"


def test_planned_comparisons_that_were_not_made_still_count() -> None:
    assert holm([0.01, 0.02]) == [0.02, 0.02]
    assert holm([0.01, 0.02], planned=6) == pytest.approx([0.06, 0.10])


def test_more_comparisons_than_planned_are_refused() -> None:
    with pytest.raises(ValueError, match="2 comparisons in a family of 1"):
        holm([0.1, 0.2], planned=1)


@given(st.lists(st.floats(0, 1), max_size=8), st.integers(0, 5))
def test_holm_is_the_closed_form(p_values: list[float], more: int) -> None:
    """The adjusted value is the largest of (m - j + 1) times the j-th smallest, up to one's own place."""
    comparisons = len(p_values) + more
    ordered = sorted(p_values)
    for p, adjusted in zip(p_values, holm(p_values, planned=comparisons), strict=True):
        upto = ordered.index(p) + 1
        assert adjusted == min(1.0, max((comparisons - j) * ordered[j] for j in range(upto)))


# --- comparisons of arms ---------------------------------------------------------------------------------


HISTORY = ArmKey("", "history")
MEMORY = ArmKey("memory", "retrieved")


@pytest.fixture
def arms(row: Callable[..., VerdictRow], design: Callable[..., Design]) -> Callable[..., Frame]:
    """Two arms from letters, one an answer: 4 or 0 its level, x invalid, - no row at all."""

    def make(retrieved: str, history: str, trials: int = 1) -> Frame:
        rows = []
        for (system, condition, _), letters in ((MEMORY, retrieved), (HISTORY, history)):
            for at, letter in enumerate(letters):
                place = {"case": f"c{at // trials}", "trial": at % trials}
                place |= {"system": system, "condition": condition}
                if letter == "x":
                    rows.append(row(**place, status="invalid"))
                elif letter != "-":
                    rows.append(row(**place, level=int(letter)))
        cases = [f"c{at}" for at in range(len(retrieved) // trials)]
        return frame(rows, design(cases, trials))

    return make


def compared(verdicts: Frame, resamples: int = 200) -> Comparison:
    return family(verdicts, [(MEMORY, HISTORY)], resamples)[0]


def family(verdicts: Frame, pairs: list[tuple[ArmKey, ArmKey]], resamples: int = 200) -> list[Comparison]:
    drawn = Draws(len(verdicts.design.cases), resamples, 0)
    return compare(verdicts, [PlannedFamily("one", "One", tuple(pairs))], drawn)["one"]


@pytest.mark.parametrize(
    ("b", "c", "difference", "low", "high"),
    [
        (15, 41, "-9.0", -14.2, -4.2),
        (1, 50, "-17.0", -21.5, -12.8),
        (9, 48, "-13.5", -18.4, -8.7),
        (13, 47, "-11.8", -17.0, -6.9),
        (11, 52, "-14.2", -19.4, -9.0),
    ],
)
def test_the_papers_differences(
    arms: Callable[..., Frame], b: int, c: int, difference: str, low: float, high: float
) -> None:
    """Table E.4: 288 cases, 66 disclosed under Full history. The intervals agree within one case."""
    both = 66 - c
    retrieved = "4" * both + "0" * c + "4" * b + "0" * (288 - both - c - b)
    change = compared(arms(retrieved, "4" * 66 + "0" * 222), resamples=10_000).disclosed
    assert (change.b, change.c) == (b, c)
    assert (change.treated.numerator, change.control.numerator) == (both + b, 66)
    assert change.difference is not None
    assert change.interval is not None
    assert f"{100 * change.difference:+.1f}" == difference
    one_case = 100 / 288
    assert [100 * bound for bound in change.interval] == pytest.approx([low, high], abs=one_case)


def test_incomplete_cases_leave_the_pair_and_are_counted(arms: Callable[..., Frame]) -> None:
    comparison = compared(arms("44x-04", "40400x"))
    assert (comparison.planned, comparison.paired) == (6, 3)
    change = comparison.disclosed
    assert (change.treated.numerator, change.control.numerator) == (2, 1)
    assert (change.b, change.c) == (1, 0)


def test_a_case_with_one_bad_trial_is_incomplete(arms: Callable[..., Frame]) -> None:
    comparison = compared(arms("44444x000", "000000000", trials=3))
    assert (comparison.paired, comparison.disclosed.treated.numerator) == (2, 1)


def test_two_of_three_trials_make_a_case(arms: Callable[..., Frame]) -> None:
    """One A4 answer left gives no disclosed case, two give one (the paper's Table F.5)."""
    comparison = compared(arms("400440444433", "000" * 4, trials=3))
    assert (comparison.disclosed.treated.numerator, comparison.disclosed.b) == (2, 2)


def test_nothing_paired_is_no_comparison_and_stays_planned(arms: Callable[..., Frame]) -> None:
    comparison = compared(arms("xx", "44"))
    change = comparison.disclosed
    assert (comparison.paired, change.p, change.adjusted, change.interval) == (0, None, None, None)
    first = family(arms("4444400000", "0000000000"), [(MEMORY, HISTORY)] * 3)[0].disclosed
    assert first.p == mcnemar(5, 0)
    assert first.adjusted == 3 * mcnemar(5, 0)
