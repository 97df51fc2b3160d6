"""How long all tables take: 288 cases, three trials, 14 inputs (12,096 answers) with 10,000 resamples, and 25
paired comparisons; then many times as many cases.

    python benchmarks/analysis.py            # 288 cases, and ten times as many
    python benchmarks/analysis.py --times 1 100

Verdicts are drawn at random, one by one as a ledger gives them; what they say does not matter to the time.
The figures are CPU time of one core (the libraries for linear algebra are held to one thread) and the peak
of the process's memory, the drawing of verdicts taken off the time.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import argparse
import random
import resource
import time
from collections.abc import Iterator
from typing import Any

from memjoin.analysis.builders.paper import paper_tables
from memjoin.analysis.design import Design
from memjoin.analysis.families import from_flags
from memjoin.analysis.results import compute
from memjoin.analysis.tables import tables_of
from memjoin.judging.verdict import Joins, VerdictRow

SYSTEMS = ("one", "two", "three", "four", "five", "six")
CONDITIONS = ("retrieved", "all", "history", "task-only")
CASES, TRIALS = 288, 3

OWN = (
    "*/all vs */retrieved",
    "*/all vs history",
    "*/retrieved vs task-only",
    "two/retrieved vs one/retrieved",
)
"""With the six of retrieved-vs-history: 25 comparisons."""


def main() -> None:
    """Print time and memory for each number of cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, nargs="+", default=[1, 10])
    for times in parser.parse_args().times:
        design = Design(
            systems=SYSTEMS,
            conditions=CONDITIONS,
            cases=tuple(f"case-{number:06}" for number in range(CASES * times)),
            trials=TRIALS,
        )
        drawing = time.process_time()
        answers = sum(1 for _ in verdicts(design, random.Random(0)))
        drawing = time.process_time() - drawing
        before = time.process_time()
        results = compute(verdicts(design, random.Random(0)), design, from_flags(OWN))
        made = [*tables_of(results), *paper_tables(results)]
        cpu = time.process_time() - before - drawing
        pairs = sum(len(family.pairs) for family in results.families)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{answers:,} answers, {len(made)} tables, {pairs} comparisons, {design.resamples:,} resamples: "
            f"{cpu:.2f} s CPU, peak {peak:,.0f} MB"
        )


def verdicts(design: Design, generator: random.Random) -> Iterator[VerdictRow]:
    """Draw a verdict for every planned answer, one by one; one in a thousand is invalid."""
    for number, case in enumerate(design.cases):
        family, configuration = 1 + number * 24 // len(design.cases), ("RJ", "UC", "WM")[number % 3]
        about: dict[str, Any] = {
            "case": case,
            "family": f"F{family:02}",
            "category": f"category {(family + 1) // 2}",
            "situation": ("legitimate", "incompatible")[family % 2],
            "configuration": configuration,
            "topology": f"{configuration}-{number // 3 % 4}",
            "stratum": ("separated", "values-visible")[number % 2],
        }
        for trial in range(design.trials):
            stores = {system: _joins(generator) for system in design.systems}
            for system, condition, _ in design.arms:
                ok = generator.random() > 0.001
                fields: dict[str, Any] = {
                    "level": generator.randrange(5),
                    "inappropriate": generator.random() < 0.2,
                    "completed": generator.random() < 0.5,
                    "refusal": generator.random() < 0.1,
                    "grade": generator.randrange(4),
                }
                yield VerdictRow(
                    system=system,
                    condition=condition,
                    trial=trial,
                    status="ok" if ok else "invalid",
                    reason="" if ok else "votes lost",
                    store=stores.get(system),
                    input=None if condition == "task-only" else _joins(generator),
                    **about,
                    **(fields if ok else dict.fromkeys(fields)),
                )


def _joins(generator: random.Random) -> Joins:
    kept = [generator.randrange(3) for _ in range(4)]
    found = generator.random() < 0.7
    joinable = min(kept) > 0
    return Joins(
        available=found,
        service=found,
        site=found,
        date=found,
        clues=8,
        kept=sum(kept),
        kept_by_session=tuple((f"s{number}", count, 2) for number, count in enumerate(kept, start=1)),
        joinable=joinable,
        collected=joinable and generator.random() < 0.5,
        materialized=joinable and generator.random() < 0.2,
        unreadable=not joinable and generator.random() < 0.05,
    )


if __name__ == "__main__":
    main()
