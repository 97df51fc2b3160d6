"""A run that is killed, interrupted or runs out of disk goes on with the same command, and ends the same."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

CONCURRENCY = 2
CASES = "F19-RJ-chain-01,F19-WM-slot-01"

_shared: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def _closing():
    yield
    _shared["provider"].close()


@pytest.fixture
def provider(new_provider):
    """One endpoint for all tests here: its address stands in the tables that they compare."""
    # Made here and not by a fixture of the module: sockets are closed until a test begins.
    made = _shared.setdefault("provider", None) or new_provider()
    _shared["provider"] = made
    made.answered.clear()
    made.mode, made.on_request = "fine", lambda number: None
    return made


@pytest.fixture
def undisturbed(provider, memjoin, tmp_path):
    """The tables of a run that nothing happened to, and what it asked."""
    if "undisturbed" not in _shared:
        assert memjoin(*arguments(provider, tmp_path / "undisturbed")).code == 0
        _shared["undisturbed"] = tables(tmp_path / "undisturbed"), Counter(provider.answered)
        provider.answered.clear()
    return _shared["undisturbed"]


def arguments(provider, out: Path) -> list[str]:
    roles = [f"--{role}={provider.model()}" for role in ("writer", "reader", "judge", "embedder")]
    what = ["--cases", CASES, "--system", "memorybank", "--system", "verbatim", "--trials", "1"]
    where = ["--out", str(out), "--name", "same", "--concurrency", str(CONCURRENCY)]
    return ["run", *what, *roles, *where]


def start(provider, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "memjoin", *arguments(provider, out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def tables(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "same" / "tables").iterdir()}


def committed(out: Path) -> int:
    path = out / "same" / "ledger.sqlite"
    if not path.exists():
        return 0
    ledger = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        return ledger.execute("SELECT count(*) FROM calls").fetchone()[0]
    except sqlite3.OperationalError:  # killed before its tables were made
        return 0
    finally:
        ledger.close()


def chats(answered: Counter[str]) -> Counter[str]:
    return Counter({body: n for body, n in answered.items() if "/chat/" in body.partition(" ")[0]})


def at_request(provider, number: int, do) -> None:
    """Have something done, once, when a request comes in."""

    def look(count: int) -> None:
        if count >= number:
            provider.on_request = lambda count: None
            do()

    provider.on_request = look


def test_a_run_killed_at_any_moment_ends_as_one_that_was_not(provider, memjoin, undisturbed, tmp_path):
    expected, asked = undisturbed
    out = tmp_path / "killed"
    seed = int(os.environ.get("MEMJOIN_TEST_SEED", "1"))
    moments = random.Random(seed).sample(range(1, asked.total()), 2)
    wasted = 0
    for moment in sorted(moments):
        before, answered = committed(out), chats(provider.answered).total()
        process = start(provider, out)
        at_request(provider, moment, lambda pid=process.pid: os.kill(pid, signal.SIGKILL))
        process.communicate(timeout=300)
        assert process.returncode == -signal.SIGKILL
        # Answered, but not committed: what was in flight.
        lost = (chats(provider.answered).total() - answered) - (committed(out) - before)
        assert 0 <= lost <= CONCURRENCY
        wasted += lost
    assert memjoin(*arguments(provider, out)).code == 0
    assert tables(out) == expected
    assert chats(provider.answered).keys() == chats(asked).keys()
    assert chats(provider.answered).total() == chats(asked).total() + wasted


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(provider, memjoin, undisturbed, tmp_path):
    expected, asked = undisturbed
    out = tmp_path / "interrupted"
    process = start(provider, out)
    at_request(provider, asked.total() // 3, lambda: os.kill(process.pid, signal.SIGINT))
    printed, said = process.communicate(timeout=300)
    assert process.returncode == 130, said
    assert printed == ""
    assert "Traceback" not in said
    assert f"Stopped. What was answered is kept in {out / 'same'}; the same command goes on" in said
    assert not (out / "same" / "scratch").exists()
    repeated = chats(provider.answered).total() - committed(out)
    assert memjoin(*arguments(provider, out)).code == 0
    assert tables(out) == expected
    assert chats(provider.answered).total() == chats(asked).total() + repeated
    assert repeated <= CONCURRENCY


def test_ctrl_c_does_not_wait_for_a_model_that_does_not_answer(provider, tmp_path):
    released = threading.Event()

    def hold(number: int) -> None:
        if number == 5:
            os.kill(process.pid, signal.SIGINT)
        if number >= 5:
            released.wait(120)

    provider.on_request = hold
    process = start(provider, tmp_path)
    try:
        _, said = process.communicate(timeout=60)
    finally:
        released.set()
    assert process.returncode == 130
    assert "the same command goes on" in said


def test_a_full_disk_is_said_and_the_same_command_goes_on(provider, memjoin, undisturbed, tmp_path):
    expected, asked = undisturbed
    out = tmp_path / "full"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
    try:
        said = memjoin(*arguments(provider, out))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    words = " ".join(said.err.split())
    assert said.code == 2, words
    assert "ledger.sqlite cannot be written" in words
    assert "Make room on that disk" in words
    assert "Traceback" not in words
    repeated = chats(provider.answered).total() - committed(out)
    assert memjoin(*arguments(provider, out)).code == 0
    assert tables(out) == expected
    assert chats(provider.answered).total() == chats(asked).total() + repeated
    assert repeated <= CONCURRENCY
