"""Environments from lock files, made from a package that lies beside the test. Nothing is downloaded."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memjoin.errors import MemJoinError
from memjoin.systems import environments
from memjoin.systems.errors import EnvironmentFault
from memjoin.systems.launch import open_system
from memjoin.systems.protocol import Settings
from memjoin.systems.spec import SystemSpec
from wheels import make_wheel

Folder = Callable[..., SystemSpec]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMJOIN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    return tmp_path / "cache"


@pytest.fixture
def locked(folder: Folder, tmp_path: Path) -> SystemSpec:
    """A system whose lock lists one package, with its hash."""
    wheel = make_wheel(tmp_path)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return with_lock(
        folder,
        f"--no-index\n--find-links {tmp_path}\n# a comment\npebble==1.0 \\\n    --hash=sha256:{digest}\n",
    )


def with_lock(folder: Folder, text: str) -> SystemSpec:
    spec = folder()
    assert spec.folder is not None
    (spec.folder / "tiny.lock").write_text(text)
    return folder(
        "def export(self):\n    return [Record(pebble.NAME, pebble.__file__)]",
        head="import pebble",
        toml='lock = "tiny.lock"',
    )


def test_without_a_lock_it_is_this_interpreter(folder: Folder) -> None:
    spec = folder()
    assert environments.ensure(spec) == Path(sys.executable)
    status = environments.status(spec)
    assert (status.needed, status.ready, status.path, status.packages) == (False, True, None, 0)


def test_it_is_made_once_and_used(locked: SystemSpec, cache: Path, settings: Settings) -> None:
    before = environments.status(locked)
    assert (before.needed, before.ready, before.packages) == (True, False, 1)
    said: list[str] = []
    python = environments.ensure(locked, said.append)
    assert said[0] == "tiny: making its environment (1 package)"
    assert said[-1] == "tiny: environment ready"
    after = environments.status(locked)
    assert after.ready
    assert after.path == python.parent.parent == before.path
    assert after.path.parent == cache / "environments"
    assert environments.size(after.path) > 100
    assert list(after.path.rglob("pebble.*.pyc")), "not compiled beforehand"
    again: list[str] = []
    assert environments.ensure(locked, again.append) == python
    assert again == []
    with open_system(locked, settings) as system:
        (record,) = system.export()
        assert record.id == "pebble"
        assert Path(record.text).is_relative_to(after.path)
    # Nothing of MemJoin's own packages came along.
    done = subprocess.run([python, "-c", "import numpy"], capture_output=True, text=True)
    assert "No module named 'numpy'" in done.stderr


def test_another_lock_is_another_environment(locked: SystemSpec) -> None:
    first = environments.status(locked).path
    assert locked.lock is not None
    locked.lock.write_text(locked.lock.read_text() + "# changed\n")
    assert environments.status(locked).path != first


def test_an_interrupted_build_is_no_environment(
    locked: SystemSpec, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = environments.status(locked).path
    assert path is not None
    left_by_a_kill = path.parent / f".{path.name}-abc" / "bin"
    left_by_a_kill.mkdir(parents=True)
    real = environments._uv

    def interrupted(spec: SystemSpec, directory: Path, *arguments: str, report: environments.Report) -> None:
        real(spec, directory, *arguments, report=report)
        if "sync" in arguments:
            raise KeyboardInterrupt

    monkeypatch.setattr(environments, "_uv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        environments.ensure(locked)
    assert not environments.status(locked).ready
    assert [entry.name for entry in path.parent.iterdir()] == [path.with_suffix(".lock").name]
    monkeypatch.setattr(environments, "_uv", real)
    assert environments.ensure(locked).exists()


def test_an_environment_whose_python_is_gone_is_made_again(locked: SystemSpec) -> None:
    python = environments.ensure(locked)
    python.unlink()
    python.symlink_to("/a/python/that/was/removed")
    assert not environments.status(locked).ready
    assert environments.ensure(locked).exists()


def test_two_at_once_make_it_once(locked: SystemSpec) -> None:
    said: list[str] = []
    barrier = threading.Barrier(2)

    def ask() -> None:
        barrier.wait()
        environments.ensure(locked, said.append)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum("making its environment (" in line for line in said) == 1
    assert environments.status(locked).ready


def test_what_uv_says_is_passed_on(folder: Folder, tmp_path: Path) -> None:
    spec = with_lock(folder, f"--no-index\n--find-links {tmp_path}\nabsent==9.9\n")
    with pytest.raises(EnvironmentFault) as raised:
        environments.ensure(spec)
    assert raised.value.message.startswith("tiny: its environment could not be made; `uv pip sync` said:")
    assert "absent" in raised.value.message
    assert "network" in raised.value.hint
    assert not environments.status(spec).ready


def test_a_package_that_was_changed_is_refused(folder: Folder, tmp_path: Path) -> None:
    make_wheel(tmp_path)
    spec = with_lock(
        folder, f"--no-index\n--find-links {tmp_path}\npebble==1.0 \\\n    --hash=sha256:{'0' * 64}\n"
    )
    with pytest.raises(EnvironmentFault, match=r"(?i)hash"):
        environments.ensure(spec)


def test_a_cache_that_cannot_be_written(
    locked: SystemSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MEMJOIN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(MemJoinError, match="cannot make its environment") as raised:
        environments.ensure(locked)
    assert "MEMJOIN_CACHE_DIR" in raised.value.hint


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMJOIN_CACHE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert environments.cache_directory() == tmp_path / "xdg" / "memjoin"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert environments.cache_directory() == tmp_path / ".cache" / "memjoin"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert environments.cache_directory() == tmp_path / "Library" / "Caches" / "memjoin"


def test_a_program_without_lock_needs_none(locked: SystemSpec) -> None:
    assert not environments.status(replace(locked, lock=None)).needed
