"""The worker script by itself, as a program in any environment runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memjoin.systems import worker
from memjoin.systems.protocol import Settings
from memjoin.systems.spec import SystemSpec
from memjoin.systems.wire import settings_to_json

SYSTEMS = Path(worker.__file__).parent


def talk(spec: SystemSpec, *lines: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
    """Send calls, end the input, and return the answers and the exit code."""
    command = [
        *(sys.executable, "-I", "-S", str(SYSTEMS / "worker.py")),
        *("--mount", f"memjoin.systems={SYSTEMS}", "--mount", f"tiny={spec.folder}"),
        *("--adapter", spec.adapter),
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=30)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def test_it_needs_the_standard_library_alone(folder: Callable[..., SystemSpec], settings: Settings) -> None:
    start = {"id": 1, "call": "start", "params": {"protocol": 1, "settings": settings_to_json(settings)}}
    turns = [{"speaker": "user", "text": "Zoë"}]
    session = {"id": "s1", "at": "2029-08-20T14:05", "turns": turns}
    answers, code = talk(
        folder(),
        start,
        {"id": 2, "call": "reset", "params": {"case": "c", "seed": 1}},
        {"id": 3, "call": "write", "params": {"session": session}},
        {"id": 4, "call": "retrieve", "params": {"query": "who", "k": 1}},
        {"id": 5, "call": "close", "params": {}},
        {"id": 6, "call": "export", "params": {}},
    )
    record = {
        "id": "s1/0",
        "text": "[2029-08-20T14:05] Zoë",
        "kind": "memory",
        "created": "2029-08-20T14:05",
        "updated": None,
        "sessions": [],
        "score": None,
    }
    assert answers == [
        {"id": 1, "result": {"protocol": 1}},
        {"id": 2, "result": None},
        {"id": 3, "result": {"added": 1, "changed": 0, "removed": 0, "model_calls": 0, "losses": []}},
        {"id": 4, "result": [record]},
        {"id": 5, "result": None},
    ]
    assert code == 0


def test_it_ends_with_its_input(folder: Callable[..., SystemSpec]) -> None:
    assert talk(folder()) == ([], 0)


def test_calls_that_make_no_sense(folder: Callable[..., SystemSpec], settings: Settings) -> None:
    start = {"id": 2, "call": "start", "params": {"settings": settings_to_json(settings)}}
    answers, _ = talk(
        folder(),
        {"id": 1, "call": "export", "params": {}},
        start,
        {"id": 3, "call": "forget", "params": {}},
        {"id": 4, "call": "retrieve", "params": {}},
    )
    assert answers[0]["error"]["message"] == "`export` came before `start`"
    assert answers[1]["result"] == {"protocol": 1}
    assert answers[2]["error"]["message"] == "there is no call named 'forget'"
    assert answers[3]["error"]["type"] == "KeyError"
    assert "Traceback" in answers[3]["error"]["traceback"]
