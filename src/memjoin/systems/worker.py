"""The worker: runs one memory system in its own environment and answers calls on its standard streams.

Run as a script by the environment's interpreter, with nothing installed there but what the system needs:

    python -P -s worker.py --mount memjoin.systems=DIRECTORY --adapter memjoin.systems.NAME.adapter:Class

``--mount NAME=PATH`` makes one package or module importable under its own name, without putting a directory
on ``sys.path`` (which would bring along everything beside it). Nothing else of MemJoin exists here: an
adapter cannot import cases, annotations or judges even by mistake.

One JSON object a line: ``{"id": 1, "call": "write", "params": {...}}`` is answered by
``{"id": 1, "result": ...}`` or ``{"id": 1, "error": {"type", "message", "traceback"}}``. The real standard
output carries the answers; file descriptor 1 is turned to standard error, so that what a framework prints
corrupts nothing. An exception in a call is answered and the worker lives on. It ends after ``close``, and
when its standard input ends.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import logging
import os
import sys
import traceback
import types
from pathlib import Path
from typing import Any, TextIO


def mount(name: str, path: str) -> None:
    """Make the package (a directory) or module (a file) at a path importable as ``name``."""
    parent, _, leaf = name.rpartition(".")
    _ensure_parents(parent)
    place = Path(path)
    source = place / "__init__.py" if place.is_dir() else place
    if source.exists():
        search = [path] if place.is_dir() else None
        spec = importlib.util.spec_from_file_location(name, source, submodule_search_locations=search)
        if spec is None or spec.loader is None:
            raise ImportError(f"cannot import {source}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    else:
        module = _package(name, [path])
    if parent:
        setattr(sys.modules[parent], leaf, module)


def _package(name: str, path: list[str]) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__path__ = path
    sys.modules[name] = module
    return module


def _ensure_parents(name: str) -> None:
    """Stand-ins for the packages above a mounted one: they hold nothing else."""
    parts = name.split(".") if name else []
    for end in range(1, len(parts) + 1):
        package = ".".join(parts[:end])
        if package not in sys.modules:
            _package(package, [])


class Worker:
    """One system and the calls to it, one at a time."""

    def __init__(self, adapter: str) -> None:
        self._adapter = adapter
        self._system: Any = None

    def call(self, name: str, params: dict[str, Any]) -> Any:
        """Carry out one call and return what JSON says of its result."""
        from memjoin.systems import wire

        if name == "start":
            module, _, attribute = self._adapter.partition(":")
            make = getattr(importlib.import_module(module), attribute)
            self._system = make(wire.settings_from_json(params["settings"]))
            return {"protocol": wire.PROTOCOL}
        if self._system is None:
            raise RuntimeError(f"`{name}` came before `start`")
        if name == "reset":
            return self._system.reset(params["case"], params["seed"])
        if name == "write":
            report = self._system.write(wire.session_from_json(params["session"]))
            return wire.report_to_json(wire.check_report(report))
        if name == "export":
            return wire.records_to_json(wire.check_records(self._system.export(), unique=True))
        if name == "retrieve":
            found = self._system.retrieve(params["query"], params["k"])
            return wire.records_to_json(wire.check_records(found, unique=False))
        if name == "close":
            return self._system.close()
        raise ValueError(f"there is no call named {name!r}")


def serve(worker: Worker, calls: TextIO, answers: TextIO) -> None:
    """Answer calls, a line each, until ``close`` or the end of the input."""
    log = logging.getLogger("memjoin.worker")
    for line in calls:
        request = json.loads(line)
        answer: dict[str, Any] = {"id": request["id"]}
        try:
            answer["result"] = worker.call(request["call"], request["params"])
            text = json.dumps(answer, allow_nan=False)
        except Exception as error:
            log.exception("%s failed", request["call"])
            problem = {
                "type": type(error).__name__,
                "message": str(error),
                "traceback": "".join(traceback.format_exception(error)),
            }
            text = json.dumps({"id": request["id"], "error": problem})
        answers.write(text + "\n")
        answers.flush()
        if request["call"] == "close":
            return


def main() -> None:
    """Take the standard streams for the protocol and serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mount", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--adapter", required=True, metavar="MODULE:CLASS")
    arguments = parser.parse_args()

    calls = os.fdopen(os.dup(0), encoding="utf-8", newline="\n")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for pair in arguments.mount:
        name, _, path = pair.partition("=")
        mount(name, path)
    serve(Worker(arguments.adapter), calls, answers)
    sys.stderr.flush()
    # Frameworks leave threads that never end; what they hold lies in the private home, which goes too.
    os._exit(0)


if __name__ == "__main__":
    main()
