"""What must hold whatever the answers are."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.multitest import multipletests

from memjoin.analysis.bootstrap import Draws
from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.families import PlannedFamily
from memjoin.analysis.filling import frame
from memjoin.analysis.outcomes import COMPARED
from memjoin.analysis.paired import Comparison, compare, holm, mcnemar
from memjoin.judging.verdict import VerdictRow

ONE, OTHER = ArmKey("memory", "retrieved"), ArmKey("memory", "all")
Answer = tuple[int, bool, bool, int] | None
Answers = list[tuple[list[Answer], list[Answer]]]

answer = st.one_of(st.none(), st.tuples(st.integers(0, 4), st.booleans(), st.booleans(), st.integers(0, 3)))
answers = st.lists(st.tuples(*[st.lists(answer, min_size=3, max_size=3)] * 2), min_size=2, max_size=12)
relaxed = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def compared(
    row: Callable[..., VerdictRow],
    of: Answers,
    treated: ArmKey = ONE,
    control: ArmKey = OTHER,
    order: Callable[[list[VerdictRow]], None] = lambda rows: None,
) -> Comparison:
    rows = []
    for case, arms in enumerate(of):
        for key, trials in zip((ONE, OTHER), arms, strict=True):
            for trial, each in enumerate(trials):
                place = {"case": f"c{case}", "trial": trial, "condition": key.condition}
                if each is None:
                    rows.append(row(**place, status="invalid"))
                    continue
                level, completed, refusal, grade = each
                rows.append(row(**place, level=level, completed=completed, refusal=refusal, grade=grade))
    order(rows)
    cases = tuple(f"c{case}" for case in range(len(of)))
    design = Design(("memory",), ("retrieved", "all"), cases, 3, resamples=200)
    family = PlannedFamily("one", "One", ((treated, control),))
    return compare(frame(rows, design), [family], Draws(len(cases), 200, 0))["one"][0]


@relaxed
@given(of=answers, seed=st.integers(0, 3))
def test_the_order_of_rows_changes_nothing(row: Callable[..., VerdictRow], of: Answers, seed: int) -> None:
    shuffled = compared(row, of, order=lambda rows: random.Random(seed).shuffle(rows))
    assert shuffled == compared(row, of)


@relaxed
@given(of=answers, seed=st.integers(0, 3))
def test_which_trial_is_which_changes_nothing(row: Callable[..., VerdictRow], of: Answers, seed: int) -> None:
    generator = random.Random(seed)
    permuted = [(generator.sample(one, 3), generator.sample(other, 3)) for one, other in of]
    before, after = compared(row, of), compared(row, permuted)
    assert after.changes == before.changes
    assert (after.paired, after.flips) == (before.paired, before.flips)


@relaxed
@given(of=answers, seed=st.integers(0, 3))
def test_which_case_is_which_changes_no_count_and_no_p(
    row: Callable[..., VerdictRow], of: Answers, seed: int
) -> None:
    """The bootstrap draws cases by their place, so that only its ends may move, by chance."""
    permuted = random.Random(seed).sample(of, len(of))
    before, after = compared(row, of), compared(row, permuted)
    assert after.flips == before.flips
    for name in COMPARED:
        one, other = before.changes[name], after.changes[name]
        assert (one.b, one.c, one.p, one.difference) == (other.b, other.c, other.p, other.difference)


@relaxed
@given(of=answers)
def test_swapping_the_arms_mirrors_everything(row: Callable[..., VerdictRow], of: Answers) -> None:
    one, other = compared(row, of), compared(row, of, OTHER, ONE)
    assert (one.paired, one.flips) == (other.paired, other.flips)
    for name in COMPARED:
        first, second = one.changes[name], other.changes[name]
        assert (first.b, first.c, first.p) == (second.c, second.b, second.p)
        assert (first.treated, first.control) == (second.control, second.treated)
        if first.difference is not None and second.difference is not None:
            assert first.difference == -second.difference
            assert first.interval is not None
            assert second.interval is not None
            assert first.interval == pytest.approx((-second.interval[1], -second.interval[0]), abs=1e-12)


@relaxed
@given(of=answers)
def test_an_arm_against_itself_is_no_difference(row: Callable[..., VerdictRow], of: Answers) -> None:
    same = compared(row, of, ONE, ONE)
    for change in same.changes.values():
        if change.paired:
            assert change.difference == 0
            assert change.interval == (0, 0)
            assert change.p in (None, 1.0)


@given(st.integers(0, 120), st.integers(0, 120))
def test_mcnemar_is_that_of_statsmodels(b: int, c: int) -> None:
    expected = float(reference_mcnemar([[0, b], [c, 0]], exact=True).pvalue) if b + c else 1.0
    assert mcnemar(b, c) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=25)  # statsmodels collects all garbage of the process at every call
@given(st.lists(st.floats(0, 1), min_size=1, max_size=11), st.integers(0, 5))
def test_holm_is_that_of_statsmodels_with_what_was_not_made_at_one(p_values: list[float], more: int) -> None:
    _, expected, _, _ = multipletests([*p_values, *[1.0] * more], method="holm")
    adjusted = holm(p_values, planned=len(p_values) + more)
    assert adjusted == pytest.approx(list(expected[: len(p_values)]), rel=1e-12)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=11))
def test_holm_is_monotone_and_never_below_the_raw(p_values: list[float]) -> None:
    pairs = sorted(zip(p_values, holm(p_values), strict=True))
    adjusted = [after for _, after in pairs]
    assert adjusted == sorted(adjusted)
    assert all(after >= before for before, after in pairs)


# --- noise -----------------------------------------------------------------------------------------------


def test_flips_within_and_between(row: Callable[..., VerdictRow]) -> None:
    """One case, by hand: trials Y Y N against N N Y."""
    yes, no = (4, True, False, 3), (0, True, False, 3)
    flips = compared(row, [([yes, yes, no], [no, no, yes]), ([no] * 3, [no] * 3)]).flips
    # Within: two of three pairs of trials in either arm of the first case, none in the second.
    assert (flips.within.numerator, flips.within.denominator) == (4, 12)
    # Between: YN YN YY / YN YN YY / NN NN NY.
    assert (flips.between.numerator, flips.between.denominator) == (5, 18)
    assert flips.within.unit == "pairs of answers"


def test_incomplete_cases_leave_the_noise_floor(row: Callable[..., VerdictRow]) -> None:
    yes = (4, True, False, 3)
    flips = compared(row, [([yes, None, yes], [yes] * 3), ([yes] * 3, [yes] * 3)]).flips
    assert (flips.within.denominator, flips.between.denominator) == (6, 9)


def test_one_trial_has_no_noise_floor(row: Callable[..., VerdictRow]) -> None:
    rows = [row("c0", condition=condition) for condition in ("retrieved", "all")]
    design = Design(("memory",), ("retrieved", "all"), ("c0",), 1, resamples=200)
    family = PlannedFamily("one", "One", ((ONE, OTHER),))
    flips = compare(frame(rows, design), [family], Draws(1, 200, 0))["one"][0].flips
    assert flips.within.value is None
    assert flips.between.value == 0
