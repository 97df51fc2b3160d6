"""Trying the contract of memory systems on one system: the gateway, its models, and faults on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memjoin.models.direct import DirectExchange
from memjoin.models.faults import FAULTS, PROSE, Fault, FaultKind, FaultyExchange
from memjoin.models.gateway import CHAT_MODEL, EMBEDDING_MODEL, Gateway
from memjoin.models.names import resolve_chat, resolve_embedder
from memjoin.models.types import ChatModel, ChatRequest, Embedder, Scope
from memjoin.systems import environments, registry
from memjoin.systems.contract.bench import Bench, Finding
from memjoin.systems.contract.points import check
from memjoin.systems.launch import OpenSystem, open_system
from memjoin.systems.process import Timeouts
from memjoin.systems.protocol import Settings
from memjoin.systems.spec import SystemSpec

_KINDS: dict[str, FaultKind] = {kind: kind for kind in FAULTS if kind != "content"}


def check_system(
    spec: SystemSpec,
    *,
    writer: str = "embedded",
    embedder: str = "embedded",
    timeouts: Timeouts | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Iterator[Finding]:
    """Try every point of the contract on a system, and yield each finding as it is there.

    Args:
        spec: The system, from :func:`memjoin.systems.registry.find`.
        writer: The model that answers its chat calls; see docs/models.md for names.
        embedder: What embeds for it.
        timeouts: Seconds that a call to the system may take.
        report: Gets a line at every step that takes time.

    Raises:
        MemJoinError: The system or a model cannot be had at all.
    """
    model = resolve_chat(writer, "writer", responder=registry.load_responder(spec))
    vectors = resolve_embedder(embedder)
    environments.ensure(spec, report)
    with Gateway(DirectExchange({"writer": model}, vectors)) as gateway:
        yield from check(lambda: open_bench(spec, gateway, model, vectors, timeouts))


@contextmanager
def open_bench(
    spec: SystemSpec,
    gateway: Gateway,
    model: ChatModel,
    embedder: Embedder,
    timeouts: Timeouts | None = None,
) -> Iterator[Bench]:
    """Open a system on a gateway, with models that can be made to answer badly; close it at the end.

    Args:
        spec: The system.
        gateway: A gateway that was started.
        model: What answers its chat calls.
        embedder: What embeds for it.
        timeouts: Seconds that a call to the system may take.
    """
    bench = _Bench()
    exchange = FaultyExchange(DirectExchange({"writer": model}, embedder), bench.plan)
    connection = gateway.connect(Scope(spec.name, "contract", 0), exchange=exchange)
    settings = Settings(
        connection.base_url, connection.api_key, CHAT_MODEL, EMBEDDING_MODEL, embedder.dimensions, home=""
    )
    try:
        with open_system(spec, settings, timeouts=timeouts) as system:
            bench.system = system
            yield bench
    finally:
        connection.close()


class _Bench:
    """A system, and the switch for faults. The gateway's threads read what the check's thread sets."""

    prose = PROSE
    faults = tuple(_KINDS)

    def __init__(self) -> None:
        self.system: OpenSystem
        self.chat_calls = 0
        self._fault: Fault | None = None
        self._number: int | None = None
        self._since = 0

    def spoil(self, fault: str, number: int | None) -> None:
        """From now on answer with a fault: the call of this number counted from now, or all (None)."""
        self._since, self._number, self._fault = self.chat_calls, number, Fault(_KINDS[fault])

    def heal(self) -> None:
        """From now on answer well."""
        self._fault = None

    def plan(self, number: int, scope: Scope, request: ChatRequest) -> Fault | None:
        """Count a chat call and return the fault that it gets."""
        self.chat_calls = max(self.chat_calls, number)
        return self._fault if self._number in (None, number - self._since) else None
