"""The embedded writer: answers a memory framework's own prompts without a language model.

What it remembers is chosen by ``memjoin.text.salience`` for all frameworks alike. In which form a framework
wants it is the business of a responder in the system's folder; for prompts that no responder knows there is
``memjoin.models.generic``, and then a refusal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from memjoin.models import generic
from memjoin.models.errors import UnknownPromptError
from memjoin.models.tokens import BYTES_PER_TOKEN, estimate_messages, estimate_request, estimate_text
from memjoin.models.types import ChatReply, ChatRequest, Message, Usage

Responder: TypeAlias = Callable[[dict[str, Any]], Mapping[str, Any] | None]
"""From an OpenAI chat request's body to the assistant's message; None: not a prompt that it knows."""

NAME = "embedded/writer"


class EmbeddedWriter:
    """A chat model that answers with what the conversation in its prompt says.

    Args:
        responder: Knows one framework's prompts; None: generic answers only.
    """

    name = NAME
    deterministic = True
    embedded = True

    def __init__(self, responder: Responder | None = None) -> None:
        self._responder = responder

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer a request.

        Raises:
            UnknownPromptError: Neither the responder nor the generic answers know this prompt.
        """
        body = {"model": request.model, "messages": list(request.messages), **request.parameters}
        message = self._responder(body) if self._responder else None
        if message is None:
            message = generic.respond(body)
        if message is None:
            raise UnknownPromptError(
                f"No embedded writer knows this prompt: {_beginning(request)!r}.",
                "Name a model with --writer, or give the system a responder.",
            )
        return _cut(make_reply(dict(message), request, NAME), request)


def make_reply(message: Message, request: ChatRequest, model: str) -> ChatReply:
    """Return an assistant's message as a reply, its usage estimated."""
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    usage = Usage(estimate_request(request), estimate_messages([message]), estimated=True)
    return ChatReply({"role": "assistant", "content": None} | message, finish, usage, model)


def _cut(reply: ChatReply, request: ChatRequest) -> ChatReply:
    """Stop where the request's limit of output tokens stops an endpoint, too: in the middle."""
    limit = request.parameters.get("max_completion_tokens") or request.parameters.get("max_tokens")
    content = reply.message.get("content")
    if not isinstance(limit, int) or not isinstance(content, str) or estimate_text(content) <= limit:
        return reply
    cut = content.encode()[: limit * BYTES_PER_TOKEN].decode("utf-8", "ignore")
    usage = replace(reply.usage, output_tokens=limit)
    return replace(reply, message=reply.message | {"content": cut}, finish_reason="length", usage=usage)


def _beginning(request: ChatRequest) -> str:
    content = request.messages[0].get("content")
    text = content if isinstance(content, str) else json.dumps(content)
    return text if len(text) <= 80 else text[:77] + "..."
