"""An exchange that answers badly on purpose, to see what a memory system does with it.

Faults are what language models and their endpoints really do: prose where JSON was asked for, JSON that
stops in the middle, other keys than those agreed on, nothing at all, a tool that was never offered, an HTTP
error, a time-out. A system that loses a session over one of these without saying so is what the contract
checks look for.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from memjoin.models.errors import Asked, ModelTimeoutError, ServerError
from memjoin.models.types import ChatReply, ChatRequest, Exchange, Message, Role, Scope, Usage, Vectors

FaultKind: TypeAlias = Literal[
    "prose", "truncated", "wrong-key", "empty", "wrong-tool", "http-500", "time-out", "content"
]
FAULTS: tuple[FaultKind, ...] = get_args(FaultKind)

PROSE = "I had a look at the conversation and there is quite a bit in it. Happy to go through it with you!"
WRONG_KEY = "unexpected"
WRONG_TOOL = "tool_that_was_never_offered"


@dataclass(frozen=True, slots=True)
class Fault:
    """One way of answering badly.

    ``prose``, ``empty``: the content is replaced and tool calls are dropped. ``truncated``: the true reply
    stops in the middle, in its content and in the arguments of its tool calls. ``wrong-key``: the keys of
    the true reply's JSON objects are replaced, at the top level. ``wrong-tool``: one call of a tool that was
    not offered. ``content``: the content is ``content``. ``http-500`` and ``time-out``: the error instead of
    a reply; a time-out first waits ``hold`` seconds (0 by default), so that a caller with a shorter time-out
    of its own sees its own.
    """

    kind: FaultKind
    content: str = ""
    hold: float = 0.0


Plan: TypeAlias = Mapping[int, Fault] | Callable[[int, Scope, ChatRequest], Fault | None]
"""Which call gets which fault: by number, from 1 on, or by a function of number, scope and request."""


class FaultyExchange:
    """An exchange with faults in it. ``injected`` lists them as they happened: (call number, fault).

    Args:
        exchange: What answers the other calls, and the calls whose true reply a fault spoils.
        plan: Which chat call gets which fault.
        embeddings: Numbers, from 1 on, of the embedding calls that end in HTTP 500.
    """

    def __init__(self, exchange: Exchange, plan: Plan, *, embeddings: frozenset[int] = frozenset()) -> None:
        self._exchange = exchange
        self._plan = plan
        self._embeddings = embeddings
        self._lock = threading.Lock()
        self._released = threading.Event()
        self._chats = 0
        self._embeds = 0
        self.injected: list[tuple[int, Fault]] = []

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        """Answer a request, or spoil the answer. Raises ``ModelError``."""
        with self._lock:
            self._chats += 1
            number = self._chats
        if callable(self._plan):
            fault = self._plan(number, scope, request)
        else:
            fault = self._plan.get(number)
        if fault is None:
            return self._exchange.chat(scope, role, request)
        with self._lock:
            self.injected.append((number, fault))
        asked = Asked(role, request.model)
        if fault.kind == "http-500":
            raise ServerError(f"HTTP 500 from the {asked}, on purpose.")
        if fault.kind == "time-out":
            self._released.wait(fault.hold)
            raise ModelTimeoutError(f"No answer in time from the {asked}, on purpose.")
        if fault.kind in ("truncated", "wrong-key"):
            return _spoil(self._exchange.chat(scope, role, request), fault)
        return _made_up(request, fault)

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        """Embed texts, or fail. Raises ``ModelError``."""
        with self._lock:
            self._embeds += 1
            number = self._embeds
        if number in self._embeddings:
            raise ServerError("HTTP 500 from the embedder model, on purpose.")
        return self._exchange.embed(scope, texts)

    def release(self) -> None:
        """End the waiting of all time-outs that still hold."""
        self._released.set()


def _made_up(request: ChatRequest, fault: Fault) -> ChatReply:
    message: Message = {"role": "assistant", "content": {"prose": PROSE}.get(fault.kind, fault.content)}
    finish = "stop"
    if fault.kind == "wrong-tool":
        call = {"id": "call_wrong", "type": "function", "function": {"name": WRONG_TOOL, "arguments": "{}"}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        finish = "tool_calls"
    return ChatReply(message, finish, Usage(0, 0, estimated=True), request.model)


def _spoil(reply: ChatReply, fault: Fault) -> ChatReply:
    spoil = _half if fault.kind == "truncated" else _other_keys
    message = dict(reply.message)
    if isinstance(message.get("content"), str):
        message["content"] = spoil(message["content"])
    if message.get("tool_calls"):
        message["tool_calls"] = [
            call | {"function": call["function"] | {"arguments": spoil(call["function"]["arguments"])}}
            for call in message["tool_calls"]
        ]
    finish = "length" if fault.kind == "truncated" else reply.finish_reason
    return replace(reply, message=message, finish_reason=finish)


def _half(text: str) -> str:
    return text[: len(text) // 2]


def _other_keys(text: str) -> str:
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError:
        value = text
    if isinstance(value, dict):
        renamed = {f"{WRONG_KEY}_{number}": item for number, item in enumerate(value.values(), 1)}
    else:
        renamed = {WRONG_KEY: value}
    return json.dumps(renamed, ensure_ascii=False)
