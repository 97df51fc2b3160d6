"""The plainest exchange: it asks, and keeps nothing."""

from __future__ import annotations

from collections.abc import Mapping

from memjoin.models.errors import UnknownModelError
from memjoin.models.types import ChatModel, ChatReply, ChatRequest, Embedder, Role, Scope, Vectors


class DirectExchange:
    """Passes each call to the model of its role. Used by contract checks, tests, and for one's own use.

    Args:
        models: The model of each role that will be asked.
        embedder: What embeds texts; None where nothing will ask for it.
    """

    def __init__(self, models: Mapping[Role, ChatModel], embedder: Embedder | None = None) -> None:
        self._models = dict(models)
        self._embedder = embedder

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        """Ask the model of a role. Raises ``ModelError``, also where the role has no model."""
        if role not in self._models:
            raise UnknownModelError(
                f"No model for the role {role}, which {scope.system or 'a reference'} asked for.",
                f"Name one with --{role}.",
            )
        return self._models[role].complete(request)

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        """Embed texts, shape (len(texts), dimensions). Raises ``ModelError``, also without an embedder."""
        if self._embedder is None:
            raise UnknownModelError(
                f"No embedder, which {scope.system or 'a reference'} asked for.",
                "Name one with --embedder.",
            )
        return self._embedder.embed(texts)
