"""How fast cases are built and verified, and whether that stays linear.

    uv run python benchmarks/cases.py [NUMBER ...]

Builds 100, 1,000 and 10,000 cases (or the numbers given) on one core, evenly over the families and
topologies there are, each verified as it is built and then let go. Prints cases a second, by CPU time and by
the clock, how much of the time the verification alone takes, and the peak memory.

A core that others work beside is slower, in CPU time too. So each row ends with the time that a fixed loop
took meanwhile, 200,000 additions: a quiet core of 2024 takes 7 ms or so. Where it is twice that, everything
else is twice too slow as well.
"""

from __future__ import annotations

import argparse
import resource
import time
from itertools import islice

from memjoin.cases.build import build_cases
from memjoin.cases.family import Family, families
from memjoin.cases.pool import Pool, load_pool
from memjoin.cases.verify import findings

SIZES = (100, 1_000, 10_000)


def main() -> None:
    """Print a row for each number of cases."""
    parser = argparse.ArgumentParser(description="How fast cases are built and verified, on one core.")
    parser.add_argument(
        "numbers", nargs="*", type=number_of_cases, default=SIZES, help="how many cases (100, 1000 and 10000)"
    )
    sizes = parser.parse_args().numbers
    start = time.process_time()
    known, pool = list(families().values()), load_pool()
    loading = time.process_time() - start
    print(f"{len(known)} families and the pool loaded in {loading:.2f} s")
    measure(known, pool, 50, seed=0)  # fills the caches of phrases and forms
    print("  cases  cases/s CPU  cases/s clock  ms/case  verifying     MB  loop ms")
    for size in sizes:
        before = loop()
        cpu, clock, verifying = measure(known, pool, size, seed=size)
        meanwhile = (before + loop()) / 2 * 1000
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{size:>7}  {size / cpu:>11,.0f}  {size / clock:>13,.0f}  {cpu / size * 1000:>7.3f}  "
            f"{verifying / cpu:>9.0%}  {peak:>5.0f}  {meanwhile:>7.1f}"
        )


def number_of_cases(text: str) -> int:
    """Return a number of cases from the command line."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of cases from 1 on")
    return int(text)


def loop() -> float:
    """Return the CPU seconds that a fixed loop takes, the median of nine."""
    times = []
    for _ in range(9):
        start, total = time.process_time(), 0
        for number in range(200_000):
            total += number
        times.append(time.process_time() - start)
    return sorted(times)[4]


def measure(known: list[Family], pool: Pool, size: int, seed: int) -> tuple[float, float, float]:
    """Return CPU seconds and seconds by the clock of building and verifying, and CPU seconds of verifying.

    Builds verify every draw themselves; the share of that is measured by verifying a sample once more.
    """
    per_family = -(-size // len(known))
    sample = []
    clock, cpu = time.perf_counter(), time.process_time()
    for number, case in enumerate(islice(build_cases(known, pool, per_family, seed), size)):
        if number % 10 == 0:
            sample.append(case)
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    again = time.process_time()
    for case in sample:
        if findings(case):
            raise SystemExit(f"{case.id} does not verify")
    return cpu, clock, (time.process_time() - again) * size / len(sample)


if __name__ == "__main__":
    main()
