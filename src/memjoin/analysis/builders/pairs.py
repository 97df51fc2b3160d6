"""Paired comparisons (the paper's Table E.4), and what systems lost while writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memjoin.analysis import measures
from memjoin.analysis.bootstrap import Weights
from memjoin.analysis.builders.common import basis, label_of_answers, roles
from memjoin.analysis.frame import Frame
from memjoin.analysis.paired import Comparison, compare
from memjoin.analysis.table import Column, Table, count, difference, label, p_value


def retrieved_vs_history(frame: Frame, drawn: Weights) -> list[Comparison]:
    """Compare each system's Retrieved memory with Full history: the family of that name.

    Empty where the run has not both conditions.
    """
    history = ("", "history")
    planned = [((system, "retrieved"), history) for system in frame.design.systems]
    if not all(treated in frame.arms and control in frame.arms for treated, control in planned):
        return []
    return compare(frame, planned, measures.disclosed, drawn)


def paired(frame: Frame, comparisons: Sequence[Comparison]) -> Table:
    """Return the comparisons of Retrieved memory with Full history as a table."""
    return Table(
        name="retrieved-vs-history",
        title="Disclosed cases: Retrieved memory against Full history",
        columns=(
            Column("system", "System"),
            Column("paired", "Paired N"),
            Column("retrieved", "N_D retrieved"),
            Column("history", "N_D history"),
            Column("b", "b"),
            Column("c", "c"),
            Column("difference", "Difference [95% CI]"),
            Column("p", "Exact p"),
            Column("p_holm", "Holm p"),
        ),
        rows=tuple(
            (
                label(pair.treated[0]),
                count(pair.paired, pair.planned, "cases"),
                count(pair.treated_count, pair.paired, "cases"),
                count(pair.control_count, pair.paired, "cases"),
                count(pair.b, pair.paired, "cases"),
                count(pair.c, pair.paired, "cases"),
                difference(pair.b - pair.c, pair.paired, pair.interval),
                p_value(pair.p),
                p_value(pair.adjusted),
            )
            for pair in comparisons
        ),
        subtitle=label_of_answers(frame),
        notes=(
            basis(frame),
            *roles(frame),
            "Over the cases that are complete in both arms; difference in percentage points. b: disclosed "
            "under Retrieved memory only. c: under Full history only. p: exact McNemar test, then Holm in "
            f"the family of {len(comparisons)} planned comparisons.",
        ),
    )


@dataclass(frozen=True, slots=True)
class LossCount:
    """How often a system lost something in one way, and one of the times."""

    system: str
    kind: str
    losses: int
    sessions: int
    example: str


def losses(counts: Sequence[LossCount]) -> Table:
    """Return what systems lost while writing, as the run's ledger counts it."""
    return Table(
        name="losses",
        title="Losses while writing",
        columns=(
            Column("system", "System"),
            Column("kind", "What was lost"),
            Column("losses", "Losses"),
            Column("sessions", "Sessions"),
            Column("example", "For example", wide=True),
        ),
        rows=tuple(
            (
                label(each.system),
                label(each.kind),
                count(each.losses),
                count(each.sessions),
                label(each.example),
            )
            for each in counts
        ),
        labels=2,
        notes=("A loss is something that was said or answered and is not in the store.",),
    )
