"""Qualifies a judge: asks it about every labelled answer, and compares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memjoin.judging.lexical import NAME as LEXICAL
from memjoin.judging.lexical import lexical_vote
from memjoin.judging.panel import Lost
from memjoin.judging.prompt import Wording
from memjoin.judging.qualification.answers import LabelledAnswer, Part, labelled_cases, load, parts
from memjoin.judging.qualification.baselines import BASELINES
from memjoin.judging.qualification.score import Score, below, score
from memjoin.judging.verdict import Vote
from memjoin.models.types import ChatModel, Scope
from memjoin.runs.budget import Budget
from memjoin.runs.judging import records
from memjoin.runs.judging.ask import Progress, Question, ask_all, within
from memjoin.runs.judging.panel import Panel
from memjoin.runs.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Qualification:
    """A judge, and the baselines, by part of the set; and the result that is kept."""

    judge: str
    wording: Wording
    scores: Mapping[Part, Score]
    baselines: Mapping[str, Mapping[Part, Score]]
    result: records.Qualified


def qualify(
    judge: str,
    models: Mapping[str, ChatModel],
    *,
    wording: Wording = "first",
    threads: int = 8,
    budget: Budget | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Qualification:
    """Ask a judge about the whole set, compare, and keep the result where runs find it.

    The calls are kept in a ledger beside the result: a second attempt asks only what is missing.

    Args:
        judge: Its name, ``lexical`` or a model's.
        models: The model, as ``find_models`` gives it.
        wording: In which wording of the prompt a model is asked.
        threads: How many answers are judged at once by a model.
        budget: What the judge may use, earlier attempts included; None: as much as it takes.
        report: Gets the progress.

    Raises:
        BudgetSpentError: The budget is used up; what was answered is kept.
        ModelError: The model fails for good, or at several answers in a row.
        MemJoinError: The ledger or the result cannot be written.
    """
    labelled = load()
    if judge == LEXICAL:
        votes: list[Vote | Lost] = [
            lexical_vote(labelled_cases()[each.case], each.answer) for each in labelled
        ]
    else:
        votes = _asked(labelled, Panel((judge,), wording), models, threads, budget, report)
    found = of_votes(judge, wording, labelled, votes)
    if judge != LEXICAL:
        records.keep(found.result, wording)
    return found


def of_votes(
    judge: str, wording: Wording, labelled: Sequence[LabelledAnswer], votes: Sequence[Vote | Lost]
) -> Qualification:
    """Compare the votes of a judge, one on each labelled answer, with the labels.

    The bar is held against all answers; of the lexical judge, whose rules were written with the development
    part in view, against those held out, where there are any.
    """
    cases = labelled_cases()
    baselines = {
        name: {
            part: score(*_of(part, labelled, [vote(cases[each.case], each.answer) for each in labelled]))
            for part in parts()
        }
        for name, vote in BASELINES.items()
    }
    by_part = {part: score(*_of(part, labelled, votes)) for part in parts()}
    held: Part | None = "held out" if judge == LEXICAL and "held out" in parts() else None
    whole = score(*_of(held, labelled, votes))
    trivial = [
        score(*_of(held, labelled, [vote(cases[each.case], each.answer) for each in labelled]))
        for vote in BASELINES.values()
    ]
    result = records.Qualified(
        judge=judge,
        answers=whole.answers,
        found=whole.full - len(whole.missed),
        full=whole.full,
        false=len(whole.false),
        less=whole.less,
        level=whole.counts["level"].right,
        below=tuple(below(whole, trivial)),
        key=records.key_of(judge, wording),
    )
    return Qualification(judge, wording, by_part, baselines, result)


def _of(
    part: Part | None, labelled: Sequence[LabelledAnswer], votes: Sequence[Vote | Lost]
) -> tuple[list[LabelledAnswer], list[Vote | Lost]]:
    chosen = [at for at, each in enumerate(labelled) if part is None or each.part == part]
    return [labelled[at] for at in chosen], [votes[at] for at in chosen]


def _asked(
    labelled: Sequence[LabelledAnswer],
    panel: Panel,
    models: Mapping[str, ChatModel],
    threads: int,
    budget: Budget | None,
    report: Callable[[Progress], None],
) -> list[Vote | Lost]:
    cases = labelled_cases()
    folder = records.folder_of(panel.judges[0], panel.wording)
    folder.mkdir(parents=True, exist_ok=True)
    questions = [
        Question(Scope("", each.case, 0, "qualify", each.id), cases[each.case], each.answer)
        for each in labelled
    ]
    found: dict[str, Vote | Lost] = {}
    with Ledger(folder / "ledger.sqlite") as ledger:
        models = within(budget, models, ledger)
        for question, said in ask_all(questions, panel, models, ledger, threads=threads, report=report):
            found[question.scope.condition] = said.ballots[0]
    return [found[each.id] for each in labelled]
