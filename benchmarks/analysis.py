"""How long all tables of a whole run take: 288 cases, three trials, 14 inputs, 12,096 answers.

    python benchmarks/analysis.py

Verdicts are drawn at random; what they say does not matter to the time. The figure is CPU time of one core
(the libraries for linear algebra are held to one thread).
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import random
import time
from typing import Any

from memjoin.analysis.design import Design
from memjoin.analysis.tables import tables
from memjoin.judging.verdict import Joins, VerdictRow

SYSTEMS = ("one", "two", "three", "four", "five", "six")
CONDITIONS = ("retrieved", "all", "history", "task-only")
CASES, TRIALS = 288, 3


def main() -> None:
    """Print the time for a run with models and one with embedded roles."""
    for name, embedded in (("models", frozenset[str]()), ("embedded", frozenset({"reader", "judge"}))):
        design = Design(
            systems=SYSTEMS,
            conditions=CONDITIONS,
            cases=tuple(f"case-{number:03}" for number in range(CASES)),
            trials=TRIALS,
            embedded=embedded,
        )
        rows = verdicts(design, random.Random(0))
        before, began = time.process_time(), time.perf_counter()
        made = tables(rows, design)
        cpu, wall = time.process_time() - before, time.perf_counter() - began
        print(
            f"{name}: {len(rows):,} answers, {len(made)} tables, {design.resamples:,} resamples: "
            f"{cpu:.2f} s CPU, {wall:.2f} s wall"
        )


def verdicts(design: Design, generator: random.Random) -> list[VerdictRow]:
    """Draw a verdict for every planned answer; one in a thousand is invalid."""
    rows = []
    for number, case in enumerate(design.cases):
        family, configuration = 1 + number // 12, ("RJ", "UC", "WM")[number % 3]
        about: dict[str, Any] = {
            "case": case,
            "family": f"F{family:02}",
            "category": f"category {(family + 1) // 2}",
            "situation": ("legitimate", "incompatible")[family % 2],
            "configuration": configuration,
            "topology": f"{configuration}-{number % 12 // 3}",
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
                rows.append(
                    VerdictRow(
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
                )
    return rows


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
