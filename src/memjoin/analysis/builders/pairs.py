"""Paired comparisons by family, and what systems lost while writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memjoin.analysis.builders.common import basis, label_of_answers, roles
from memjoin.analysis.changes import change, discordant
from memjoin.analysis.families import PlannedFamily
from memjoin.analysis.results import Results
from memjoin.analysis.table import Column, Table, count, count_of, label, p_value, rate


def compared(results: Results) -> list[Table]:
    """Return a table for each family of comparisons that the run plans."""
    return [_family(results, family) for family in results.families]


def _family(results: Results, family: PlannedFamily) -> Table:
    frame = results.frame
    return Table(
        name=family.name,
        title=family.title,
        columns=(
            Column("treated", "Treated"),
            Column("control", "Control"),
            Column("paired", "Paired N"),
            Column("control_disclosed", "N_D control", wide=True),
            Column("treated_disclosed", "N_D treated", wide=True),
            Column("b", "b"),
            Column("c", "c"),
            Column("difference", "DR [95% CI]"),
            Column("p", "Exact p", wide=True),
            Column("p_holm", "Holm p"),
            Column("within", "Flips within (%)", wide=True),
            Column("between", "Flips between (%)", wide=True),
            Column("completed", "TCR [95% CI]"),
            Column("helpfulness", "Help. [95% CI]", wide=True),
            Column("refusal", "Refusal [95% CI]", wide=True),
        ),
        rows=tuple(
            (
                label(str(pair.treated)),
                label(str(pair.control)),
                count(pair.paired, pair.planned, "cases"),
                count_of(pair.disclosed.control),
                count_of(pair.disclosed.treated),
                discordant(pair.disclosed, pair.disclosed.b),
                discordant(pair.disclosed, pair.disclosed.c),
                change(pair.disclosed),
                p_value(pair.disclosed.p),
                p_value(pair.disclosed.adjusted),
                rate(pair.flips.within),
                rate(pair.flips.between),
                change(pair.changes["completed"]),
                change(pair.changes["helpfulness"], scale=1),
                change(pair.changes["refusal"]),
            )
            for pair in results.comparisons[family.name]
        ),
        labels=2,
        subtitle=label_of_answers(frame),
        notes=(
            basis(frame),
            *roles(frame),
            "Treated minus control, over the cases that are complete in both; points (Help.: score). b: "
            "disclosed in the treated arm only. c: in the control only. p: exact McNemar test, then Holm in "
            f"the family of {len(family.pairs)} planned comparisons. Flips: how often two answers to one "
            "case disagree on the complete relation, within an arm (the noise floor) and between the two.",
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
