"""Where a cell's model calls go: to the ledger first, to the model if need be, and into the ledger."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping

import numpy as np

from memjoin.models.errors import ContextLengthError, ModelError, UnknownModelError
from memjoin.models.types import ChatModel, ChatReply, ChatRequest, Embedder, Role, Scope, Vectors
from memjoin.runs import keys
from memjoin.runs.budget import BudgetSpentError
from memjoin.runs.ledger import Ledger


class LedgerExchange:
    """The exchange of one attempt at one cell. May be used from several threads.

    A call that the ledger has is answered from it, also where an earlier attempt or an earlier process made
    it; any other is asked and committed before its reply is handed on. An attempt counts anew which of equal
    calls is the first, second, ...: so a case that is written again gets the replies that it got before.

    Vectors of an embedder behind an endpoint are kept by their text; those of the embedded one are computed
    again, which is faster than to read them.

    Args:
        ledger: The run's ledger.
        models: The model of each role; judges, of which there are several, by ``judge:NAME`` besides, where
            NAME is the request's model.
        embedder: What embeds texts; None where nothing will ask for it.
        replay: Whether the ledger can have any of these calls; where not, it is not asked for each.
    """

    def __init__(
        self,
        ledger: Ledger,
        models: Mapping[str, ChatModel],
        embedder: Embedder | None = None,
        *,
        replay: bool = True,
    ) -> None:
        self._ledger = ledger
        self._models = dict(models)
        self._embedder = embedder
        self._replay = replay
        self._lock = threading.Lock()
        self._asked: Counter[bytes] = Counter()
        self._unanswered: dict[bytes, ModelError] = {}

    def chat(self, scope: Scope, role: Role, request: ChatRequest) -> ChatReply:
        """Answer a request. Raises ``ModelError``, also where the role has no model, and ``LedgerError``."""
        model = self._model(role, request)
        pieces = keys.parts(request)
        call = keys.call_key(role, model.name, scope, pieces)
        with self._lock:
            occurrence = self._asked[call]
            self._asked[call] += 1
        key = keys.occurrence_key(call, occurrence)
        reply = self._ledger.reply(key) if self._replay else None
        if reply is None:
            self._ledger.must_be_open()
            began = time.monotonic()
            try:
                reply = model.complete(request)
            except ModelError as error:
                self._failed(call, role, model.name, scope, error)
                raise
            seconds = time.monotonic() - began
            self._ledger.commit_call(
                key, occurrence, role, model.name, scope, request, pieces, reply, seconds
            )
        with self._lock:
            self._unanswered.pop(call, None)
        return reply

    def embed(self, scope: Scope, texts: list[str]) -> Vectors:
        """Embed texts, shape (len(texts), dimensions). Raises ``ModelError`` and ``LedgerError``."""
        embedder = self._embedder
        if embedder is None:
            raise UnknownModelError(
                f"No embedder, which {scope.system or 'a reference'} asked for.", "Name one with --embedder."
            )
        if embedder.embedded:
            return embedder.embed(texts)
        wanted = [keys.text_key(embedder.name, text) for text in texts]
        known = self._ledger.vectors(list(dict.fromkeys(wanted)))
        new = {key: text for key, text in zip(wanted, texts, strict=True) if key not in known}
        if new:
            self._ledger.must_be_open()
            call = b"".join(new)
            began = time.monotonic()
            try:
                vectors = embedder.embed(list(new.values()))
            except ModelError as error:
                self._failed(call, "embedder", embedder.name, scope, error)
                raise
            fresh = dict(zip(new, vectors, strict=True))
            seconds = time.monotonic() - began
            self._ledger.commit_embedding(embedder.name, scope, fresh.items(), list(new.values()), seconds)
            known |= fresh
            with self._lock:
                self._unanswered.pop(call, None)
        if not texts:
            return np.zeros((0, embedder.dimensions), dtype=np.float32)
        return np.stack([known[key] for key in wanted])

    def unanswered(self) -> ModelError | None:
        """Return why a call got no reply, if one did not and was not asked again with success.

        What a memory system makes of a failing endpoint says nothing about the system: a store that lacks a
        session for this reason must not count as one that keeps little. A context window that is too short
        is not of this kind: systems are meant to deal with it.
        """
        with self._lock:
            errors = [e for e in self._unanswered.values() if not isinstance(e, ContextLengthError)]
        return errors[0] if errors else None

    def _failed(self, call: bytes, role: Role, model: str, scope: Scope, error: ModelError) -> None:
        self._missed(call, error)
        if not isinstance(error, BudgetSpentError):  # nobody was asked
            self._ledger.commit_failure(role, model, scope, error.message)

    def _missed(self, call: bytes, error: ModelError) -> None:
        with self._lock:
            self._unanswered[call] = error

    def _model(self, role: Role, request: ChatRequest) -> ChatModel:
        model = self._models.get(f"{role}:{request.model}") or self._models.get(role)
        if model is None:
            raise UnknownModelError(f"No model for the role {role}.", f"Name one with --{role}.")
        return model
