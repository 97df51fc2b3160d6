"""One worker process: started, asked, timed, ended. Knows lines and processes, nothing of memory."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

from memjoin.errors import MemJoinError
from memjoin.systems.errors import CallFailed, IllFormedRecords, WorkerDied, WorkerGarbage, WorkerTimeout

TAIL_BYTES = 2_000
"""How much of the end of standard error goes into a message."""

ANSWER_BYTES = 64 * 2**20
"""The longest answer that is still taken for one."""

_END_SECONDS = 2.0
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_CHUNK = 1 << 16
_GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds that each call may take before its process is ended."""

    start: float = 180.0
    reset: float = 60.0
    write: float = 900.0
    export: float = 120.0
    retrieve: float = 300.0
    close: float = 10.0

    def of(self, call: str) -> float:
        """Return the seconds for a call by its name."""
        return float(getattr(self, call))


def clean_environment(home: Path, base_url: str, api_key: str) -> dict[str, str]:
    """Return the environment variables of a worker, and make the directories that they name.

    Nothing of the user's environment is passed on but what finds programs and libraries, and the variables
    that ``MEMJOIN_PASS_ENV`` names (comma-separated): a system never sees a provider's key by accident.

    Args:
        home: The worker's private directory; HOME, the XDG directories and TMPDIR lie in it.
        base_url: The gateway's address.
        api_key: The gateway's key for this worker.
    """
    asked = [name.strip() for name in os.environ.get("MEMJOIN_PASS_ENV", "").split(",")]
    variables = {name: os.environ[name] for name in (*_PASSED_ON, *asked) if name in os.environ}
    private = {
        "HOME": home,
        "TMPDIR": home / "tmp",
        "XDG_CACHE_HOME": home / ".cache",
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local" / "share",
        "XDG_STATE_HOME": home / ".local" / "state",
    }
    for directory in private.values():
        directory.mkdir(parents=True, exist_ok=True)
    return {
        **variables,
        **{name: str(directory) for name, directory in private.items()},
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        # Sums in another order give other last digits; and the run itself uses the cores.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "DO_NOT_TRACK": "1",
        "ORT_DISABLE_TELEMETRY": "1",
        "ANONYMIZED_TELEMETRY": "False",
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        "OPENAI_BASE_URL": base_url,
        "OPENAI_API_KEY": api_key,
    }


class WorkerProcess:
    """A process that answers calls, a line of JSON each, and everything that it starts.

    It runs in a session and process group of its own, away from the terminal's signals, under a guard
    (``guard.py``) that ends the group when this process ends, even by SIGKILL.

    Args:
        name: The system's name, for messages.
        command: The program and its arguments.
        environment: All its environment variables.
        directory: Its working directory.
        log: The file that its standard error is appended to.
        show_log: Whether messages should name that file (it may be gone by the time they are read).
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        directory: Path,
        log: Path,
        show_log: bool = False,
    ) -> None:
        self.name = name
        self._command = list(command)
        self._environment = dict(environment)
        self._directory = directory
        self._log = log
        self._log_name = str(log) if show_log else ""
        self._log_start = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline = -1
        self._lifeline_lock = threading.Lock()
        self._buffer = bytearray()
        self._number = 0
        self._asked = False

    @property
    def pid(self) -> int | None:
        """The process id of the guard (also the session's); None if nothing runs."""
        return self._process.pid if self._process else None

    @property
    def running(self) -> bool:
        """Whether the process was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def idle(self) -> bool:
        """Whether it runs and no answer is due: after an interrupt by the user, one may still be."""
        return self.running and not self._asked

    def start(self) -> None:
        """Start the process. Does not wait for it: the first call does.

        Raises:
            MemJoinError: The machine is not one that workers run on, or the directory is gone.
        """
        if os.name != "posix":
            raise MemJoinError(
                "memory systems run as processes of Linux or macOS", "Use either, or WSL on Windows."
            )
        self._log.parent.mkdir(parents=True, exist_ok=True)
        read_end, write_end = os.pipe()
        try:
            with self._log.open("ab") as log:
                self._log_start = log.tell()
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(_GUARD), str(read_end), *self._command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env=self._environment,
                    cwd=self._directory,
                    pass_fds=[read_end],
                    start_new_session=True,
                )
        except OSError as error:
            os.close(write_end)
            raise MemJoinError(f"{self.name}: cannot start a process: {error}") from error
        finally:
            os.close(read_end)
        self._lifeline = write_end
        self._asked = False
        self._buffer.clear()
        for stream in self._streams():
            os.set_blocking(stream.fileno(), False)

    def call(self, name: str, params: Mapping[str, Any], timeout: float) -> Any:
        """Send a call and return its result.

        Args:
            name: The call.
            params: Its parameters, anything that JSON can say.
            timeout: Seconds from now until the answer must be there.

        Raises:
            WorkerDied: The process ended or closed its output; also if it was not running.
            WorkerTimeout: No answer in time. The process has been ended.
            WorkerGarbage: A line that is no answer to this call. The process has been ended.
            IllFormedRecords: The worker refused what the system returned. The process lives on.
            CallFailed: The system raised an exception. The process lives on.
        """
        if self._process is None:
            raise WorkerDied(self.name, name, None, gone=True)
        self._number += 1
        request = json.dumps({"id": self._number, "call": name, "params": params}, allow_nan=False)
        self._asked = True
        line = self._exchange(name, request.encode() + b"\n", timeout)
        self._asked = False
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != self._number:
            self._garbage(name, f"line {_shorten(line)}")
        if "result" in answer:
            return answer["result"]
        problem = answer.get("error")
        if not isinstance(problem, dict):
            self._garbage(name, f"neither result nor error in {_shorten(line)}")
        kind, detail = str(problem.get("type", "error")), str(problem.get("message", ""))
        if kind == "FormError":
            raise IllFormedRecords(self.name, name, detail)
        raise CallFailed(self.name, name, kind, detail, str(problem.get("traceback", "")))

    def stderr_tail(self) -> str:
        """Return the last lines that the process printed on standard error since it was started."""
        with contextlib.suppress(FileNotFoundError), self._log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            begin = log.seek(max(self._log_start, end - TAIL_BYTES))
            lines = log.read(TAIL_BYTES).decode(errors="replace").strip().splitlines()
            return "\n".join(lines[1:] if begin > self._log_start and len(lines) > 1 else lines)
        return ""

    def interrupt(self) -> None:
        """Have the process ended from another thread: a call under way there fails with ``WorkerDied``."""
        self._cut_lifeline()

    def kill(self) -> int | None:
        """End the process and its group at once; return its return code, None if nothing ran."""
        process = self._process
        if process is None:
            return None
        self._cut_lifeline()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in self._streams():
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._process = None
        return process.returncode

    def _streams(self) -> tuple[IO[bytes], IO[bytes]]:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise ValueError("the process was not started")
        return process.stdin, process.stdout

    def _cut_lifeline(self) -> None:
        with self._lifeline_lock:
            if self._lifeline >= 0:
                os.close(self._lifeline)
                self._lifeline = -1

    def _exchange(self, call: str, request: bytes, timeout: float) -> bytes:
        """Write a line and read one, both without blocking: a process may read nothing, or print too much."""
        stdin, stdout = self._streams()
        deadline = time.monotonic() + timeout
        pending = memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stdin, selectors.EVENT_WRITE)
            searched = 0
            while True:
                end = self._buffer.find(b"\n", searched)
                if end >= 0:
                    line = bytes(self._buffer[:end])
                    del self._buffer[: end + 1]
                    return line
                searched = len(self._buffer)
                if searched > ANSWER_BYTES:
                    self._garbage(call, f"a line of more than {ANSWER_BYTES >> 20} MiB")
                left = deadline - time.monotonic()
                if left <= 0:
                    self._time_out(call, timeout)
                for key, _ in selector.select(left):
                    if key.fileobj is stdout:
                        self._read(call, stdout)
                    else:
                        pending = self._write(stdin, pending)
                        if not pending:
                            selector.unregister(stdin)

    def _read(self, call: str, stdout: IO[bytes]) -> None:
        chunk = os.read(stdout.fileno(), _CHUNK)
        if not chunk:
            self._died(call)
        self._buffer += chunk

    def _write(self, stdin: IO[bytes], pending: memoryview) -> memoryview:
        try:
            return pending[os.write(stdin.fileno(), pending[:_CHUNK]) :]
        except BlockingIOError:
            return pending
        except OSError as error:
            if error.errno != errno.EPIPE:
                raise
            # Its input is closed; whether it died or only does not read, its output will tell.
            return pending[len(pending) :]

    def _died(self, call: str) -> NoReturn:
        process = self._process
        returncode = None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                returncode = process.wait(_END_SECONDS)
        self.kill()
        raise WorkerDied(self.name, call, returncode, self.stderr_tail(), self._log_name)

    def _time_out(self, call: str, seconds: float) -> NoReturn:
        self.kill()
        raise WorkerTimeout(self.name, call, seconds, self.stderr_tail(), self._log_name)

    def _garbage(self, call: str, detail: str) -> NoReturn:
        self.kill()
        raise WorkerGarbage(self.name, call, detail, self.stderr_tail(), self._log_name)


def _shorten(line: bytes) -> str:
    text = line[:120].decode(errors="replace")
    return repr(text) + ("..." if len(line) > 120 else "")
