"""A budget in calls or tokens: what a run may ask of models, counted over all of its attempts."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memjoin.errors import MemJoinError
from memjoin.models.errors import ModelError
from memjoin.models.tokens import estimate_request, estimate_text
from memjoin.models.types import ChatModel, ChatReply, ChatRequest, Embedder, Vectors

_PART = re.compile(r"(\d+(?:[._]\d+)*)\s*([kMG]?)\s*(calls?|tokens?)")
_FACTORS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}


class BudgetSpentError(ModelError):
    """The next call would go beyond the budget. Nothing failed: the run stops, and can be gone on with."""

    status = 429
    type = "insufficient_quota"
    code = "insufficient_quota"
    stops_run = True


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use of models that are not embedded; None: as many as it takes. Tokens are those sent
    and received."""

    calls: int | None = None
    tokens: int | None = None

    def __str__(self) -> str:
        parts = [(self.calls, "calls"), (self.tokens, "tokens")]
        return " and ".join(f"{number:,} {what}" for number, what in parts if number is not None)


def parse_budget(text: str) -> Budget:
    """Read ``500calls``, ``2Mtokens``, or both with a comma between them; k, M and G multiply.

    Raises:
        MemJoinError: It is none.
    """
    found: dict[str, int] = {}
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        what = match[3].rstrip("s") if match else ""
        if match is None or what in found or match[1].count(".") > 1:
            raise MemJoinError(
                f"--budget {text!r} is no budget.",
                "Give a number of calls or tokens, such as 500calls, 2Mtokens or 500calls,2Mtokens "
                "(k, M and G multiply by a thousand, a million, a billion).",
            )
        found[what] = round(float(match[1].replace("_", "")) * _FACTORS[match[2]])
    return Budget(found.get("call"), found.get("token"))


class Meter:
    """Counts calls against a budget. Thread-safe.

    A call is not begun where it, or the tokens of its messages alone, would go beyond; so calls are never
    exceeded, and tokens by no more than what the replies of the calls under way have.

    Args:
        budget: The budget.
        calls: Calls that the run has used before.
        tokens: Tokens of these.
    """

    def __init__(self, budget: Budget, calls: int = 0, tokens: int = 0) -> None:
        self._budget = budget
        self._calls, self._tokens = calls, tokens
        self._lock = threading.Lock()
        self._under_way_calls = 0
        self._under_way_tokens = 0

    @property
    def used(self) -> tuple[int, int]:
        """Calls that got a reply, and their tokens."""
        with self._lock:
            return self._calls, self._tokens

    @contextmanager
    def call(self, expected: int) -> Iterator[list[int]]:
        """Make room for a call of so many tokens at least, and count it if it gets a reply: the block puts
        the tokens that it took into the list.

        Raises:
            BudgetSpentError: There is no room for it.
        """
        with self._lock:
            calls = self._calls + self._under_way_calls
            tokens = self._tokens + self._under_way_tokens
            limit = self._budget
            if (limit.calls is not None and calls + 1 > limit.calls) or (
                limit.tokens is not None and tokens + expected > limit.tokens
            ):
                raise BudgetSpentError(
                    f"The budget of {limit} is used up; the next call would go beyond it.",
                    "Give a larger --budget, or none.",
                )
            self._under_way_calls += 1
            self._under_way_tokens += expected
        taken: list[int] = []
        try:
            yield taken
        finally:
            with self._lock:
                self._under_way_calls -= 1
                self._under_way_tokens -= expected
                self._calls += bool(taken)
                self._tokens += sum(taken)


class MeteredChat:
    """A chat model whose calls count against a budget."""

    def __init__(self, model: ChatModel, meter: Meter) -> None:
        self.name = model.name
        self.deterministic = model.deterministic
        self.embedded = model.embedded
        self._model = model
        self._meter = meter

    def complete(self, request: ChatRequest) -> ChatReply:
        """Answer. Raises ``ModelError``; ``BudgetSpentError`` where the model was not asked."""
        with self._meter.call(estimate_request(request)) as taken:
            reply = self._model.complete(request)
            taken.append(reply.usage.input_tokens + reply.usage.output_tokens)
        return reply


class MeteredEmbedder:
    """An embedder whose calls count against a budget, with estimated tokens."""

    def __init__(self, embedder: Embedder, meter: Meter) -> None:
        self.name = embedder.name
        self.embedded = embedder.embedded
        self._embedder = embedder
        self._meter = meter

    @property
    def dimensions(self) -> int:
        """The length of its vectors. Raises ``ModelError``."""
        return self._embedder.dimensions

    def embed(self, texts: list[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimensions). Raises ``ModelError``."""
        tokens = sum(map(estimate_text, texts))
        with self._meter.call(tokens) as taken:
            vectors = self._embedder.embed(texts)
            taken.append(tokens)
        return vectors


def metered(
    roles: dict[str, dict[str, ChatModel]], embedder: Embedder, meter: Meter
) -> tuple[dict[str, dict[str, ChatModel]], Embedder]:
    """Return a run's models with all that are not embedded counting against a budget."""
    counted = {
        system: {role: model if model.embedded else MeteredChat(model, meter) for role, model in own.items()}
        for system, own in roles.items()
    }
    return counted, embedder if embedder.embedded else MeteredEmbedder(embedder, meter)
