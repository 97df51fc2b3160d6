"""What a run has used so far: calls, tokens and cost, by role, model and system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memjoin.models import names
from memjoin.models.prices import Prices, total
from memjoin.runs.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Spent:
    """The calls of one role to one model, for one system (empty: references), that got a reply.

    Attributes:
        role: writer, reader, judge, filter or embedder.
        model: Its name.
        system: The memory system.
        calls: Calls; one that had to be tried several times counts once.
        input_tokens: Tokens that were sent.
        output_tokens: Tokens that came back.
        estimated: Whether the endpoint left some of the tokens to be estimated.
        embedded: Whether it is one of MemJoin's own rules, which cost nothing.
        cost: In the currency of the prices; None where the price is not known.
    """

    role: str
    model: str
    system: str
    calls: int
    input_tokens: int
    output_tokens: int
    estimated: bool
    embedded: bool
    cost: float | None


@dataclass(frozen=True, slots=True)
class Usage:
    """All that a run has used.

    Attributes:
        spent: By role, model and system.
        dropped: Parameters that were not sent, because a model refuses them: (role, model, parameter).
        currency: Of the costs; empty without prices.
    """

    spent: tuple[Spent, ...]
    dropped: tuple[tuple[str, str, str], ...]
    currency: str

    @property
    def asked(self) -> tuple[Spent, ...]:
        """What went to language models and embedders that are not embedded."""
        return tuple(each for each in self.spent if not each.embedded)

    @property
    def calls(self) -> int:
        """Calls to these."""
        return sum(each.calls for each in self.asked)

    @property
    def tokens(self) -> int:
        """Their tokens, sent and received."""
        return sum(each.input_tokens + each.output_tokens for each in self.asked)

    @property
    def cost(self) -> float | None:
        """What they cost; None where a price is not known."""
        return total(each.cost for each in self.asked)


def usage(ledger: Ledger, prices: Prices) -> Usage:
    """Return what the run of a ledger has used so far, earlier attempts included."""
    spent = tuple(
        Spent(
            used.role,
            used.model,
            used.system,
            used.calls,
            used.input_tokens,
            used.output_tokens,
            used.estimated,
            names.is_embedded(used.model),
            prices.cost(used.model, used.input_tokens, used.output_tokens),
        )
        for used in ledger.used()
    )
    return Usage(spent, tuple(ledger.dropped()), prices.currency)


def merged(spent: Iterable[Spent]) -> list[Spent]:
    """Return what was used by role and model, all systems together."""
    found: dict[tuple[str, str], list[Spent]] = {}
    for each in spent:
        found.setdefault((each.role, each.model), []).append(each)
    return [
        Spent(
            role,
            model,
            "",
            sum(each.calls for each in some),
            sum(each.input_tokens for each in some),
            sum(each.output_tokens for each in some),
            any(each.estimated for each in some),
            some[0].embedded,
            total(each.cost for each in some),
        )
        for (role, model), some in found.items()
    ]
