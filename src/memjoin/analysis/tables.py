"""All tables of a run, in the order in which they should be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memjoin.analysis.bootstrap import weights
from memjoin.analysis.builders import answers, groups, memory, pairs
from memjoin.analysis.builders.pairs import LossCount
from memjoin.analysis.design import Design
from memjoin.analysis.frame import GROUPINGS, frame
from memjoin.analysis.table import Table
from memjoin.errors import MemJoinError
from memjoin.judging.verdict import VerdictRow

MAIN = ("memory", "disclosure", "utility", "losses")
"""The tables that a run ends with; the others are in its files only."""


def tables(rows: Iterable[VerdictRow], design: Design, losses: Sequence[LossCount] = ()) -> list[Table]:
    """Return every table of a run.

    Where an embedded role answered or judged, the tables of what memory keeps come first: the rest is then
    the pipeline at work, not a language model.

    Args:
        rows: The run's verdicts.
        design: What the run planned.
        losses: What systems lost while writing, if known.

    Raises:
        VerdictTableError: The rows contradict each other or the plan.
        MemJoinError: The design has no case.
    """
    if not design.cases:
        raise MemJoinError("A run without cases has no tables.", "Select at least one case.")
    verdicts = frame(rows, design)
    drawn = weights(len(design.cases), design.resamples, design.seed)
    comparisons = pairs.retrieved_vs_history(verdicts, drawn)
    of_memory = [memory.memory(verdicts, drawn), memory.kept(verdicts)]
    of_answers = [
        answers.disclosure(verdicts, drawn, comparisons),
        answers.utility(verdicts, drawn),
        answers.levels(verdicts),
        answers.completion(verdicts),
    ]
    if comparisons:
        of_answers.append(pairs.paired(verdicts, comparisons))
    return [
        *(of_memory + of_answers if design.pipeline_only else of_answers + of_memory),
        *([pairs.losses(losses)] if losses else []),
        groups.configurations(verdicts),
        *(groups.by_group(verdicts, grouping, drawn) for grouping in GROUPINGS),
    ]
