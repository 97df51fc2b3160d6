"""All tables of a run, in the order in which they should be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memjoin.analysis.builders import answers, groups, memory, pairs
from memjoin.analysis.builders.pairs import LossCount
from memjoin.analysis.design import Design
from memjoin.analysis.frame import GROUPINGS
from memjoin.analysis.results import Results, compute
from memjoin.analysis.table import Table
from memjoin.judging.verdict import VerdictRow

MAIN = ("memory", "disclosure", "utility", "losses")
"""The tables that a run ends with; the others are in its files only."""


def tables(rows: Iterable[VerdictRow], design: Design, losses: Sequence[LossCount] = ()) -> list[Table]:
    """Return every table of a run.

    Args:
        rows: The run's verdicts.
        design: What the run planned.
        losses: What systems lost while writing, if known.

    Raises:
        VerdictTableError: The rows contradict each other or the plan.
        MemJoinError: The design has no case.
    """
    return tables_of(compute(rows, design), losses)


def tables_of(results: Results, losses: Sequence[LossCount] = ()) -> list[Table]:
    """Return every table of what a run found.

    Where an embedded role answered or judged, the tables of what memory keeps come first: the rest is then
    the pipeline at work, not a language model.

    Raises:
        VerdictTableError: Counts that partition something do not add up.
    """
    frame, drawn = results.frame, results.drawn
    of_memory = [memory.memory(frame, drawn), memory.kept(frame)]
    of_answers = [
        answers.disclosure(results),
        answers.utility(results),
        answers.levels(frame),
        answers.completion(results),
        *pairs.compared(results),
    ]
    return [
        *(of_memory + of_answers if results.design.pipeline_only else of_answers + of_memory),
        *([pairs.losses(losses)] if losses else []),
        groups.configurations(frame),
        *(groups.by_group(frame, grouping, drawn) for grouping in GROUPINGS),
    ]
