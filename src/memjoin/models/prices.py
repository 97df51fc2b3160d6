"""What tokens cost: prices from a file of the user's, and nothing where the file says nothing.

MemJoin ships no prices: they change, and a stale one is worse than none. A model that the file does not name
has an *unknown* price, which is not zero. Embedded roles and the local model cost nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memjoin.errors import MemJoinError
from memjoin.models.names import is_embedded, is_local

PER = 1_000_000
"""Tokens that a price in the file is for."""

EXAMPLE = """currency = "USD"

[models]
"openai/gpt-5-mini" = { input = 0.25, output = 2.00 }
"ollama/*" = { input = 0, output = 0 }
"""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens of a model cost, sent and received."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by the names of models, as flags have them. A name that ends in ``*`` stands for all that begin
    with what is before it; the longest that fits counts."""

    currency: str = ""
    models: Mapping[str, Price] = field(default_factory=dict)

    def price(self, model: str) -> Price | None:
        """Return a model's price; None where it is not known."""
        if is_embedded(model) or is_local(model):
            return Price(0.0, 0.0)
        if model in self.models:
            return self.models[model]
        fitting = [name for name in self.models if name.endswith("*") and model.startswith(name[:-1])]
        return self.models[max(fitting, key=len)] if fitting else None

    def cost(self, model: str, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """Return what tokens of a model cost, in the file's currency; None where a part is not known."""
        price = self.price(model)
        if price == Price(0.0, 0.0) or (input_tokens == output_tokens == 0):
            return 0.0
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return (input_tokens * price.input + output_tokens * price.output) / PER

    def shown(self, cost: float | None) -> str:
        """Return a cost for people to read."""
        if cost is None:
            return "unknown"
        if not cost:
            return "0"
        return f"{cost:,.2f} {self.currency}" if cost >= 0.01 else f"under 0.01 {self.currency}"


def total(costs: Iterable[float | None]) -> float | None:
    """Return the sum of costs; None where one is not known."""
    found = list(costs)
    known = [cost for cost in found if cost is not None]
    return sum(known) if len(known) == len(found) else None


def read_prices(path: Path | None) -> Prices:
    """Read a file of prices; no prices at all where there is none.

    Raises:
        MemJoinError: It cannot be read, or is not of the form that docs/models.md describes.
    """
    if path is None:
        return Prices()
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MemJoinError(
            f"The prices in {path} cannot be read: {error.strerror}.", "Check the path."
        ) from error
    except ValueError as error:  # no TOML, or no UTF-8
        raise MemJoinError(f"{path} is no TOML: {error}.", _HINT) from error
    if extra := sorted(table.keys() - {"currency", "models"}):
        raise MemJoinError(f"{path}: unknown key {extra[0]!r}.", _HINT)
    currency, models = table.get("currency"), table.get("models")
    if not isinstance(currency, str) or not currency.strip():
        raise MemJoinError(f"{path}: 'currency' is missing or no text.", _HINT)
    if not isinstance(models, dict):
        raise MemJoinError(f"{path}: the table [models] is missing.", _HINT)
    return Prices(
        currency.strip(), {name: _price(f"{path}, {name!r}", each) for name, each in models.items()}
    )


_HINT = f"It looks like this, prices for a million tokens:\n{EXAMPLE}"


def _price(place: str, entry: Any) -> Price:
    if not isinstance(entry, dict) or entry.keys() != {"input", "output"}:
        raise MemJoinError(f"{place}: a price has 'input' and 'output', and nothing else.", _HINT)
    for name, value in entry.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise MemJoinError(f"{place}: {name!r} is {value!r}, not a number from 0 on.", _HINT)
    return Price(float(entry["input"]), float(entry["output"]))
