"""Time and endurance of the memory systems, on the embedded writer.

    uv run python benchmarks/systems overhead [--system NAME ...] [--cases 30] [--json]
    uv run python benchmarks/systems throughput [--system NAME ...] [--cases 20]
    uv run python benchmarks/systems endurance [--system NAME ...] [--cases 200]
    uv run python benchmarks/systems long [--system NAME ...] [--turns 1000]

``overhead``: a write of a session (six turns) and a retrieval (k = 10) through MemJoin, against the
framework driven directly on the same gateway. It exits with 1 if a call costs more than 15% or 3 ms more,
whichever is larger. ``throughput``: cases of four sessions a second, by one worker and by two.
``endurance``: what a worker holds after so many cases; it exits with 1 if that grows. ``long``: how the time
of a session (ten turns) and of a retrieval grow with the history. Without ``--system``: all that a run
measures which names none.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

import load
import overhead

from memjoin.systems import registry
from memjoin.systems.errors import UnknownSystem


def main() -> int:
    """Measure, print, and say whether it holds."""
    parser = argparse.ArgumentParser(
        prog="benchmarks/systems",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("overhead", "throughput", "endurance", "long"))
    parser.add_argument("--system", action="append", default=[], metavar="NAME")
    parser.add_argument("--cases", type=int, help="30 for overhead, 20 for throughput, 200 for endurance")
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--json", action="store_true", help="print JSON (overhead)")
    asked = parser.parse_args()
    try:
        specs = [registry.find(name) for name in asked.system] or registry.defaults()
    except UnknownSystem as error:
        parser.error(str(error))

    def say(line: str) -> None:
        print(line, flush=True)

    if asked.what == "overhead":
        found = []
        if not asked.json:
            say(overhead.HEAD)
        for spec in specs:
            measured = overhead.measure(spec, asked.cases or 30)
            found += measured
            if not asked.json:
                for row in measured:
                    say(row.line())
        if asked.json:
            rows = [asdict(row) | {"allowed": row.allowed, "holds": row.holds} for row in found]
            print(json.dumps(rows, indent=2))
        return 0 if all(row.holds for row in found) else 1
    if asked.what == "endurance":
        flat = [load.endurance(spec, asked.cases or 200, say) for spec in specs if not spec.empty]
        return 0 if all(flat) else 1
    for spec in specs:
        if asked.what == "throughput":
            load.throughput(spec, asked.cases or 20, say)
        else:
            load.long_history(spec, asked.turns, say)
    return 0


if __name__ == "__main__":
    sys.exit(main())
