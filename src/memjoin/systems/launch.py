"""Opening a memory system: one handle, whether it runs in a process of its own or in this one."""

from __future__ import annotations

import abc
import importlib
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar

from memjoin.errors import MemJoinError
from memjoin.systems import environments, wire
from memjoin.systems.aside import Aside, HangsError
from memjoin.systems.errors import CallFailed, IllFormedRecords, SystemFault, WorkerDied, WorkerTimeout
from memjoin.systems.process import Timeouts, WorkerProcess, clean_environment
from memjoin.systems.protocol import MemorySystem, Record, Session, Settings, WriteReport
from memjoin.systems.spec import SystemSpec

_T = TypeVar("_T")
_ROOM_IN_MEMORY = 2**30


class OpenSystem(abc.ABC):
    """A memory system that was opened, and its private directory. A context manager; not thread-safe.

    The calls are those of :class:`memjoin.systems.protocol.MemorySystem`, with what can go wrong as
    exceptions of :mod:`memjoin.systems.errors`. After ``WorkerDied``, ``WorkerTimeout`` and ``WorkerGarbage``
    the process is gone, and ``restart`` makes a new one with an empty memory.
    """

    def __init__(self, spec: SystemSpec, settings: Settings) -> None:
        self.spec = spec
        self._own_root = not settings.home
        self._root = Path(settings.home) if settings.home else _temporary_root()
        self._settings = replace(settings, options={**spec.options, **settings.options})
        self._starts = 0
        self.home = self._root

    def restart(self) -> None:
        """End what runs and start afresh, with an empty private directory."""
        self._stop()
        if self._starts:
            shutil.rmtree(self.home, ignore_errors=True)
        self._starts += 1
        self.home = self._root / f"home-{self._starts}"
        self.home.mkdir(parents=True)
        self._begin(replace(self._settings, home=str(self.home)))

    @abc.abstractmethod
    def reset(self, case_id: str, seed: int) -> None:
        """Make the memory empty."""

    @abc.abstractmethod
    def write(self, session: Session) -> WriteReport:
        """Store one session and return what that did."""

    @abc.abstractmethod
    def export(self) -> list[Record]:
        """Return every stored record; no two have one id."""

    @abc.abstractmethod
    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return records for a query, best first."""

    @abc.abstractmethod
    def interrupt(self) -> None:
        """Have the process ended, so that a call under way fails with ``WorkerDied``.

        The one method that another thread may call. A system in this process cannot be interrupted; there it
        does nothing.
        """

    def close(self) -> None:
        """End the system and remove its private directory. Never fails, and can be repeated."""
        self._stop()
        if self._own_root:
            shutil.rmtree(self._root, ignore_errors=True)
        elif self._starts:
            shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @abc.abstractmethod
    def _begin(self, settings: Settings) -> None:
        """Start the system with its final settings."""

    @abc.abstractmethod
    def _stop(self) -> None:
        """End the system, if there is one. Must not fail."""


class WorkerSystem(OpenSystem):
    """A system in a process: one of ours in its environment, or a program."""

    def __init__(
        self, spec: SystemSpec, settings: Settings, command: list[str], log: Path | None, timeouts: Timeouts
    ) -> None:
        super().__init__(spec, settings)
        self._command = command
        self._log = log
        self._timeouts = timeouts
        self._process: WorkerProcess | None = None

    @property
    def process(self) -> WorkerProcess | None:
        """The process that runs, None before the first start and after an end."""
        return self._process

    def interrupt(self) -> None:
        """Have the process ended, so that a call under way fails with ``WorkerDied``."""
        if (process := self._process) is not None:
            process.interrupt()

    def reset(self, case_id: str, seed: int) -> None:
        """Make the memory empty."""
        self._call("reset", {"case": case_id, "seed": seed})

    def write(self, session: Session) -> WriteReport:
        """Store one session and return what that did."""
        answer = self._call("write", {"session": wire.session_to_json(session)})
        return self._formed("write", lambda: wire.report_from_json(answer))

    def export(self) -> list[Record]:
        """Return every stored record; no two have one id."""
        answer = self._call("export", {})
        return self._formed("export", lambda: wire.records_from_json(answer, unique=True))

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return records for a query, best first."""
        answer = self._call("retrieve", {"query": query, "k": k})
        return self._formed("retrieve", lambda: wire.records_from_json(answer, unique=False))

    def _begin(self, settings: Settings) -> None:
        variables = clean_environment(self.home, settings.base_url, settings.api_key)
        for name, value in self.spec.environment.items():
            variables[name] = value.replace("{home}", str(self.home))
        self._process = WorkerProcess(
            self.spec.name,
            self._command,
            variables,
            Path.cwd() if self.spec.kind == "exec" else self.home,
            self._log or self._root / "stderr.log",
            show_log=self._log is not None,
        )
        self._process.start()
        answer = self._call("start", {"protocol": wire.PROTOCOL, "settings": wire.settings_to_json(settings)})
        spoken = answer.get("protocol") if isinstance(answer, dict) else None
        if spoken != wire.PROTOCOL:
            self._stop()
            raise IllFormedRecords(
                self.spec.name, "start", f'expected {{"protocol": {wire.PROTOCOL}}}, got {answer!r:.100}'
            )

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.idle:
            with suppress(SystemFault):
                process.call("close", {}, self._timeouts.close)
        process.kill()

    def _call(self, name: str, params: Mapping[str, Any]) -> Any:
        if self._process is None:
            raise WorkerDied(self.spec.name, name, None, gone=True)
        return self._process.call(name, params, self._timeouts.of(name))

    def _formed(self, call: str, read: Callable[[], _T]) -> _T:
        try:
            return read()
        except wire.FormError as error:
            raise IllFormedRecords(self.spec.name, call, str(error)) from error


class LocalSystem(OpenSystem):
    """A class in this process, in a thread of its own. Nothing protects MemJoin from what it does to the
    interpreter; a call that takes too long is left behind, for a thread cannot be ended."""

    def __init__(self, spec: SystemSpec, settings: Settings, timeouts: Timeouts) -> None:
        super().__init__(spec, settings)
        self._timeouts = timeouts
        self._system: MemorySystem | None = None
        self._aside: Aside | None = None

    def interrupt(self) -> None:
        """Do nothing: a thread of this process cannot be ended."""

    def reset(self, case_id: str, seed: int) -> None:
        """Make the memory empty."""
        self._call("reset", lambda system: system.reset(case_id, seed))

    def write(self, session: Session) -> WriteReport:
        """Store one session and return what that did."""
        return self._call("write", lambda system: wire.check_report(system.write(session)))

    def export(self) -> list[Record]:
        """Return every stored record; no two have one id."""
        return self._call("export", lambda system: wire.check_records(system.export(), unique=True))

    def retrieve(self, query: str, k: int | None) -> list[Record]:
        """Return records for a query, best first."""
        return self._call(
            "retrieve", lambda system: wire.check_records(system.retrieve(query, k), unique=False)
        )

    def _begin(self, settings: Settings) -> None:
        make = _load_class(self.spec)
        self._aside = Aside(f"memjoin-{self.spec.name}")
        self._system = self._timed("start", lambda: make(settings))

    def _stop(self) -> None:
        system, self._system = self._system, None
        if system is not None:
            with suppress(SystemFault):
                self._timed("close", system.close)
        if self._aside is not None:
            self._aside.end()
            self._aside = None

    def _call(self, call: str, work: Callable[[MemorySystem], _T]) -> _T:
        if (system := self._system) is None:
            raise WorkerDied(self.spec.name, call, None, gone=True)
        return self._timed(call, lambda: work(system))

    def _timed(self, call: str, work: Callable[[], _T]) -> _T:
        if self._aside is None:
            raise WorkerDied(self.spec.name, call, None, gone=True)
        seconds = self._timeouts.of(call)
        try:
            return self._aside.run(work, seconds)
        except HangsError:
            self._system = None
            raise WorkerTimeout(self.spec.name, call, seconds) from None
        except wire.FormError as error:
            raise IllFormedRecords(self.spec.name, call, str(error)) from error
        except (Exception, SystemExit) as error:  # a system that exits must not end the run without a word
            trace = "".join(traceback.format_exception(error))
            raise CallFailed(self.spec.name, call, type(error).__name__, str(error), trace) from error


def open_system(
    spec: SystemSpec,
    settings: Settings,
    *,
    log: Path | None = None,
    timeouts: Timeouts | None = None,
    report: environments.Report = lambda line: None,
) -> OpenSystem:
    """Make a system's environment if need be, start the system, and return its handle.

    Args:
        spec: The system, from :func:`memjoin.systems.registry.find`.
        settings: What it is made with. ``home`` is the directory under which it gets a private one; if
            empty, a temporary directory, in memory where there is room, that ``close`` removes. ``options``
            go over those of the specification.
        log: A file that gets all that the process prints on standard error; otherwise only the end of it
            is kept, for messages.
        timeouts: Seconds a call may take; the usual ones if None.
        report: Gets a line at every step that takes time.

    Raises:
        SystemFault: The environment cannot be made, or the system does not start.
        MemJoinError: The class of an ``in-process`` system cannot be imported.
    """
    opened: OpenSystem
    if spec.kind == "in-process":
        opened = LocalSystem(spec, settings, timeouts or Timeouts())
    else:
        command = list(spec.command) or _worker_command(spec, environments.ensure(spec, report))
        opened = WorkerSystem(spec, settings, command, log, timeouts or Timeouts())
    try:
        opened.restart()
    except BaseException:
        opened.close()
        raise
    return opened


def _worker_command(spec: SystemSpec, python: Path) -> list[str]:
    here = Path(__file__).parent
    mounts = {"memjoin.errors": here.parent / "errors.py", "memjoin.systems": here}
    # Without a lock a folder elsewhere runs on this interpreter, where an installed package imports as ever.
    inside = spec.package.startswith("memjoin.systems.")
    if spec.folder is not None and not inside and not (spec.lock is None and "." in spec.package):
        mounts[spec.package] = spec.folder
    return [
        str(python),
        *("-P", "-s", str(here / "worker.py")),
        *(part for name, path in mounts.items() for part in ("--mount", f"{name}={path}")),
        *("--adapter", spec.adapter),
    ]


def _load_class(spec: SystemSpec) -> Callable[[Settings], MemorySystem]:
    """Import the class of an in-process system, from the current directory too."""
    module, _, attribute = spec.adapter.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found = getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise MemJoinError(
            f"{spec.name}: cannot import {module}: {error}",
            "It must be installed beside memjoin, or lie in the folder that memjoin is called in.",
        ) from error
    except AttributeError as error:
        raise MemJoinError(f"{spec.name}: {error}", "Check the spelling of the class.") from error
    except (Exception, SystemExit) as error:
        trace = "".join(traceback.format_exception(error))
        raise CallFailed(spec.name, "import", type(error).__name__, str(error), trace) from error
    if not callable(found):
        raise MemJoinError(f"{spec.name}: {attribute} of {module} is no class", "Name a class.")
    make: Callable[[Settings], MemorySystem] = found
    return make


def _temporary_root() -> Path:
    memory = Path("/dev/shm")
    with suppress(OSError):
        if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _ROOM_IN_MEMORY:
            return Path(tempfile.mkdtemp(prefix="memjoin-", dir=memory))
    return Path(tempfile.mkdtemp(prefix="memjoin-"))
