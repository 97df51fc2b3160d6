"""OpenAI's chat and embeddings protocol, as pure functions between bodies of JSON and our types."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from memjoin.models.errors import BadRequestError, ContextLengthError
from memjoin.models.tokens import estimate_request
from memjoin.models.types import ChatReply, ChatRequest, Usage, Vectors

CREATED = 0
"""The time stamp of replies. Fixed, so that a framework that keeps it writes the same store twice."""

_NOT_PARAMETERS = frozenset(
    {"model", "messages", "stream", "stream_options", "n", "user", "store", "metadata"}
)


@dataclass(frozen=True, slots=True)
class Sampling:
    """What a run fixes for every chat call, whatever the framework asks for.

    None: the parameter is not sent at all, for models that refuse it.
    """

    temperature: float | None = 0.0
    seed: int | None = 0


@dataclass(frozen=True, slots=True)
class ChatCall:
    """A parsed chat request: what is asked, and in which form the answer is expected."""

    request: ChatRequest
    stream: bool = False
    usage_in_stream: bool = False


@dataclass(frozen=True, slots=True)
class EmbeddingCall:
    """A parsed embeddings request. ``encoding`` is ``float`` or ``base64``."""

    texts: list[str]
    encoding: str
    dimensions: int | None


def parse_chat(body: object, model: str, sampling: Sampling) -> ChatCall:
    """Read a chat request.

    Args:
        body: The parsed JSON.
        model: The name that the request gets, whatever name the framework used.
        sampling: Temperature and seed that replace the framework's; what it asked for is kept in ``asked``.

    Raises:
        BadRequestError: The body is no chat request, or asks for what cannot be given (n above 1).
    """
    if not isinstance(body, dict):
        raise BadRequestError("A chat request must be a JSON object.")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequestError("A chat request needs 'messages', a list with at least one message.")
    for number, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise BadRequestError(f"messages[{number}] must be an object with a 'role'.")
    if body.get("n") not in (None, 1):
        raise BadRequestError("This gateway gives one choice a request: 'n' must be 1.")
    parameters = {k: v for k, v in body.items() if k not in _NOT_PARAMETERS and v is not None}
    asked = {"model": body["model"]} if body.get("model") not in (None, model) else {}
    for name, fixed in (("temperature", sampling.temperature), ("seed", sampling.seed)):
        if name in parameters and parameters[name] != fixed:
            asked[name] = parameters[name]
        if fixed is None:
            parameters.pop(name, None)
        else:
            parameters[name] = fixed
    options = body.get("stream_options")
    return ChatCall(
        ChatRequest(model, tuple(messages), parameters, asked),
        stream=bool(body.get("stream")),
        usage_in_stream=isinstance(options, dict) and bool(options.get("include_usage")),
    )


def check_window(request: ChatRequest, window: int | None) -> None:
    """Hold a request against a context window, by the estimate of ``memjoin.models.tokens``.

    Raises:
        ContextLengthError: Worded with the phrase that frameworks look for.
    """
    if window is None:
        return
    size = estimate_request(request)
    if size > window:
        raise ContextLengthError(
            f"This model's maximum context length is {window} tokens. "
            f"The messages come to about {size} tokens; shorten them."
        )


def completion(reply: ChatReply, number: int) -> dict[str, Any]:
    """Write a reply as a chat completion object; ``number`` makes its id."""
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": CREATED,
        "model": reply.model,
        "choices": [
            {"index": 0, "message": reply.message, "finish_reason": reply.finish_reason, "logprobs": None}
        ],
        "usage": _usage(reply.usage),
    }


def completion_events(reply: ChatReply, number: int, with_usage: bool) -> Iterator[str]:
    """Write a reply as server-sent events: the whole message, how it ended, the usage if asked for."""
    delta = {key: value for key, value in reply.message.items() if key != "tool_calls"}
    if reply.message.get("tool_calls"):
        delta["tool_calls"] = [{"index": i} | call for i, call in enumerate(reply.message["tool_calls"])]
    frame = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": reply.model,
    }
    endings: list[tuple[dict[str, Any], str | None]] = [(delta, None), ({}, reply.finish_reason)]
    for change, finish in endings:
        yield _event(frame | {"choices": [{"index": 0, "delta": change, "finish_reason": finish}]})
    if with_usage:
        yield _event(frame | {"choices": [], "usage": _usage(reply.usage)})
    yield "data: [DONE]\n\n"


def parse_embeddings(body: object) -> EmbeddingCall:
    """Read an embeddings request.

    Raises:
        BadRequestError: The body is none, or holds token numbers instead of text.
    """
    if not isinstance(body, dict):
        raise BadRequestError("An embeddings request must be a JSON object.")
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts:
        raise BadRequestError("An embeddings request needs 'input', a string or a list of strings.")
    if not all(isinstance(text, str) for text in texts):
        raise BadRequestError(
            "'input' must hold strings. Token numbers cannot be read here: tell the framework to send text "
            "(LangChain: check_embedding_ctx_length=False)."
        )
    encoding = body.get("encoding_format") or "float"
    if encoding not in ("float", "base64"):
        raise BadRequestError(f"'encoding_format' must be 'float' or 'base64', not {encoding!r}.")
    dimensions = body.get("dimensions")
    if dimensions is not None and not isinstance(dimensions, int):
        raise BadRequestError("'dimensions' must be a whole number.")
    return EmbeddingCall(texts, encoding, dimensions)


def embeddings(vectors: Vectors, call: EmbeddingCall, model: str, tokens: int) -> dict[str, Any]:
    """Write vectors, shape (texts, dimensions), as an embeddings object.

    Raises:
        BadRequestError: The request asked for another number of dimensions than the embedder has.
    """
    if call.dimensions is not None and call.dimensions != vectors.shape[1]:
        raise BadRequestError(
            f"The embedder has {vectors.shape[1]} dimensions; {call.dimensions} were asked for."
        )
    rows: list[object]
    if call.encoding == "base64":
        rows = [base64.b64encode(row.astype("<f4").tobytes()).decode("ascii") for row in vectors]
    else:
        rows = vectors.astype(np.float64).tolist()
    return {
        "object": "list",
        "model": model,
        "data": [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }


def _event(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"
