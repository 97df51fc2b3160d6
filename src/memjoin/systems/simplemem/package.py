"""The package ``simplemem`` with its models put on the gateway, and an ear to what it keeps to itself.

SimpleMem catches nearly every error, prints a line and goes on. Nothing of it is changed but what its modules
import: the client of the chat model, the embedder, the source of ids, the connection to the store, the pause
between tries, and ``print``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from memjoin.systems.endpoint import Endpoint, EndpointError
from memjoin.systems.protocol import Settings

VERSION = "0.1.0"
_EMBEDDER = "gateway"
"""Any name will do, unless it begins with qwen3: those SimpleMem loads in another way."""


@dataclass
class Try:
    """One chat call: its reply, or the error it ended in, and why the reply could not be read, if so."""

    content: str = ""
    finish_reason: str = "stop"
    error: str = ""
    unread: str = ""


class Models:
    """What SimpleMem asks, and how it came out since ``begin``.

    ``tries`` has one entry a chat call, in order. ``given_up`` are the errors of requests that SimpleMem gave
    up, ``not_embedded`` those of embeddings. ``refused`` counts texts to embed that were no texts. ``calls``
    counts chat calls, answered or not, since the start.
    """

    def __init__(self, settings: Settings, timeout: float) -> None:
        openai: Any = importlib.import_module("openai")
        self.errors: tuple[type[Exception], ...] = (openai.OpenAIError, UnicodeError)
        # The gateway has tried again already what is worth it; SimpleMem's own tries stay.
        self._openai = openai.OpenAI(
            base_url=settings.base_url, api_key=settings.api_key, timeout=timeout, max_retries=0
        )
        self._endpoint = Endpoint(settings, timeout)
        self._dimensions = settings.dimensions
        self._numpy: Any = importlib.import_module("numpy")
        self.client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=self._create)))
        self.calls = 0
        self.begin()

    def begin(self) -> None:
        """Forget how earlier calls came out."""
        self.tries: list[Try] = []
        self.given_up: list[str] = []
        self.not_embedded: list[str] = []
        self.refused = 0

    def close(self) -> None:
        """Close the connections."""
        self._openai.close()
        self._endpoint.close()

    def get_sentence_embedding_dimension(self) -> int:
        """Stand in for the method of ``SentenceTransformer``."""
        return self._dimensions

    def encode(self, texts: Sequence[str], **options: object) -> Any:
        """Stand in for ``SentenceTransformer.encode``; returns an array of shape (len(texts), dimensions)."""
        if not all(isinstance(text, str) for text in texts):
            self.refused += 1
            raise TypeError("only text can be embedded")
        try:
            vectors = self._endpoint.embed(texts)
        except EndpointError as error:
            self.not_embedded.append(one_line(error))
            raise
        return self._numpy.array(vectors, dtype="float32")

    def _create(self, **request: Any) -> Any:
        """Stand in for ``OpenAI().chat.completions.create``, and keep how it came out."""
        self.calls += 1
        try:
            response = self._openai.chat.completions.create(**request)
        except self.errors as error:
            self.tries.append(Try(error=one_line(error)))
            raise
        choice = response.choices[0]
        self.tries.append(Try(choice.message.content or "", choice.finish_reason or "stop"))
        return response


class Package:
    """The package, ready to make systems. ``said`` are the lines that it printed since it was emptied."""

    def __init__(self, models: Models) -> None:
        version = importlib.metadata.version("simplemem")
        if version != VERSION:
            raise RuntimeError(f"this adapter is for simplemem {VERSION}; the environment has {version}")
        embedders = ModuleType("sentence_transformers", "A stand-in, made by MemJoin's adapter of SimpleMem.")
        vars(embedders)["SentenceTransformer"] = lambda *arguments, **options: models
        sys.modules["sentence_transformers"] = embedders
        self._models = models
        self._case, self._ids = "", 0
        self.said: list[str] = []
        self._simplemem: Any = importlib.import_module("simplemem")
        self.dialogue = self._simplemem.Dialogue
        arrow: Any = importlib.import_module("pyarrow")
        self.store_errors: tuple[type[Exception], ...] = (
            OSError,
            RuntimeError,
            ValueError,
            arrow.ArrowException,
        )
        self._put_in_place()

    def make(self, case: str, directory: str, window_size: int, semantic_top_k: int) -> Any:
        """Make a system with an empty store. The configuration is one for the process: it is set anew."""
        self._case, self._ids = case, 0
        self.said.clear()
        self._simplemem.set_config(
            self._simplemem.SimpleMemConfig(
                openai_api_key="",
                openai_base_url=None,
                llm_model="",
                embedding_model=_EMBEDDER,
                window_size=window_size,
                semantic_top_k=semantic_top_k,
                lancedb_path=directory,
                use_streaming=False,
                enable_parallel_processing=False,
                enable_parallel_retrieval=False,
            )
        )
        system = self._simplemem.SimpleMemSystem(model="memjoin")
        system.llm_client.chat_completion = self._watched_request(system.llm_client.chat_completion)
        builder = system.memory_builder
        builder._parse_llm_response = self._watched_parser(builder._parse_llm_response)
        if system.vector_store.table.count_rows():
            raise RuntimeError("a new store is not empty")
        return system

    def _put_in_place(self) -> None:
        modules = {
            name: importlib.import_module(f"simplemem.{name}")
            for name in (
                "system",
                "core.memory_builder",
                "core.hybrid_retriever",
                "core.answer_generator",
                "database.vector_store",
                "utils.embedding",
                "utils.llm_client",
                "models.memory_entry",
            )
        }
        for module in modules.values():
            vars(module)["print"] = self._hear
        client = vars(modules["utils.llm_client"])
        client["OpenAI"] = lambda **options: self._models.client
        client["time"] = SimpleNamespace(sleep=lambda seconds: None)
        vars(modules["models.memory_entry"])["uuid"] = SimpleNamespace(uuid4=self._next_id)
        lancedb: Any = importlib.import_module("lancedb")
        store = vars(modules["database.vector_store"])
        store["lancedb"] = SimpleNamespace(connect=lambda path: lancedb.connect("memory://"))

    def _hear(self, *parts: object) -> None:
        self.said.append(" ".join(map(str, parts)))

    def _next_id(self) -> uuid.UUID:
        self._ids += 1
        return uuid.uuid5(uuid.NAMESPACE_URL, f"memjoin:simplemem:{self._case}:{self._ids}")

    def _watched_request(self, request: Callable[..., str]) -> Callable[..., str]:
        """Keep the errors of requests that SimpleMem gives up, which its callers only print."""

        def watched(*arguments: Any, **named: Any) -> str:
            try:
                return request(*arguments, **named)
            except self._models.errors as error:
                self._models.given_up.append(one_line(error))
                raise

        return watched

    def _watched_parser(self, parse: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        """Keep why a reply could not be read, which SimpleMem prints; it asks again, or gives up."""

        def watched(*arguments: Any, **named: Any) -> list[Any]:
            # What its parser raises for a reply of the wrong form; pydantic's error is a ValueError.
            try:
                return parse(*arguments, **named)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                self._models.tries[-1].unread = one_line(error)
                raise

        return watched


def one_line(error: Exception) -> str:
    """Return an error as one line of text that can be encoded."""
    text = str(error).encode("utf-8", "replace").decode()
    return f"{type(error).__name__}: {' '.join(text.split())}"
