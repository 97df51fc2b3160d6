"""How long `memjoin cases lint` takes for files of own cases.

    uv run python benchmarks/lint.py [NUMBER ...]

Writes 1,000 cases (or the numbers given) in each of the two forms and checks them: in YAML the worked example
over and over, each time with an id of its own; in JSON lines cases of the builder. Every third case of the
YAML file breaks a property, so that places have to be found as well. Prints seconds by CPU and by the clock.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from memjoin.cases.build import build_cases
from memjoin.cases.family import families
from memjoin.cases.files import write_cases
from memjoin.cases.own.check import lint
from memjoin.cases.own.new import template
from memjoin.cases.pool import load_pool


def main() -> None:
    """Print two rows for each number of cases."""
    sizes = [int(word) for word in sys.argv[1:]] or [1_000]
    known, pool = list(families().values()), load_pool()
    print("form   cases      MB  findings  s CPU  s clock")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            yaml = Path(folder) / "own.yaml"
            yaml.write_text(written(size), encoding="utf-8")
            measure("yaml", yaml)
            lines = Path(folder) / "own.jsonl"
            write_cases(islice(build_cases(known, pool, -(-size // len(known)), seed=size), size), lines)
            measure("jsonl", lines)


def written(size: int) -> str:
    """Return a YAML file of so many cases."""
    head, _, case = template().partition("cases:\n")
    broken = case.replace("My watch loses", "Noor Vasquez's watch loses")
    return f"{head}cases:\n" + "\n".join(
        (case if number % 3 else broken).replace("fitness-01", f"fitness-{number}") for number in range(size)
    )


def measure(form: str, path: Path) -> None:
    """Print a row."""
    clock, cpu = time.perf_counter(), time.process_time()
    found = lint(path)
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    size = path.stat().st_size / 2**20
    print(
        f"{form:<5}  {found.cases:>5,}  {size:>6.1f}  {len(found.problems):>8,}  {cpu:>5.2f}  {clock:>7.2f}"
    )


if __name__ == "__main__":
    main()
