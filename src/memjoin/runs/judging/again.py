"""Judging again: the answers of a run by another panel, without asking the reader for anything.

A panel lives in a folder of its own inside the run's, ``panels/NAME``, with its manifest and its ledger. The
run's own ledger is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memjoin.errors import MemJoinError
from memjoin.judging.consensus import Consensus, consensus
from memjoin.judging.panel import Lost
from memjoin.judging.prompt import Wording, digests
from memjoin.judging.verdict import VerdictRow, Vote
from memjoin.models.types import ChatModel, Scope
from memjoin.runs.budget import Budget
from memjoin.runs.cell import Cell
from memjoin.runs.config import difference
from memjoin.runs.folder import MANIFEST, RunFolder, claim, read_manifest
from memjoin.runs.judging import records
from memjoin.runs.judging.ask import Progress, Question, ask_all, within
from memjoin.runs.judging.panel import Panel, panel_of
from memjoin.runs.ledger import Answered, Ledger
from memjoin.runs.reader import Run

OWN = "run"
"""The name of the panel that a run was made with."""
NOT_JUDGED = "not judged by this panel yet"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a panel says of one answer of a run, and on which of its fields it agreed.

    ``answer`` is None, and so is ``consensus``, where there is no answer or the panel has not judged it.
    """

    row: VerdictRow
    answer: str | None
    ballots: tuple[Vote | Lost, ...]
    consensus: Consensus | None


@dataclass(frozen=True, slots=True)
class Judged:
    """A run's answers as one panel sees them, in the plan's order."""

    name: str
    panel: Panel
    known: Mapping[str, Any]
    """What each judge was found to be worth, as the manifest has it."""
    opinions: tuple[Opinion, ...]

    @property
    def rows(self) -> list[VerdictRow]:
        """The verdict table."""
        return [opinion.row for opinion in self.opinions]


def judge_again(
    path: Path,
    panel: Panel,
    models: Mapping[str, ChatModel],
    *,
    name: str = "",
    threads: int = 8,
    budget: Budget | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Judged:
    """Have a panel judge every answer of a run, or what is left of them, and return all that it says.

    What is judged is committed as it comes; an answer that the run has replaced since is judged anew.

    Args:
        path: The run's folder.
        panel: The judges.
        models: Those that are models, as ``find_models`` gives them.
        name: The panel's name in the run; by default made from its judges'.
        threads: How many answers are judged at once, where any judge is a model.
        budget: What the panel may use of models, earlier attempts included.
        report: Gets the progress.

    Raises:
        BudgetSpentError: The budget is used up; what was judged is kept.
        ModelError: A model fails for good, or at several answers in a row.
        MemJoinError: There is no such run; the name belongs to another panel; the ledger cannot be written.
    """
    name = name or panel.name
    if name == OWN:
        raise MemJoinError(f"{OWN!r} is the panel that the run was made with.", "Choose another --name.")
    _must_be_the_same(path / "panels" / name, panel)
    with (
        Run(path) as run,
        Ledger(run.folder.ledger, read_only=True) as source,
        claim(path / "panels", name, manifest(panel)) as folder,
        Ledger(folder.ledger) as ledger,
    ):
        models = within(budget, models, ledger)
        waiting: dict[Scope, tuple[VerdictRow, Answered]] = {}
        for row in run.rows():
            cell, place = Cell(row.system, row.case, row.trial), row.place
            answered = source.answer(cell, row.place) if row.status != "missing" else None
            if answered is None:
                continue
            had = ledger.verdict(cell, place)
            if had is not None and had.status == "ok" and ledger.answer(cell, place) == answered:
                continue
            waiting[Scope(*cell.place, "answer", place)] = (row, answered)
        questions = [
            Question(scope, run.cases[row.case], answered.answer)
            for scope, (row, answered) in waiting.items()
        ]
        asked = ask_all(questions, panel, models, ledger, threads=threads, report=report)
        for question, said in asked:
            row, answered = waiting[question.scope]
            verdict = _with(row, said.consensus)
            ledger.commit_verdict(Cell(row.system, row.case, row.trial), answered, said.ballots, verdict)
    return opened(path, name)


def _must_be_the_same(folder: Path, panel: Panel) -> None:
    if not (folder / MANIFEST).exists():
        return
    changes = difference(read_manifest(folder)["configuration"], panel.plain())
    if changes:
        raise MemJoinError(
            "\n".join([f"The panel {folder} is another one:", *(f"  {change}" for change in changes)]),
            "Give this one a --name of its own, or remove that folder; the run itself does not need it.",
        )


def manifest(panel: Panel) -> dict[str, Any]:
    """Return what the manifest of a panel says: who judges, in which words, and how far to trust them."""
    return {
        "configuration": panel.plain(),
        "prompts": digests(panel.wording) if panel.models else {},
        "judges": records.of_panel(panel.judges, panel.wording),
    }


def panels(path: Path) -> list[str]:
    """Return the names of the panels that have judged a run's answers, its own first."""
    folder = path / "panels"
    found = sorted(each.parent.name for each in folder.glob(f"*/{MANIFEST}")) if folder.is_dir() else []
    return [OWN, *found]


def opened(path: Path, name: str) -> Judged:
    """Return what a panel says of a run's answers; ``run`` names the run's own.

    Raises:
        MemJoinError: There is no such run, or the run no such panel.
    """
    with Run(path) as run, Ledger(run.folder.ledger, read_only=True) as source:
        if name == OWN:
            panel = panel_of(run.config.judges)
            known = run.manifest.get("judges") or records.of_panel(panel.judges)
            return Judged(OWN, panel, known, tuple(_own(run, source)))
        if name not in panels(path):
            raise MemJoinError(f"The run {path} has no panel {name!r}.", f"It has {', '.join(panels(path))}.")
        folder = RunFolder(path / "panels" / name)
        found = read_manifest(folder.path)
        wording: Wording = "second" if found["configuration"].get("wording") == "second" else "first"
        panel = panel_of(found["configuration"]["judges"], wording)
        with Ledger(folder.ledger, read_only=True) as ledger:
            return Judged(name, panel, found.get("judges") or {}, tuple(_others(run, source, ledger)))


def _own(run: Run, source: Ledger) -> Iterator[Opinion]:
    for row in run.rows():
        cell = Cell(row.system, row.case, row.trial)
        answered = source.answer(cell, row.place) if row.status != "missing" else None
        ballots = tuple(source.votes(cell, row.place)) if answered else ()
        yield Opinion(row, answered.answer if answered else None, ballots, _agreed(ballots))


def _others(run: Run, source: Ledger, ledger: Ledger) -> Iterator[Opinion]:
    for row in run.rows():
        cell, place = Cell(row.system, row.case, row.trial), row.place
        answered = source.answer(cell, row.place) if row.status != "missing" else None
        if answered is None:
            yield Opinion(row, None, (), None)
        elif ledger.answer(cell, place) != answered:
            nothing = replace(_with(row, _NOTHING), status="missing", reason=NOT_JUDGED)
            yield Opinion(nothing, None, (), None)
        else:
            ballots = tuple(ledger.votes(cell, place))
            agreed = _agreed(ballots)
            yield Opinion(_with(row, agreed or _NOTHING), answered.answer, ballots, agreed)


def _agreed(ballots: Sequence[Vote | Lost]) -> Consensus | None:
    votes = [ballot for ballot in ballots if isinstance(ballot, Vote)]
    return consensus(votes, len(ballots)) if ballots else None


def _with(row: VerdictRow, said: Consensus) -> VerdictRow:
    """Return a row of the run with another panel's verdict; what store and input keep stays."""
    return replace(
        row,
        status=said.status,
        reason=said.reason,
        level=said.level,
        inappropriate=said.inappropriate,
        completed=said.completed,
        refusal=said.refusal,
        grade=said.grade,
        ties=said.ties,
    )


_NOTHING = Consensus("invalid", NOT_JUDGED, *(None,) * 9)
