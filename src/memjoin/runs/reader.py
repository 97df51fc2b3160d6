"""Reads a run, finished or not, without touching it: for tables, reports, and a look at one case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from memjoin.cases.schema import Case
from memjoin.conditions.views import condition as find_condition
from memjoin.errors import MemJoinError
from memjoin.judging.panel import Lost
from memjoin.judging.rows import missing
from memjoin.judging.verdict import VerdictRow, Vote
from memjoin.models.prices import Prices
from memjoin.runs.arms import Arm, arms_of, read_arm
from memjoin.runs.cell import Cell, CellOutcome, StoredMemory
from memjoin.runs.cells import conditions_of
from memjoin.runs.codec import encode
from memjoin.runs.config import RunConfig, from_plain
from memjoin.runs.folder import RunFolder, read_manifest
from memjoin.runs.ledger import Ledger
from memjoin.runs.plan import cells, each_cell
from memjoin.runs.usage import Usage, usage
from memjoin.systems.protocol import Loss

NOT_RUN = "not run yet"


@dataclass(frozen=True, slots=True)
class LostMemory:
    """Something that a memory system lost while it wrote a session, as it or its adapter reported."""

    cell: Cell
    session: str
    loss: Loss


@dataclass(frozen=True, slots=True)
class Story:
    """One answer from its sessions to its verdict.

    Attributes:
        case: The case, annotation included.
        cell: Whose answer it is.
        condition: Under which condition, with the intervention, if any, after a plus sign.
        memory: What the system stored and retrieved; None for references.
        items: What the reader was given beside the task; None where it was given no memory at all, or
            never asked.
        answer: The reader's answer; None if it never gave one.
        ballots: The votes, in the panel's order.
        verdict: The verdict; of an answer that was never had, a missing one.
        original: The answer before a filter; None where none was applied.
    """

    case: Case
    cell: Cell
    condition: str
    memory: StoredMemory | None
    items: tuple[str, ...] | None
    answer: str | None
    ballots: tuple[Vote | Lost, ...]
    verdict: VerdictRow
    original: str | None = None


class Run:
    """A run's folder, opened for reading. A context manager.

    Args:
        path: The folder.

    Raises:
        MemJoinError: It is no folder of a run, or its manifest is unreadable or of another version.
        LedgerError: Its ledger is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.folder = RunFolder(path)
        self.manifest: dict[str, Any] = read_manifest(path)
        try:
            self.config: RunConfig = from_plain(self.manifest["configuration"])
        except ValueError as error:
            raise MemJoinError(
                f"{self.folder.manifest} was written by another version: {error}.",
                "Use the MemJoin that wrote it.",
            ) from error
        self._ledger = Ledger(self.folder.ledger, read_only=True)
        # What was not run yet comes case by case, many arms of each.
        self._case = lru_cache(maxsize=1)(self._read_case)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()

    @cached_property
    def cases(self) -> dict[str, Case]:
        """The cases of the run by their ids, all of them in memory."""
        return {case.id: case for case in self._ledger.cases()}

    def digests(self) -> dict[str, bytes]:
        """Return a digest of every case with its annotation, by its id: equal where the cases are."""
        return {case.id: blake2b(encode(Case, case).encode()).digest() for case in self._ledger.cases()}

    def rows(self) -> Iterator[VerdictRow]:
        """Return the verdict table, one row after the other: a row for every answer that the run plans, in
        the plan's order. None is kept, so that memory does not grow with their number.
        """
        config = self.config
        for cell in each_cell(config):
            found = {row.place: row for row in self._ledger.verdicts(cell)}
            for arm in arms_of(cell, config.conditions, config.interventions):
                yield found.get(arm.place) or self._not_run(cell, arm)

    def outcomes(self) -> list[CellOutcome]:
        """Return how the cells ended that did, in the plan's order."""
        found = {outcome.cell: outcome for outcome in self._ledger.outcomes()}
        return [found[cell] for cell in cells(self.config) if cell in found]

    def memories(self) -> Iterator[tuple[Cell, StoredMemory]]:
        """Return every store with what was retrieved from it, one after the other, by system and case."""
        return self._ledger.memories()

    def losses(self) -> Iterator[LostMemory]:
        """Return all that systems lost, one after the other, by system, case and session."""
        for cell, memory in self.memories():
            for report in memory.reports:
                for loss in report.report.losses:
                    yield LostMemory(cell, report.session, loss)

    def call_counts(self) -> list[tuple[str, str, int, int, int]]:
        """Return calls by role and system: (role, system, calls, input tokens, output tokens)."""
        return self._ledger.call_counts()

    def usage(self, prices: Prices | None = None) -> Usage:
        """Return what the run has used so far: calls, tokens and cost, and what was not sent."""
        return usage(self._ledger, prices or Prices())

    def failure_counts(self) -> list[tuple[str, int]]:
        """Return what calls without a reply said, and how often."""
        return self._ledger.failure_counts()

    def story(
        self, case: str, condition: str | None = None, system: str | None = None, trial: int = 0
    ) -> Story:
        """Return all there is about one answer.

        Args:
            case: The case's id.
            condition: The input condition, with an intervention or none (``retrieved+M1``); None: the run's
                first that suits the system.
            system: The memory system, by its name in the run or without its configuration; None: the run's
                first, if the condition has one.
            trial: From 0 on.

        Raises:
            MemJoinError: The run has no such case, condition, system or trial.
        """
        config = self.config
        self._must_have("case", case, config.cases)
        if condition is None:
            suited = conditions_of(Cell("any", case, trial), config.conditions)
            condition = suited[0] if suited else config.conditions[0]
        self._must_have("condition", condition, (*config.conditions, *config.interventions))
        arm = read_arm(condition)
        if find_condition(arm.condition).reference:
            if system is not None:
                raise MemJoinError(f"The condition {condition} has no memory system.", "Leave --system out.")
            system = ""
        else:
            system = self._system(system)
        if not 0 <= trial < self.config.trials:
            raise MemJoinError(
                f"The run {self.folder.path} has no trial {trial + 1}.",
                f"Trials: 1 to {self.config.trials}.",
            )
        cell = Cell(system, case, trial)
        answered = self._ledger.answer(cell, condition)
        return Story(
            case=self._case(case),
            cell=cell,
            condition=condition,
            memory=self._ledger.memory(cell) if system else None,
            items=answered.items if answered else None,
            answer=answered.answer if answered else None,
            ballots=tuple(self._ledger.votes(cell, condition)),
            verdict=self._ledger.verdict(cell, condition) or self._not_run(cell, arm),
            original=self._original(cell, arm),
        )

    def _not_run(self, cell: Cell, arm: Arm) -> VerdictRow:
        return missing(
            self._case(cell.case),
            system=cell.system,
            condition=arm.condition,
            intervention=arm.intervention,
            trial=cell.trial,
            reason=NOT_RUN,
        )

    def _original(self, cell: Cell, arm: Arm) -> str | None:
        # From the manifest: a run can be read where the programs of its own interventions are not.
        described = self.manifest.get("interventions", {})
        names = arm.intervention.split("+") if arm.intervention else []
        kept = [name for name in names if not described.get(name, {}).get("filter")]
        if kept == names:
            return None
        unfiltered = arm._replace(intervention="+".join(kept))
        answered = self._ledger.answer(cell, unfiltered.place)
        return answered.answer if answered else None

    def _read_case(self, name: str) -> Case:
        found = self._ledger.case(name)
        if found is None:
            raise MemJoinError(
                f"The ledger of {self.folder.path} lacks the case {name}, which its manifest names.",
                "Run the same command again.",
            )
        return found

    def _system(self, name: str | None) -> str:
        systems = self.config.systems
        if name is None:
            return systems[0]
        alike = [system for system in systems if system.partition(":")[0] == name]
        if len(alike) == 1:
            return alike[0]
        self._must_have("system", name, systems)
        return name

    def _must_have(self, what: str, name: str, names: tuple[str, ...]) -> None:
        if name not in names:
            raise MemJoinError(
                f"The run {self.folder.path} has no {what} {name!r}.",
                f"It has {', '.join(names) or 'none'}.",
            )
