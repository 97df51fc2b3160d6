"""Models behind an OpenAI-compatible endpoint, asked through the official ``openai`` client."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Protocol, TypeVar

import numpy as np
import openai

from memjoin.models import replies
from memjoin.models.deadline import DeadlineClient
from memjoin.models.errors import (
    Asked,
    BadRequestError,
    NotAnApiError,
    RateLimitedError,
    ServerError,
)
from memjoin.models.names import PROVIDERS, ModelName
from memjoin.models.types import ChatReply, ChatRequest, Role, Vectors

BATCH = 128
CONNECT_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds before an answer that is none is asked for again; they double each time."""
KEY_LENGTH = 12
"""Characters from which on a key cannot be a word that a reply may hold by chance."""
_DROPPABLE = ("temperature", "seed", "top_p")

_T = TypeVar("_T")

_limits: dict[str, threading.BoundedSemaphore] = {}
_limits_lock = threading.Lock()


def _limit(base_url: str, concurrency: int) -> threading.BoundedSemaphore:
    """Return the one limit of an endpoint; whoever names it first says how much it bears."""
    with _limits_lock:
        return _limits.setdefault(base_url, threading.BoundedSemaphore(concurrency))


class _Answer(Protocol):
    """What the client has of an answer before it is read."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Its headers, whose names may be given in any case."""

    @property
    def text(self) -> str:
        """Its body."""


class _Endpoint:
    """What chat models and embedders share: the client, the endpoint's limit, and its errors."""

    def __init__(
        self, name: ModelName, role: Role, key: str, timeout: float, max_retries: int, concurrency: int
    ) -> None:
        self.asked = Asked(role, name.name if "#" not in name.name else name.model, name.base_url)
        self._key = key
        self._retries = max_retries
        self._limit = _limit(name.base_url, concurrency)
        self._client = openai.OpenAI(
            api_key=key or "none",
            base_url=name.base_url,
            timeout=openai.Timeout(timeout, connect=CONNECT_SECONDS),
            max_retries=max_retries,
            http_client=DeadlineClient(),
        )
        if name.base_url != PROVIDERS["openai"].base_url:
            # The client takes these two from the environment; they are no other endpoint's business.
            self._client.organization = None
            self._client.project = None
        # The client refers to itself, and does not close what it was given: its connections would stay open
        # until it is collected, or longer.
        self._closed = weakref.finalize(self, self._client.close)

    def chat(self, body: dict[str, Any], read: Callable[[str], _T]) -> _T:
        messages, model = body["messages"], body["model"]
        rest = {key: value for key, value in body.items() if key not in ("messages", "model")}
        chats = self._client.chat.completions.with_raw_response
        return self._until_read(lambda: chats.create(model=model, messages=messages, extra_body=rest), read)

    def embeddings(self, model: str, texts: list[str], read: Callable[[str], _T]) -> _T:
        create = self._client.embeddings.with_raw_response.create
        return self._until_read(lambda: create(model=model, input=texts, encoding_format="float"), read)

    def _until_read(self, ask: Callable[[], _Answer], read: Callable[[str], _T]) -> _T:
        """Ask until the answer can be read. The client itself tries again after a bad status and a lost
        connection; what it takes for a good answer may yet be a page of a proxy's, or the half of one."""
        with self._limit:
            for attempt in range(self._retries + 1):
                with replies.translated(self.asked, self._key):
                    answer = ask()
                try:
                    return read(self._without_key(answer.text))
                except (NotAnApiError, ServerError, RateLimitedError):
                    if attempt == self._retries or answer.headers.get("x-should-retry") == "false":
                        raise
                    time.sleep(min(FIRST_PAUSE * 2**attempt, LONGEST_PAUSE))
        raise AssertionError("the last attempt returns or raises")

    def _without_key(self, text: str) -> str:
        # Proxies that repeat what they were sent would bring the key into the record.
        return text.replace(self._key, "[key]") if len(self._key) >= KEY_LENGTH else text

    def close(self) -> None:
        self._closed()


class RemoteChat:
    """A chat model behind an endpoint. Safe to use from several threads.

    Some models refuse a temperature or a seed. Where the endpoint says so, the call is made once more without
    it, and so are all later ones; ``dropped`` names it, and so does every reply that was had without it.
    """

    deterministic = False
    embedded = False

    def __init__(
        self,
        name: ModelName,
        role: Role,
        key: str,
        *,
        timeout: float = 120.0,
        max_retries: int = 4,
        concurrency: int = 8,
    ) -> None:
        self.name = name.name
        self.dropped: frozenset[str] = frozenset()
        self._model = name.model
        self._key = key
        self._endpoint = _Endpoint(name, role, key, timeout, max_retries, concurrency)

    def complete(self, request: ChatRequest) -> ChatReply:
        """Ask. The model asked is this one, whatever name the request bears. Raises ``ModelError``."""
        while True:
            dropped = tuple(sorted(self.dropped & request.parameters.keys()))
            parameters = {k: v for k, v in request.parameters.items() if k not in dropped}
            body = {"model": self._model, "messages": list(request.messages), **parameters}
            try:
                reply = self._endpoint.chat(body, partial(self._read, request))
            except BadRequestError as error:
                refused = replies.refused_parameter(error, parameters, _DROPPABLE)
                if refused is None:
                    raise
                self.dropped |= {refused}
            else:
                return replace(reply, dropped=dropped) if dropped else reply

    def _read(self, request: ChatRequest, text: str) -> ChatReply:
        return replies.read_chat(text, request, self._endpoint.asked, self._key)

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()


class RemoteEmbedder:
    """An embedder behind an endpoint. Its number of dimensions is found by embedding one word, once asked."""

    embedded = False

    def __init__(
        self,
        name: ModelName,
        key: str,
        *,
        timeout: float = 120.0,
        max_retries: int = 4,
        concurrency: int = 8,
    ) -> None:
        self.name = name.name
        self._model = name.model
        self._key = key
        self._endpoint = _Endpoint(name, "embedder", key, timeout, max_retries, concurrency)

    @cached_property
    def dimensions(self) -> int:
        """The length of its vectors. The first time, this asks the endpoint. Raises ``ModelError``."""
        return int(self._ask(["dimensions"]).shape[1])

    def embed(self, texts: list[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimensions), float32. Raises ``ModelError``.

        Endpoints refuse empty texts; they are sent as one space.
        """
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        sent = [text if text.strip() else " " for text in texts]
        parts = [self._ask(sent[start : start + BATCH]) for start in range(0, len(sent), BATCH)]
        if len({part.shape[1] for part in parts}) != 1:
            raise NotAnApiError(f"The {self._endpoint.asked} gave vectors of different lengths.")
        return np.concatenate(parts)

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    def _ask(self, texts: list[str]) -> Vectors:
        asked = self._endpoint.asked
        return self._endpoint.embeddings(
            self._model, texts, lambda text: replies.read_vectors(text, len(texts), asked, self._key)
        )
