"""A framework as an application drives it, to compare with: run by the interpreter of its environment.

    PYTHON serve.py SYSTEM SETTINGS SYSTEMS_FOLDER

Each line on standard input is a case, ``{"sessions": [{"id", "at", "turns": [...]}], "query", "k"}``. It is
written into a fresh store and answered with one line of milliseconds, ``{"write": [...], "retrieve": ...}``.
What is timed are calls of the framework alone. It is made as MemJoin's adapter makes it, on the same stores
and clients of the same gateway, so that what differs is what MemJoin does around the calls.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import time
from pathlib import Path
from typing import TextIO


def mount(systems: Path) -> None:
    """Make ``memjoin.systems`` importable, and nothing else of MemJoin, as a worker does."""
    spec = importlib.util.spec_from_file_location("worker", systems / "worker.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"there is no worker in {systems}")
    worker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(worker)
    worker.mount("memjoin.errors", str(systems.parent / "errors.py"))
    worker.mount("memjoin.systems", str(systems))


def main(system: str, settings: str, systems: str, answers: TextIO) -> None:
    """Answer a line for each case."""
    mount(Path(systems))
    from memjoin.systems import wire

    driver = importlib.import_module(f"drive_{system}").Driver(wire.settings_from_json(json.loads(settings)))
    for number, line in enumerate(sys.stdin):
        case = json.loads(line)
        driver.new(f"direct-{number}")
        writes = []
        for session in case["sessions"]:
            begin = time.perf_counter()
            driver.write(session["at"], [(turn["speaker"], turn["text"]) for turn in session["turns"]])
            writes.append((time.perf_counter() - begin) * 1000)
        begin = time.perf_counter()
        driver.retrieve(case["query"], case["k"])
        retrieve = (time.perf_counter() - begin) * 1000
        driver.end()
        answers.write(json.dumps({"write": writes, "retrieve": retrieve}) + "\n")
        answers.flush()


if __name__ == "__main__":
    # What a package prints must not come between the answers.
    own = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    main(*sys.argv[1:4], own)
    # As a worker does: what packages leave running must not be waited for.
    os._exit(0)
