"""An endpoint that fails in every way that endpoints do: a run ends as if nothing had happened, or says what
is missing, and never hangs."""

from __future__ import annotations

import hashlib
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memjoin.runs.reader import Run

CASES = "F19-RJ-chain-01,F19-WM-slot-01"
SHARE = 0.1
PATIENCE = 240
"""Seconds after which a run is taken to hang."""
KINDS = ("500", "429", "429later", "never", "cut", "nothing", "empty", "half", "html", "slow", "prose")

_shared: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def _closing() -> Iterator[None]:
    yield
    _shared["provider"].close()


@pytest.fixture
def provider(new_provider):
    """One endpoint for all tests here: its address stands in the tables that they compare."""
    # Made here and not by a fixture of the module: sockets are closed until a test begins.
    made = _shared.setdefault("provider", None) or new_provider()
    _shared["provider"] = made
    made.asked.clear()
    made.fault = lambda raw, before: None
    return made


@pytest.fixture(autouse=True)
def pauses(monkeypatch) -> list[float]:
    """Seconds that were waited between attempts, without waiting; whoever polls for less goes on to."""
    waited: list[float] = []
    sleep = time.sleep
    monkeypatch.setattr("time.sleep", lambda s: waited.append(s) if s > 0.1 else sleep(s))
    return waited


@pytest.fixture
def run(memjoin, provider):
    """Run two cases with models in all roles, into a folder; a run that hangs is broken off."""

    def call(out: Path):
        roles = [f"--{role}={provider.model()}" for role in ("writer", "reader", "judge", "embedder")]
        what = ["--cases", CASES, "--system", "memorybank", "--trials", "1", "--model-timeout", "0.5"]
        signal.alarm(PATIENCE)
        try:
            return memjoin("run", *what, *roles, "--out", str(out), "--name", "same", "--concurrency", "2")
        finally:
            signal.alarm(0)

    return call


@pytest.fixture
def undisturbed(run, tmp_path) -> dict[tuple[str, ...], Any]:
    """The tables and verdicts of a run that nothing happened to."""
    if "undisturbed" not in _shared:
        assert run(tmp_path / "undisturbed").code == 0
        _shared["undisturbed"] = tables(tmp_path / "undisturbed"), rows(tmp_path / "undisturbed")
    return _shared["undisturbed"]


def tables(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((out / "same" / "tables").glob("*"))}


def rows(out: Path) -> list[Any]:
    with Run(out / "same") as opened:
        return list(opened.rows())


def fault(kinds: tuple[str, ...], injected: Counter[str]):
    """Choose a fault by what is asked and how often it was: the same in every run, 10% of each kind."""

    def choose(raw: bytes, before: int) -> str | None:
        drawn = int.from_bytes(hashlib.sha256(b"%d %b" % (before, raw)).digest()[:4]) / 2**32
        place = int(drawn / SHARE)
        kind = kinds[place] if place < len(kinds) else None
        injected[kind or "none"] += 1
        return kind

    return choose


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "prose"])
def test_a_fault_in_a_tenth_of_all_calls_changes_no_table(run, provider, undisturbed, tmp_path, pauses, kind):
    injected: Counter[str] = Counter()
    provider.fault = fault((kind,), injected)
    said = run(tmp_path)
    assert said.code == 0, said.err
    assert injected[kind] >= 3
    assert tables(tmp_path) == undisturbed[0]
    if kind == "429later":
        assert set(pauses) == {7.0}
        assert len(pauses) == injected[kind]


def test_replies_in_prose_where_json_was_asked_for_lose_votes_that_are_told(
    run, provider, undisturbed, tmp_path
):
    injected: Counter[str] = Counter()
    provider.fault = fault(("prose",) * 8, injected)  # so often that some judges do it twice in a row
    assert run(tmp_path).code == 0
    differing = [(row, was) for row, was in zip(rows(tmp_path), undisturbed[1], strict=True) if row != was]
    assert differing
    assert {row.status for row, _ in differing} == {"invalid"}


def test_all_faults_together_leave_gaps_that_are_told_and_that_the_same_command_fills(
    run, provider, undisturbed, tmp_path
):
    injected: Counter[str] = Counter()
    provider.fault = fault(tuple(kind for kind in KINDS if kind not in ("prose", "slow")), injected)
    codes = [attempt(run, tmp_path, undisturbed[1]) for _ in range(2)]
    assert set(injected) == {*KINDS, "none"} - {"prose", "slow"}
    assert set(codes) & {1, 2}, "with nine calls of ten failing, something must be missing"
    provider.fault = lambda raw, before: None
    assert run(tmp_path).code == 0
    assert tables(tmp_path) == undisturbed[0]


def attempt(run, out: Path, undisturbed: list[Any]) -> int:
    """Run, and see that every answer is the undisturbed one or missing, with a reason, and told."""
    said = run(out)
    assert "Traceback" not in said.err
    assert said.code in (0, 1, 2)
    missing = 0
    for row, was in zip(rows(out), undisturbed, strict=True):
        if row != was:
            missing += 1
            assert row.status in ("missing", "invalid")
            assert row.reason
    assert bool(missing) == (said.code != 0)
    if said.code == 1:
        assert "did not yield all answers" in said.out
    if said.code == 2:
        assert "the same command goes on from it" in said.err
    return said.code
