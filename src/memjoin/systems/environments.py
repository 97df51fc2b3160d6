"""Environments for the systems: made by uv from exact lock files, kept in the user's cache.

An environment's directory is named by the hash of the lock file, the interpreter and the machine, so that a
changed lock makes a new one and nothing is ever changed in place. It is made under another name and renamed
when it is complete: a build that was interrupted is never taken for an environment.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memjoin.errors import MemJoinError
from memjoin.systems.errors import EnvironmentFault
from memjoin.systems.spec import SystemSpec

Report = Callable[[str], None]
"""Gets a line for people, such as ``mem0: making its environment (25 packages)``."""

_RECIPE = "1"
"""Goes into the hash: another way of making environments makes other environments."""

_TAIL_LINES = 12


@dataclass(frozen=True, slots=True)
class EnvironmentStatus:
    """How things stand with a system's environment.

    Attributes:
        needed: Whether the system has an environment of its own.
        ready: Whether it can be started without making anything first.
        path: The environment's directory, made or not; None where none is needed.
        packages: How many packages the lock lists.
    """

    needed: bool
    ready: bool
    path: Path | None
    packages: int


def cache_directory() -> Path:
    """Return the user's cache directory for MemJoin; ``MEMJOIN_CACHE_DIR`` overrides it. May not exist."""
    if chosen := os.environ.get("MEMJOIN_CACHE_DIR"):
        return Path(chosen).expanduser().resolve()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "memjoin"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "memjoin"


def status(spec: SystemSpec) -> EnvironmentStatus:
    """Return whether a system's environment is there. Looks, and makes nothing."""
    if spec.lock is None:
        return EnvironmentStatus(needed=False, ready=True, path=None, packages=0)
    path = _place(spec, spec.lock)
    return EnvironmentStatus(
        needed=True, ready=_python(path).exists(), path=path, packages=_count_packages(spec.lock)
    )


def size(path: Path) -> int:
    """Return the bytes of an environment's files; files linked from uv's cache count in full."""
    return sum(file.lstat().st_size for file in path.rglob("*") if not file.is_dir())


def ensure(spec: SystemSpec, report: Report = lambda line: None) -> Path:
    """Return the interpreter that runs a system, and make its environment first where there is none.

    Two processes that ask at once make it once. What uv has in its own cache is not downloaded.

    Args:
        spec: The system.
        report: Gets a line at every step that takes time.

    Raises:
        EnvironmentFault: uv could not make it; the message has what uv said.
        MemJoinError: The cache directory cannot be written.
    """
    if spec.lock is None:
        return Path(sys.executable)
    path = _place(spec, spec.lock)
    if _python(path).exists():
        return _python(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path, lambda: report(f"{spec.name}: another process is making its environment")):
            if not _python(path).exists():
                _make(spec, spec.lock, path, report)
    except OSError as error:
        raise MemJoinError(
            f"{spec.name}: cannot make its environment in {path.parent}: {error.strerror or error}",
            "Set MEMJOIN_CACHE_DIR to a directory that can be written and has room.",
        ) from error
    return _python(path)


def install(specs: Iterable[SystemSpec], report: Report) -> None:
    """Make the environments of systems, one after the other, and go on where one cannot be made.

    Interrupted in any way, it can be called again: what is complete stays, what is not is made anew.

    Args:
        specs: The systems.
        report: Gets a line at every step, and one for each system with what came of it.

    Raises:
        MemJoinError: Environments could not be made; says which, and why. The others are there.
    """
    faults: list[MemJoinError] = []
    for spec in specs:
        before = status(spec)
        if before.path is None:
            report(f"{spec.name}: needs no environment")
            continue
        begin = time.monotonic()
        try:
            ensure(spec, report)
        except MemJoinError as fault:
            report(f"{spec.name}: not installed")
            faults.append(fault)
            continue
        size_mb = size(before.path) / 2**20
        took = "was there" if before.ready else f"{time.monotonic() - begin:.0f} s"
        report(f"{spec.name}: installed ({_packages(before.packages)}, {size_mb:.0f} MB, {took})")
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise MemJoinError("\n".join(fault.message for fault in faults), faults[0].hint)


def _place(spec: SystemSpec, lock: Path) -> Path:
    parts = [
        _RECIPE,
        platform.python_implementation(),
        platform.python_version(),
        sys.platform,
        platform.machine(),
        lock.read_text(encoding="utf-8"),
    ]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    name = "".join(c if c.isalnum() else "-" for c in spec.system)
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    return cache_directory() / "environments" / f"{name}-{version}-{digest[:16]}"


def _python(environment: Path) -> Path:
    # Not resolved: the link inside the environment is what makes the interpreter use it.
    return environment / "bin" / "python"


def _count_packages(lock: Path) -> int:
    lines = lock.read_text(encoding="utf-8").splitlines()
    return sum("==" in line for line in lines if line and not line.startswith((" ", "#", "\t", "-")))


def _packages(count: int) -> str:
    return "1 package" if count == 1 else f"{count} packages"


@contextmanager
def _locked(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of an environment; it is freed by the system if this process ends in any way."""
    import fcntl

    with path.with_suffix(".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(spec: SystemSpec, lock: Path, path: Path, report: Report) -> None:
    for left_over in path.parent.glob(f".{path.name}-*"):
        shutil.rmtree(left_over, ignore_errors=True)
    if path.exists():
        # Its interpreter is gone (a Python that was removed); the environment is of no more use.
        shutil.rmtree(path)
    report(f"{spec.name}: making its environment ({_packages(_count_packages(lock))})")
    draft = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        venv = ["venv", "--relocatable", "--no-project", "--python", sys.executable, str(draft)]
        _uv(spec, draft, *venv, report=report)
        sync = ["pip", "sync", "--compile-bytecode", "--python", str(_python(draft)), str(lock)]
        try:
            _uv(spec, draft, *sync, "--offline", report=report)
        except EnvironmentFault:
            report(f"{spec.name}: downloading its packages")
            _uv(spec, draft, *sync, report=report)
        draft.rename(path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    report(f"{spec.name}: environment ready")


_DROPPED = (
    *("VIRTUAL_ENV", "UV_SYSTEM_PYTHON", "UV_PROJECT", "UV_WORKING_DIRECTORY"),
    *("UV_CONSTRAINT", "UV_OVERRIDE", "UV_NO_VERIFY_HASHES"),
)
"""Variables that must not reach uv: they name another place or other versions, or lift the hashes."""


def _uv(spec: SystemSpec, directory: Path, *arguments: str, report: Report) -> None:
    """Run uv away from any project, and pass on which of the larger packages it downloads."""
    variables = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    command = [_uv_program(), *arguments, "--no-progress", "--color", "never"]
    tail: deque[str] = deque(maxlen=_TAIL_LINES)
    with subprocess.Popen(
        command, cwd=directory, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            for line in process.stderr or ():
                if line.startswith("Downloading "):
                    report(f"{spec.name}: downloading {line.removeprefix('Downloading ').strip()}")
                elif line.strip() and not line.startswith((" Downloaded ", "Using Python ")):
                    tail.append(line.rstrip())
        except BaseException:
            # Nobody waits for it any more; left to itself it would go on writing.
            process.kill()
            raise
    if process.returncode == 0:
        return
    said = "\n".join(f"  | {line}" for line in tail)
    raise EnvironmentFault(
        spec.name,
        f"its environment could not be made; `uv {' '.join(arguments[:2])}` said:\n{said}",
        "The packages are downloaded once, then this works without a network. Check the connection and the "
        "proxy (uv takes HTTPS_PROXY and UV_DEFAULT_INDEX), then repeat the command.",
    )


def _uv_program() -> str:
    import uv

    try:
        return str(uv.find_uv_bin())
    except FileNotFoundError as error:
        found = shutil.which("uv")
        if found is None:
            raise MemJoinError("uv is not installed", "Install it with `pip install uv`.") from error
        return found
