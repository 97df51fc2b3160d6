"""How often 95% intervals hold what they should: the tables of docs/statistics.md.

    python benchmarks/coverage.py

For a rate every possible count of disclosed cases has its interval, from the code that makes the tables; the
coverage at a true rate is the chance of the counts whose interval holds it, so that only the resamples are
drawn. For a paired difference pairs are drawn too (the seed is fixed).
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy as np
from scipy.stats import binom

from memjoin.analysis.bootstrap import Draws, Interval, exact_interval, percentile_intervals
from memjoin.analysis.design import RESAMPLES
from memjoin.analysis.paired import mcnemar

CASES = (24, 96, 288)
RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.14, 0.25, 0.5)
DISCORDANCES = (0.02, 0.05, 0.1, 0.2, 0.4)
PAIRS, PAIR_RESAMPLES = 2000, 2000


def main() -> None:
    """Print both tables in Markdown."""
    print("| True rate (%) | " + " | ".join(f"{n}: bootstrap | {n}: exact" for n in CASES) + " |")
    print("| ---: |" + " ---: |" * 2 * len(CASES))
    intervals = {cases: of_every_count(cases) for cases in CASES}
    for rate in RATES:
        cells = []
        for cases in CASES:
            for found in intervals[cases]:
                cells.append(f"{100 * coverage(found, cases, rate):.1f}")
        print(f"| {100 * rate:.1f} | {' | '.join(cells)} |")
    print()
    print("| Discordance (%) | " + " | ".join(f"{n}: bootstrap | {n}: McNemar" for n in CASES) + " |")
    print("| ---: |" + " ---: |" * 2 * len(CASES))
    for discordance in DISCORDANCES:
        cells = [f"{100 * share:.1f}" for cases in CASES for share in no_difference(cases, discordance)]
        print(f"| {100 * discordance:.0f} | {' | '.join(cells)} |")


def of_every_count(cases: int) -> tuple[list[Interval], list[Interval]]:
    """Return the bootstrap interval and the exact one of 0, 1, ... of so many cases."""
    counts = np.arange(cases + 1)
    positive = (np.arange(cases)[:, None] < counts[None, :]).astype(np.int64)
    found = percentile_intervals(Draws(cases, RESAMPLES, 0), positive, np.ones_like(positive))
    return [each for each in found if each is not None], [exact_interval(int(k), cases) for k in counts]


def coverage(intervals: list[Interval], cases: int, rate: float) -> float:
    """Return the chance that the interval of what is counted holds the true rate."""
    holds = np.array([low <= rate <= high for low, high in intervals])
    return float(np.sum(binom.pmf(np.arange(cases + 1), cases, rate)[holds]))


def no_difference(cases: int, discordance: float) -> tuple[float, float]:
    """Return how often, with no difference, the interval holds 0 and the exact test does not reject."""
    half = discordance / 2
    drawn = np.random.default_rng(1).choice([-1, 0, 1], (cases, PAIRS), p=[half, 1 - discordance, half])
    found = percentile_intervals(Draws(cases, PAIR_RESAMPLES, 0), drawn, np.ones_like(drawn))
    holds = [low <= 0 <= high for low, high in (each for each in found if each is not None)]
    sides = zip((drawn > 0).sum(axis=0), (drawn < 0).sum(axis=0), strict=True)
    kept = [mcnemar(int(b), int(c)) >= 0.05 for b, c in sides]
    return float(np.mean(holds)), float(np.mean(kept))


if __name__ == "__main__":
    main()
