"""One system's connection to the gateway: whose calls they are, how many, and what went wrong."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from memjoin.models.types import Exchange, Scope, Usage
from memjoin.models.wire import Sampling

KEPT_ERRORS = 100


@dataclass(frozen=True, slots=True)
class Counts:
    """Calls that a connection made. Tokens are those of answered calls, embeddings included.

    ``embeddings`` counts calls, ``texts`` what they embedded, ``errors`` the calls that got an error.
    """

    chat: int = 0
    embeddings: int = 0
    texts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    errors: int = 0

    def __sub__(self, earlier: Counts) -> Counts:
        """Return what was counted since ``earlier``."""
        return Counts(
            self.chat - earlier.chat,
            self.embeddings - earlier.embeddings,
            self.texts - earlier.texts,
            self.input_tokens - earlier.input_tokens,
            self.output_tokens - earlier.output_tokens,
            self.errors - earlier.errors,
        )


class Connection:
    """What a system is given, and what its calls did.

    ``scope`` may be set between calls (a session's id while writing, ``retrieve`` while retrieving); so may
    ``exchange``, ``sampling`` and ``context_window``. ``close`` makes the key worthless.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        scope: Scope,
        exchange: Exchange,
        sampling: Sampling,
        context_window: int | None,
        forget: Callable[[str], object],
    ) -> None:
        self.base_url = base_url
        self.api_key = api_key
        self.scope = scope
        self.exchange = exchange
        self.sampling = sampling
        self.context_window = context_window
        self._forget = forget
        self._lock = threading.Lock()
        self._counts = Counts()
        self._errors: deque[Exception] = deque(maxlen=KEPT_ERRORS)

    @property
    def counts(self) -> Counts:
        """What was counted so far."""
        return self._counts

    def take_errors(self) -> list[Exception]:
        """Return the errors since the last time, at most the latest 100, oldest first, and forget them.

        A framework may swallow the error that its call got; here it can be seen all the same.
        """
        with self._lock:
            errors = list(self._errors)
            self._errors.clear()
        return errors

    def close(self) -> None:
        """End the connection: further calls with its key are refused."""
        self._forget(self.api_key)

    def count_chat(self, usage: Usage) -> int:
        """Count an answered chat call; returns its number, from 1 on."""
        with self._lock:
            self._counts = replace(
                self._counts,
                chat=self._counts.chat + 1,
                input_tokens=self._counts.input_tokens + usage.input_tokens,
                output_tokens=self._counts.output_tokens + usage.output_tokens,
            )
            return self._counts.chat

    def count_embeddings(self, texts: int, tokens: int) -> None:
        """Count an answered embeddings call."""
        with self._lock:
            self._counts = replace(
                self._counts,
                embeddings=self._counts.embeddings + 1,
                texts=self._counts.texts + texts,
                input_tokens=self._counts.input_tokens + tokens,
            )

    def count_error(self, error: Exception) -> None:
        """Count a call that got an error, and keep the error."""
        with self._lock:
            self._counts = replace(self._counts, errors=self._counts.errors + 1)
            self._errors.append(error)
