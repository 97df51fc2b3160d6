"""What passes between MemJoin and a model: requests, replies, and who is asking."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Role: TypeAlias = Literal["writer", "reader", "judge", "filter", "embedder"]
Message: TypeAlias = dict[str, Any]
Vectors: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks: one cell (system, case, trial), and where in it. Part of a call's key in the ledger.

    ``stage`` is a session's id while writing, ``retrieve`` while retrieving; ``condition`` is set for
    reader, filter and judge calls only.
    """

    system: str
    case: str
    trial: int
    stage: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One chat completion request. ``parameters`` holds everything else that goes on the wire
    (temperature, seed, tools, tool_choice, response_format, max_tokens, ...). ``asked`` holds what a caller
    asked for and the gateway fixed otherwise (its temperature, its seed, its name for the model): for the
    record only, never sent, and no part of what makes two requests the same."""

    model: str
    messages: tuple[Message, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; ``estimated`` where the endpoint did not say."""

    input_tokens: int
    output_tokens: int
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One reply: the assistant message as OpenAI's protocol has it, and how it ended. ``dropped`` names the
    request's parameters that were not sent, because the model refuses them."""

    message: Message
    finish_reason: str
    usage: Usage
    model: str
    dropped: tuple[str, ...] = ()


class ChatModel(Protocol):
    """Anything that answers chat requests. ``deterministic`` models answer the same request the same."""

    name: str
    deterministic: bool
    embedded: bool

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer. Raises ``memjoin.models.errors.ModelError`` where no answer can be had."""


class Embedder(Protocol):
    """Anything that embeds texts."""

    name: str
    embedded: bool

    @property
    def dimensions(self) -> int:
        """The length of its vectors. A remote embedder may have to ask for it (``ModelError``)."""

    def embed(self, texts: list[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimensions), float32."""


class Exchange(Protocol):
    """Where model calls go through: it asks, counts and records. A run's exchange commits each call to
    the ledger and answers from it on a resumed run; ``direct.DirectExchange`` just asks."""

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        """Answer a request on behalf of a scope. Raises ``ModelError``."""

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        """Embed texts on behalf of a scope. Raises ``ModelError``."""
