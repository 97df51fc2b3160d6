"""What makes two model calls of a run the same call."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache

from memjoin.models.types import ChatRequest, Message, Role, Scope

SIZE = 16
"""Bytes of a key, and of the hash of a text."""


@dataclass(frozen=True, slots=True)
class RequestParts:
    """A request in pieces, each of which the ledger keeps once, under its hash."""

    messages: tuple[tuple[bytes, str], ...]
    """Hash and canonical JSON of each message."""
    parameters: tuple[bytes, str]

    @property
    def hashes(self) -> bytes:
        """The messages' hashes, one after the other."""
        return b"".join(key for key, _ in self.messages)


def parts(request: ChatRequest) -> RequestParts:
    """Return a request's pieces. What a framework asked for and did not get (``asked``) is no part of it."""
    return RequestParts(
        messages=tuple(_message(message) for message in request.messages),
        parameters=_hashed(canonical(request.parameters)),
    )


def call_key(role: Role, model: str, scope: Scope, pieces: RequestParts) -> bytes:
    """Return the key of a call, its occurrence left out: role, model, request, and who asks.

    For reader, filter and judge calls the scope's condition is part of it, on purpose: two conditions never
    share one draw, even where their inputs are the same.
    """
    place = [role, model, scope.system, scope.case, scope.trial, scope.stage, scope.condition]
    head = canonical(place).encode("utf-8", "surrogatepass")
    return _hash(head + b"\0" + pieces.parameters[0] + pieces.hashes)


def occurrence_key(key: bytes, occurrence: int) -> bytes:
    """Return the key of the n-th call (from 0 on) that a cell makes with the same ``call_key``.

    A framework that asks the same again after a bad reply must not get its own bad reply back.
    """
    return _hash(key + occurrence.to_bytes(4, "big"))


def text_key(*texts: str) -> bytes:
    """Return the hash of a text, or of several as one."""
    return _hash("\0".join(texts).encode("utf-8", "surrogatepass"))


def canonical(value: Message | list[object]) -> str:
    """Return JSON with sorted keys and no spaces, in ASCII, so that lone surrogates survive the database."""
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def _message(message: Message) -> tuple[bytes, str]:
    content = message.get("content")
    if isinstance(content, str) and message.keys() == _PLAIN:
        return _plain_message(message["role"], content)
    return _hashed(canonical(message))


_PLAIN = {"role", "content"}


@lru_cache(maxsize=256)
def _plain_message(role: str, content: str) -> tuple[bytes, str]:
    # Remembered because a panel's judges are asked the same, and system prompts are long.
    return _hashed(canonical({"role": role, "content": content}))


def _hashed(text: str) -> tuple[bytes, str]:
    return _hash(text.encode()), text


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=SIZE).digest()
