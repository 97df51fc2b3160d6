"""A run from its preparation to its last cell: what `memjoin run` does before the tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from memjoin.errors import MemJoinError
from memjoin.models import names
from memjoin.models.prices import Prices
from memjoin.models.types import ChatModel, Embedder, Role, Scope
from memjoin.models.wire import Sampling
from memjoin.models.writer import Responder
from memjoin.runs.answers import Answering
from memjoin.runs.budget import Budget, Meter, metered
from memjoin.runs.cell import Cell, CellOutcome
from memjoin.runs.cells import Means, done_cells
from memjoin.runs.config import RunConfig
from memjoin.runs.database import LedgerError
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.execute import Progress, execute
from memjoin.runs.folder import RunFolder, claim
from memjoin.runs.judging.panel import members, panel_of
from memjoin.runs.ledger import Ledger
from memjoin.runs.memory import Opener, Setup
from memjoin.runs.plan import cells
from memjoin.runs.prepare import Prepared, with_earlier
from memjoin.runs.scratch import scratch
from memjoin.runs.usage import usage
from memjoin.systems import environments, registry
from memjoin.systems.launch import open_system
from memjoin.systems.process import Timeouts
from memjoin.systems.spec import SystemSpec

REMOTE_CONCURRENCY = 8
"""Cells at once where models behind endpoints do the work and this machine mostly waits."""
IN_FLIGHT = 8
"""Calls that one endpoint gets at once."""
MODEL_SECONDS = 120.0
"""How long one attempt at a model call may take."""


class Reporter(Protocol):
    """Who is told how a run gets on. Called from one thread at a time."""

    def note(self, line: str) -> None:
        """Take a line about something that takes time, such as an environment being made."""

    def progress(self, progress: Progress) -> None:
        """Take the progress, at the beginning and after every cell."""


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a run, found by their names.

    Attributes:
        roles: By system (empty: references), then by role, as ``LedgerExchange`` takes them.
        embedder: What embeds texts.
    """

    roles: dict[str, dict[str, ChatModel]]
    embedder: Embedder


@dataclass(frozen=True, slots=True)
class Finished:
    """A run whose cells have all ended. ``failed`` are those that did not yield all their answers."""

    folder: RunFolder
    failed: tuple[CellOutcome, ...]


def default_concurrency(prepared: Prepared) -> int:
    """Return how many cells to run at once: the cores, or more where models are elsewhere."""
    cores = os.cpu_count() or 1
    config = prepared.config
    roles = {config.writer, config.reader, config.embedder, *config.judges, config.filter or names.EMBEDDED}
    elsewhere = any(not names.is_embedded(name) and not names.is_local(name) for name in roles)
    return max(cores, REMOTE_CONCURRENCY) if elsewhere else cores


def find_models(prepared: Prepared, in_flight: int = IN_FLIGHT, seconds: float = MODEL_SECONDS) -> Models:
    """Return the models that a run names. Nothing is asked of them.

    Args:
        prepared: The run.
        in_flight: Calls that one endpoint gets at once.
        seconds: How long one attempt at a call may take.

    Raises:
        UnknownModelError: A key is not set, or the local model is not installed.
    """
    config = prepared.config

    def chat(name: str, role: Role, responder: Responder | None = None) -> ChatModel:
        return names.resolve_chat(name, role, responder=responder, timeout=seconds, concurrency=in_flight)

    reader = chat(config.reader, "reader")
    judges = {f"judge:{name}": chat(name, "judge") for name in config.judges if name != names.EMBEDDED}
    answering = {"reader": reader} | judges
    if config.filter:
        answering["filter"] = chat(config.filter, "filter")
    roles: dict[str, dict[str, ChatModel]] = {"": answering}
    for spec in prepared.systems:
        respond = registry.load_responder(spec) if config.writer == names.EMBEDDED else None
        writer = chat(config.writer, "writer", respond)
        roles[spec.name] = {"writer": writer} | answering
    return Models(roles, names.resolve_embedder(config.embedder, timeout=seconds, concurrency=in_flight))


def run(
    prepared: Prepared,
    *,
    root: Path,
    name: str,
    reporter: Reporter,
    concurrency: int | None = None,
    in_flight: int = IN_FLIGHT,
    model_seconds: float = MODEL_SECONDS,
    budget: Budget | None = None,
    fresh: bool = False,
    timeouts: Timeouts | None = None,
    models: Models | None = None,
    opener: Opener | None = None,
) -> Finished:
    """Run all that is left of a run, and return how it ended.

    Args:
        prepared: The run.
        root: The folder of all runs.
        name: The run's name, and its folder's.
        reporter: Is told how it gets on.
        concurrency: Cells at once; ``default_concurrency`` if None.
        in_flight: Calls that one endpoint gets at once.
        model_seconds: How long one attempt at a model call may take.
        budget: What the run may use of models that are not embedded, earlier attempts included; None: as
            much as it takes.
        fresh: Move a folder of that name aside and begin anew.
        timeouts: Seconds that calls to memory systems may take; the usual ones if None.
        models: The models; found by their names if None.
        opener: Opens a memory system; as ``memjoin.systems.launch`` does if None.

    Raises:
        BudgetSpentError: The budget is used up. What was committed stays here, too.
        MemJoinError: The folder cannot be had, a model or system cannot, or the ledger cannot be written.
            What was committed stays, and the same call goes on from it.
        KeyboardInterrupt: The user stopped it; likewise.
    """
    if not fresh:
        prepared = with_earlier(prepared, root / name)
    config = prepared.config
    with claim(root, name, prepared.manifest(), fresh=fresh) as folder:
        found = models
        if found is None and not _is_done(folder, prepared):
            found = find_models(prepared, in_flight, model_seconds)
        with Ledger(folder.ledger) as ledger:
            if found is not None:
                with _going_on(), _local_ends(config), scratch(folder.path) as place:
                    if budget is not None:
                        found = _limited(found, budget, ledger)
                    ledger.commit_cases(prepared.cases)
                    _make_environments(prepared, ledger, reporter)
                    execute(
                        cells(config),
                        {case.id: case for case in prepared.cases},
                        _means(prepared, found, ledger),
                        logs=folder.logs,
                        scratch=place,
                        concurrency=concurrency or default_concurrency(prepared),
                        opener=opener
                        or (
                            lambda spec, settings, log: open_system(
                                spec, settings, log=log, timeouts=timeouts
                            )
                        ),
                        report=reporter.progress,
                    )
            failed = [outcome for outcome in ledger.outcomes() if outcome.status == "failed"]
    return Finished(folder, tuple(sorted(failed, key=lambda outcome: outcome.cell)))


def _left(prepared: Prepared, ledger: Ledger) -> list[Cell]:
    done = done_cells(ledger, prepared.config.conditions, prepared.config.interventions)
    return [cell for cell in cells(prepared.config) if cell not in done]


def _is_done(folder: RunFolder, prepared: Prepared) -> bool:
    """Return whether nothing is left to do: then no model is needed, and no key."""
    if not folder.ledger.exists():
        return False
    with Ledger(folder.ledger) as ledger:
        return not _left(prepared, ledger)


@contextmanager
def _going_on() -> Iterator[None]:
    """Say of whatever stops a run how to go on with it."""
    try:
        yield
    except LedgerError:
        raise
    except MemJoinError as error:
        error.hint = f"{error.hint} What was answered is kept: the same command goes on from it.".strip()
        raise


@contextmanager
def _local_ends(config: RunConfig) -> Iterator[None]:
    """End the server of the local model with the run, if a call has started it."""
    try:
        yield
    finally:
        chat = (config.writer, config.reader, config.filter, *config.judges)
        if any(map(names.is_local, (*chat, config.embedder))):
            from memjoin.models import local

            local.stop()


def _limited(models: Models, budget: Budget, ledger: Ledger) -> Models:
    before = usage(ledger, Prices())
    return Models(*metered(models.roles, models.embedder, Meter(budget, before.calls, before.tokens)))


def _make_environments(prepared: Prepared, ledger: Ledger, reporter: Reporter) -> None:
    needed = {cell.system for cell in _left(prepared, ledger)}
    for spec in prepared.systems:
        if spec.name in needed:
            environments.ensure(spec, reporter.note)


def _means(prepared: Prepared, models: Models, ledger: Ledger) -> Means:
    config = prepared.config
    sampling = Sampling(config.temperature, config.seed)
    return Means(
        ledger=ledger,
        setups={spec.name: _setup(spec, config.k, sampling) for spec in prepared.systems},
        models=models.roles,
        embedder=models.embedder,
        dimensions=_dimensions(models.embedder, ledger) if prepared.systems else 0,
        answering=Answering(
            config.reader, sampling, partial(members, panel_of(config.judges)), config.filter
        ),
        conditions=config.conditions,
        treated=config.interventions,
    )


def _setup(spec: SystemSpec, k: int, sampling: Sampling) -> Setup:
    return Setup(spec, k if spec.k == "honoured" else None, sampling)


def _dimensions(embedder: Embedder, ledger: Ledger) -> int:
    if embedder.embedded:
        return embedder.dimensions
    # By the ledger, so that a resumed run does not ask again.
    vectors = LedgerExchange(ledger, {}, embedder).embed(Scope("", "", 0), ["dimensions"])
    return int(vectors.shape[1])
