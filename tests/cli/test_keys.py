"""A key is sent to its endpoint, and found nowhere else: not in what a run leaves, nor in what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from memjoin.models import names

KEY = "planted-key-0123456789"
CASE = "F19-RJ-chain-01"
CURIOUS = "import os, sys; print(dict(os.environ), file=sys.stderr, flush=True)\n"
"""A memory system that writes its environment down, where a run's logs have it."""


@pytest.fixture
def keyed(provider, monkeypatch, memjoin, program, tmp_path):
    """Run with a provider's key set, against an endpoint that repeats it; returns what was said."""
    known = names.Provider(provider.url, ("OPENAI_API_KEY",))
    monkeypatch.setitem(names.PROVIDERS, "openai", known)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    provider.quotes = True
    system = program()
    script = tmp_path / "own_memory.py"
    script.write_text(CURIOUS + script.read_text())

    def call(command: str = "run", *more: str):
        roles = [f"--{role}=openai/m" for role in ("writer", "reader", "judge", "embedder")]
        return memjoin(command, "--cases", CASE, "--system", system, "--trials", "1", *roles, *more)

    return call


def holding(place: Path) -> list[Path]:
    """Return the files with the key in them, whatever their kind."""
    files = [path for path in place.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if KEY.encode() in path.read_bytes()]


def test_a_run_that_goes_well_leaves_no_key(keyed, provider, tmp_path, memjoin):
    said = keyed()
    assert said.code == 0, said.err
    assert set(provider.authorized) == {f"Bearer {KEY}"}
    shown = memjoin("show", "runs/cases", CASE)
    assert "Bearer [key]" in shown.out
    for each in (said, shown, keyed("plan"), keyed("run", "--json"), memjoin("doctor", "--json")):
        assert KEY not in each.out + each.err
    logs = [path.read_text() for path in (tmp_path / "runs" / "cases" / "logs").iterdir()]
    assert any("PATH" in log for log in logs)
    assert holding(tmp_path) == []


@pytest.mark.parametrize("mode", ["400", "401", "403", "404", "429", "500", "html", "half", "nothing"])
def test_a_run_that_goes_wrong_leaves_no_key(keyed, provider, tmp_path, mode):
    provider.mode = mode
    said = keyed()
    assert said.code in (1, 2)
    assert KEY not in said.out + said.err
    assert holding(tmp_path) == []


def test_a_key_in_a_name_is_refused_before_it_is_written(memjoin, tmp_path, provider):
    name = provider.model().replace("http://", f"http://me:{KEY}@")
    said = memjoin("run", "--cases", CASE, "--reader", name)
    assert said.code == 2
    assert KEY not in said.out + said.err
    assert not (tmp_path / "runs").exists()
