"""What an endpoint answered: strictly read, or turned into an error that says what was wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import openai

from memjoin.models.errors import (
    Asked,
    AuthenticationError,
    BadRequestError,
    ContextLengthError,
    ModelError,
    ModelTimeoutError,
    NotAnApiError,
    QuotaError,
    RateLimitedError,
    ServerError,
    UnknownModelError,
    UnreachableError,
    without_keys,
)
from memjoin.models.tokens import estimate_messages, estimate_request
from memjoin.models.types import ChatReply, ChatRequest, Message, Usage, Vectors

QUOTED = 300
"""Characters of an endpoint's own words that a message repeats."""

_TOO_LONG = (
    "maximum context length",
    "context window",
    "context length",
    "prompt is too long",
    "too many tokens",
)
_HINT_URL = "Check the base URL; most end in /v1."


@dataclass(frozen=True, slots=True)
class _Words:
    """What an endpoint said about an error, keys taken out."""

    message: str
    code: str
    param: str
    is_api: bool


@contextmanager
def translated(asked: Asked, key: str) -> Iterator[None]:
    """Turn the client's errors into ours. The client's own are dropped: they hold headers and bodies."""
    try:
        yield
    except openai.APIStatusError as error:
        raise _from_status(error.status_code, error.response.text, asked, key) from None
    except openai.APITimeoutError:
        raise ModelTimeoutError(
            f"No answer in time from the {asked}, retries included.",
            "The endpoint may be overloaded; try again, with fewer --in-flight or a longer --model-timeout.",
        ) from None
    except openai.APIConnectionError as error:
        reason = without_keys(str(error.__cause__ or error.message), key)
        raise UnreachableError(
            f"No connection to the {asked}: {reason}", "Is the server running, and the address right?"
        ) from None


def read_chat(text: str, request: ChatRequest, asked: Asked, key: str) -> ChatReply:
    """Read a chat completion strictly.

    Raises:
        NotAnApiError: It is none.
        ModelError: It is an error, although the status was 200 (some routers do that).
    """
    body = _parse(text, asked, key)
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise _not_api("JSON without a choice that holds a message", text, asked, key)
    content, calls = message.get("content"), message.get("tool_calls") or []
    if not isinstance(content, str | None) or not isinstance(calls, list) or not all(map(_is_call, calls)):
        raise _not_api("a message whose content or tool calls are malformed", text, asked, key)
    reply: Message = {"role": "assistant", "content": content}
    if calls:
        reply["tool_calls"] = calls
    if isinstance(message.get("refusal"), str):
        reply["refusal"] = message["refusal"]
    finish = choice.get("finish_reason")
    return ChatReply(
        reply,
        finish if isinstance(finish, str) else "stop",
        _usage(body.get("usage"), request, reply),
        body["model"] if isinstance(body.get("model"), str) else asked.model,
    )


def read_vectors(text: str, count: int, asked: Asked, key: str) -> Vectors:
    """Read an embeddings answer strictly: unit vectors, shape (count, dimensions).

    Raises:
        NotAnApiError: It is none, or not of the texts that were sent.
    """
    data = _parse(text, asked, key).get("data")
    if not isinstance(data, list) or len(data) != count or not all(isinstance(row, dict) for row in data):
        raise _not_api(f"JSON without a vector for each of {count} texts", text, asked, key)
    rows = sorted(data, key=lambda row: row["index"]) if all("index" in row for row in data) else data
    try:
        vectors = np.array([row.get("embedding") for row in rows], dtype=np.float64)
    except (TypeError, ValueError):
        raise _not_api("vectors that are no lists of numbers of one length", text, asked, key) from None
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    if vectors.ndim != 2 or not np.isfinite(norms).all() or (norms == 0).any():
        raise _not_api("vectors that have no direction", text, asked, key)
    units: Vectors = (vectors / norms).astype(np.float32)
    return units


def refused_parameter(
    error: BadRequestError, sent: Mapping[str, object], droppable: Sequence[str]
) -> str | None:
    """Return the parameter that an endpoint refused, if it was sent and may be left out."""
    words = error.message.casefold()
    if not any(phrase in words for phrase in ("unsupported", "not support", "not allowed", "deprecated")):
        return None
    return next((name for name in droppable if name in sent and name in words), None)


def _from_status(status: int, text: str, asked: Asked, key: str) -> ModelError:
    said = _words(text, key)
    quoted = f" It says: {said.message}" if said.message else ""
    if status in (401, 403):
        what = "does not accept the key" if status == 401 else "refuses access"
        return AuthenticationError(
            f"The {asked} {what} (HTTP {status}).{quoted}", "Check the key and what it may be used for."
        )
    if status == 429:
        if "quota" in said.code:
            return QuotaError(
                f"The account of the {asked} is used up (HTTP 429).{quoted}", "Add credit there."
            )
        return RateLimitedError(
            f"The {asked} still turns calls away after all retries (HTTP 429).{quoted}",
            "Run again later, or with fewer --in-flight; what is done is kept.",
        )
    if status >= 500 or status == 408:
        return ServerError(
            f"The {asked} failed, retries included (HTTP {status}).{quoted}", "Run again later."
        )
    if not said.is_api:
        return _not_api(f"HTTP {status} and no OpenAI-compatible error", text, asked, key)
    if said.code == "context_length_exceeded" or any(part in said.message.casefold() for part in _TOO_LONG):
        return ContextLengthError(f"The messages are too long for the {asked}.{quoted}")
    if status == 404 or said.code == "model_not_found":
        return UnknownModelError(
            f"The {asked} does not exist there (HTTP {status}).{quoted}", "Check the model's name."
        )
    param = f" (parameter {said.param})" if said.param else ""
    return BadRequestError(f"The {asked} refuses the request (HTTP {status}){param}.{quoted}")


def _words(text: str, key: str) -> _Words:
    try:
        body = json.loads(text)
    except ValueError:
        return _Words(_quote(text, key), "", "", is_api=False)
    if isinstance(body, list) and body:  # Google wraps its errors in a list
        body = body[0]
    error: Any = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, str):
        return _Words(_quote(error, key), "", "", is_api=True)
    if not isinstance(error, dict):
        return _Words(_quote(text, key), "", "", is_api=False)
    message = error.get("message") or error.get("detail") or ""
    code = error.get("code") or error.get("type") or ""
    said = _quote(message if isinstance(message, str) else json.dumps(message), key)
    return _Words(said, str(code), str(error.get("param") or ""), is_api=bool(said))


def _parse(text: str, asked: Asked, key: str) -> dict[str, Any]:
    if not text.strip():
        raise _not_api("nothing at all", "", asked, key)
    try:
        body = json.loads(text)
    except ValueError:
        what = "HTML" if text.lstrip()[:1] == "<" else "no JSON"
        raise _not_api(what, text, asked, key) from None
    if not isinstance(body, dict):
        raise _not_api("JSON that is no object", text, asked, key)
    if body.get("error"):
        error = body["error"]
        code = error.get("code") if isinstance(error, dict) else None
        raise _from_status(code if isinstance(code, int) and code >= 400 else 500, text, asked, key)
    return body


def _not_api(what: str, text: str, asked: Asked, key: str) -> NotAnApiError:
    quoted = f": {_quote(text, key)}" if text.strip() else "."
    return NotAnApiError(
        f"The {asked} does not answer as an OpenAI-compatible API does: it sent {what}{quoted}", _HINT_URL
    )


def _quote(text: str, key: str) -> str:
    clean = " ".join(without_keys(text, key).split())
    return clean if len(clean) <= QUOTED else clean[:QUOTED] + "..."


def _is_call(call: object) -> bool:
    function = call.get("function") if isinstance(call, dict) else None
    return (
        isinstance(function, dict)
        and isinstance(function.get("name"), str)
        and isinstance(function.get("arguments"), str)
    )


def _usage(usage: object, request: ChatRequest, reply: Message) -> Usage:
    if isinstance(usage, dict):
        sent, received = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if isinstance(sent, int) and isinstance(received, int):
            return Usage(sent, received)
    return Usage(estimate_request(request), estimate_messages([reply]), estimated=True)
