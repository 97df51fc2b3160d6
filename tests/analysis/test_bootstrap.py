import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from memjoin.analysis import bootstrap
from memjoin.analysis.bootstrap import BLOCK, Draws, Ratios, exact_interval, percentile_intervals
from memjoin.analysis.design import RESAMPLES, Design

SEED = Design(systems=(), conditions=(), cases=(), trials=1).seed


def positive(count: int, of: int) -> np.ndarray:
    return (np.arange(of) < count).astype(np.int64)[:, None]


@pytest.mark.parametrize(
    ("count", "printed"), [(40, "[10.1, 18.1]"), (43, "[11.1, 19.1]"), (17, "[3.5, 8.7]"), (0, "[0.0, 0.0]")]
)
def test_the_papers_intervals(count: int, printed: str) -> None:
    """Table E.1, with the resamples and the seed that a run uses."""
    drawn = Draws(288, RESAMPLES, SEED)
    (bounds,) = percentile_intervals(drawn, positive(count, 288), np.ones((288, 1), np.int64))
    assert bounds is not None
    assert f"[{100 * bounds[0]:.1f}, {100 * bounds[1]:.1f}]" == printed


@pytest.mark.parametrize("seed", [0, 7])
def test_it_is_the_bootstrap_of_scipy(seed: int) -> None:
    """With the same generator the resamples are the same, so the intervals are equal, not merely near."""
    grades = np.random.default_rng(1).integers(0, 4, 60)
    reference = stats.bootstrap(
        (grades,), np.mean, n_resamples=500, method="percentile", rng=np.random.default_rng(seed)
    ).confidence_interval
    (bounds,) = percentile_intervals(
        Draws(60, 500, seed), grades[:, None].astype(np.int64), np.ones((60, 1), np.int64)
    )
    assert bounds == pytest.approx((reference.low, reference.high), abs=1e-12)


def test_a_ratio_is_the_paired_bootstrap_of_scipy() -> None:
    """A share of answers: numerators and denominators of a case are drawn together."""
    generator = np.random.default_rng(2)
    among = generator.integers(0, 4, 50)
    hits = generator.binomial(among, 0.4)
    reference = stats.bootstrap(
        (hits, among),
        lambda top, bottom, axis: top.sum(axis=axis) / bottom.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=500,
        method="percentile",
        rng=np.random.default_rng(3),
    ).confidence_interval
    (bounds,) = percentile_intervals(Draws(50, 500, 3), hits[:, None], among[:, None])
    assert bounds == pytest.approx((reference.low, reference.high), abs=1e-12)


def test_every_resample_draws_as_many_cases_as_there_are() -> None:
    (drawn,) = Draws(24, 300, 0).blocks()
    assert drawn.shape == (300, 24)
    assert set(drawn.sum(axis=1)) == {24.0}
    assert drawn.mean() == pytest.approx(1.0)
    assert not drawn.flags.writeable


def test_the_draws_do_not_depend_on_how_many_are_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large run is drawn block by block, so that memory stays flat; its figures are the same."""
    (at_once,) = Draws(30, 101, 5).blocks()
    monkeypatch.setattr(bootstrap, "BLOCK", 30 * 7)
    blocks = [block.copy() for block in Draws(30, 101, 5).blocks()]
    assert [len(block) for block in blocks] == [7] * 14 + [3]
    assert np.array_equal(np.concatenate(blocks), at_once)
    assert BLOCK >= RESAMPLES * 288  # the release is drawn once


def test_the_draws_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (at_once,) = Draws(30, 101, 6).blocks()
    monkeypatch.setattr(bootstrap, "_AT_ONCE", 100)
    bootstrap._whole.cache_clear()
    (in_pieces,) = Draws(30, 101, 6).blocks()
    assert np.array_equal(in_pieces, at_once)


def test_intervals_of_a_group_are_those_of_its_cases_among_all() -> None:
    """Cases are drawn from all: of a group a resample has now more, now fewer."""
    generator = np.random.default_rng(4)
    among = generator.integers(0, 4, 60)
    hits = generator.binomial(among, 0.3)
    group = np.arange(60) % 3 == 0
    drawn = Draws(60, 400, 1)
    ratios = Ratios(drawn, 1)
    ratios.add(hits, among)
    of_group, of_all = ratios.intervals([group, np.ones(60, np.bool_)])
    assert of_group == percentile_intervals(drawn, (hits * group)[:, None], (among * group)[:, None])
    assert of_all == percentile_intervals(drawn, hits[:, None], among[:, None])


def test_sums_that_short_floats_cannot_hold_are_exact() -> None:
    """Sixty cases of some ten million: their sums pass 2 ** 24, from where every second number is lost."""
    hits = np.random.default_rng(5).integers(9_000_000, 10_000_000, 60)
    reference = stats.bootstrap(
        (hits,), np.mean, n_resamples=300, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    (bounds,) = percentile_intervals(Draws(60, 300, 0), hits[:, None], np.ones((60, 1), np.int64))
    assert bounds == pytest.approx((reference.low, reference.high), rel=1e-15)


def test_a_resample_without_any_denominator_says_nothing() -> None:
    """One case of three has the denominator: most resamples draw it, some do not."""
    drawn = Draws(3, 300, 0)
    (matrix,) = drawn.blocks()
    assert (matrix[:, 0] == 0).any()
    denominators = np.array([[1], [0], [0]])
    assert percentile_intervals(drawn, denominators, denominators) == [(1.0, 1.0)]
    assert percentile_intervals(drawn, np.zeros((3, 1), np.int64), np.zeros((3, 1), np.int64)) == [None]


def test_exact_intervals_of_nothing_found() -> None:
    assert f"{100 * exact_interval(0, 24)[1]:.1f}" == "14.2"
    assert f"{100 * exact_interval(0, 288)[1]:.1f}" == "1.3"
    assert exact_interval(0, 24)[0] == 0.0
    assert exact_interval(24, 24)[1] == 1.0


@given(st.integers(1, 300).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_exact_intervals_are_clopper_pearson(counts: tuple[int, int]) -> None:
    reference = stats.binomtest(*counts).proportion_ci(0.95, method="exact")
    assert exact_interval(*counts) == pytest.approx((reference.low, reference.high), abs=1e-9)


@pytest.mark.parametrize(("count", "of"), [(0, 0), (-1, 3), (4, 3)])
def test_no_interval_of_what_cannot_be(count: int, of: int) -> None:
    with pytest.raises(ValueError, match=f"{count} of {of}"):
        exact_interval(count, of)
