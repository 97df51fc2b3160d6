"""Modules that A-Mem imports and that are not installed: small ones take their places.

Most it imports and never calls on the paths that are measured; a call would raise. Two it does call,
``openai`` and ``sentence_transformers``: their parts here ask the gateway, and keep what was answered, since
A-Mem swallows every error between them and itself. Nothing of the package is changed by this.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

from memjoin.systems.amem.replies import Reply
from memjoin.systems.endpoint import Endpoint, EndpointError

_UNUSED = {
    "transformers": ("AutoModel", "AutoTokenizer"),
    "litellm": ("completion",),
    "rank_bm25": ("BM25Okapi",),
    "nltk": (),
    "nltk.tokenize": ("word_tokenize",),
    "sklearn": (),
    "sklearn.metrics": (),
    "sklearn.metrics.pairwise": ("cosine_similarity",),
    "opentelemetry.exporter": (),
    "opentelemetry.exporter.otlp": (),
    "opentelemetry.exporter.otlp.proto": (),
    "opentelemetry.exporter.otlp.proto.grpc": (),
    "opentelemetry.exporter.otlp.proto.grpc.trace_exporter": ("OTLPSpanExporter",),
}


class Models:
    """What A-Mem asks, and how it came out since ``begin``.

    ``outcomes`` has one entry a chat call, in order: the reply, or the error as text. ``failures`` are the
    errors of embeddings, as text. ``calls`` counts the chat calls.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.outcomes: list[Reply | str] = []
        self.failures: list[str] = []

    @property
    def calls(self) -> int:
        """How many chat calls were made so far, answered or not."""
        return self.endpoint.calls

    def begin(self) -> None:
        """Forget how earlier calls came out."""
        self.outcomes.clear()
        self.failures.clear()

    def create(self, model: str, messages: Sequence[dict[str, Any]], **parameters: object) -> object:
        """Stand in for ``OpenAI().chat.completions.create``; the endpoint puts the run's model in."""
        try:
            message = self.endpoint.chat(messages, **parameters)
        except EndpointError as error:
            self.outcomes.append(one_line(error))
            raise
        self.outcomes.append(Reply(message.get("content"), self.endpoint.finish_reason))
        return SimpleNamespace(
            choices=[SimpleNamespace(message=SimpleNamespace(content=message.get("content")))]
        )

    def encode(self, texts: Sequence[str], **options: object) -> list[list[float]]:
        """Stand in for ``SentenceTransformer().encode``."""
        try:
            return self.endpoint.embed(texts)
        except EndpointError as error:
            self.failures.append(one_line(error))
            raise


def install(models: Models) -> None:
    """Put the modules in place, before anything of the package is imported."""
    for name, attributes in _UNUSED.items():
        _put(name, {attribute: _unused(f"{name}.{attribute}") for attribute in attributes})
    client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=models.create)))
    _put("openai", {"OpenAI": lambda **options: client})
    _put("sentence_transformers", {"SentenceTransformer": lambda **options: models})


def one_line(error: Exception) -> str:
    """Return an error as one line of text that can be encoded."""
    text = str(error).encode("utf-8", "replace").decode()
    return f"{type(error).__name__}: {' '.join(text.split())}"


def _put(name: str, attributes: dict[str, Any]) -> None:
    module = ModuleType(name, "A stand-in, made by MemJoin's adapter of A-Mem.")
    module.__path__ = []
    for attribute, value in attributes.items():
        setattr(module, attribute, value)
    sys.modules[name] = module


def _unused(name: str) -> type:
    def refuse(self: object, *arguments: object, **named: object) -> None:
        raise RuntimeError(f"{name} is a stand-in: A-Mem was not expected to use it")

    return type(name.rpartition(".")[2], (), {"__init__": refuse})
