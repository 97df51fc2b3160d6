"""A local endpoint that speaks OpenAI's protocol, or whatever a test has it say, and plain model doubles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from endpoint import Answer, Endpoint
from memjoin.models.types import ChatReply, ChatRequest, Scope, Usage, Vectors

SCOPE = Scope("some-system", "a-case", 0, "s1")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    yield server
    server.close()


@pytest.fixture
def answer_of() -> type[Answer]:
    return Answer


class Echo:
    """A chat model that says what the last message said, or what it is given to say."""

    name = "echo"
    deterministic = True
    embedded = False

    def __init__(self, say: Callable[[ChatRequest], dict[str, Any]] | None = None) -> None:
        self.requests: list[ChatRequest] = []
        self._say = say

    def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        message = self._say(request) if self._say else {"content": request.messages[-1]["content"]}
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        return ChatReply({"role": "assistant", "content": None} | message, finish, Usage(5, 3), "echo")


class Ones:
    """An embedder of four dimensions: one axis for a text's length, by remainder."""

    name = "ones"
    dimensions = 4
    embedded = False

    def embed(self, texts: list[str]) -> Vectors:
        return np.eye(4, dtype=np.float32)[[len(text) % 4 for text in texts]]


@pytest.fixture
def scope() -> Scope:
    return SCOPE


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
def saying() -> type[Echo]:
    return Echo


@pytest.fixture
def ones() -> Ones:
    return Ones()
