"""An estimate of tokens, for context windows, plans and replies whose endpoint does not count.

One token for every four bytes of UTF-8, rounded up, and four for the frame of each message: within about a
fifth of common tokenizers on English, on the safe side for other scripts. It is an estimate on purpose: the
tokenizers of the models under test are many, and most are not public.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from memjoin.models.types import ChatRequest, Message

BYTES_PER_TOKEN = 4
FRAME_TOKENS = 4


def estimate_text(text: str) -> int:
    """Estimate the tokens of a text."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_PER_TOKEN)


def estimate_messages(messages: Iterable[Message]) -> int:
    """Estimate the tokens of messages, tool calls included."""
    return sum(FRAME_TOKENS + _estimate_message(message) for message in messages)


def estimate_request(request: ChatRequest) -> int:
    """Estimate the input tokens of a request: its messages, tools and schema."""
    total = estimate_messages(request.messages)
    for name in ("tools", "functions", "response_format"):
        if name in request.parameters:
            total += estimate_text(json.dumps(request.parameters[name], ensure_ascii=False))
    return total


def _estimate_message(message: Message) -> int:
    content = message.get("content")
    if isinstance(content, str):
        total = estimate_text(content)
    elif content:
        total = estimate_text(json.dumps(content, ensure_ascii=False))
    else:
        total = 0
    if message.get("tool_calls"):
        total += estimate_text(json.dumps(message["tool_calls"], ensure_ascii=False))
    return total
