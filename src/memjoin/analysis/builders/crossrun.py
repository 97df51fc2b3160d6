"""Two runs side by side, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from memjoin.analysis.builders.paper.common import side
from memjoin.analysis.changes import change
from memjoin.analysis.crossrun import RunsCompared, Verdict
from memjoin.analysis.design import EMBEDDED_LABEL
from memjoin.analysis.outcomes import COMPARED
from memjoin.analysis.paired import Comparison
from memjoin.analysis.table import NOTHING, Cell, Column, Table, count, counted_noun, label, p_value, rate

_WORDS = {True: "differs", False: "noise", None: NOTHING}


def runs_compared(found: RunsCompared, names: tuple[str, str], notes: Sequence[str] = ()) -> Table:
    """Return every measure of every common arm in both runs, with what the difference is worth.

    Args:
        found: The comparison.
        names: What the two runs are called, first and second.
        notes: What else must be known of the two.
    """
    design = found.design
    cases, trials = counted_noun(len(design.cases), "common case"), counted_noun(found.trials, "trial")
    many = len(found.comparisons)
    lacking = _lacking(found)
    return Table(
        name="compare",
        title=f"{names[1]} (B) against {names[0]} (A)",
        columns=(
            Column("input", "Input"),
            Column("measure", "Measure"),
            Column("cases", "Cases"),
            Column("first", "A"),
            Column("second", "B"),
            Column("difference", "B - A [95% CI]"),
            Column("p_holm", "Holm p"),
            Column("within", "Flips within (%)"),
            Column("between", "Flips between (%)"),
            Column("detectable", "Detectable"),
            Column("verdict", "Verdict"),
        ),
        rows=tuple(
            _row(found, comparison, name)
            for comparison in found.comparisons
            for name in COMPARED
            if comparison.changes[name].measurable
        ),
        labels=2,
        subtitle=EMBEDDED_LABEL if design.pipeline_only else "",
        notes=(
            f"{cases}, {trials} each; pairs are complete in both. [ ]: 95% "
            f"percentile bootstrap over cases, {design.resamples:,} resamples, seed {design.seed}.",
            "DR, TCR: exact McNemar test, Holm over the "
            f"{'1 input' if many == 1 else f'{many} inputs'}; 'differs' below 0.05. Help. and Refusal: "
            "'differs' where the interval leaves out 0. Everything else is 'noise': not told apart from "
            "chance, which is not the same as equal.",
            "Detectable: the smallest difference that this many cases, with this discordance, show four "
            "times in five (points; of Help. score). Flips: how often two answers to one case disagree on "
            "the complete relation, within a run (the noise floor) and between the two"
            + ("; one trial has no floor, --trials 3 does." if found.trials == 1 else "."),
            *([f"Not measurable with these roles: {', '.join(lacking)}."] if lacking else []),
            *notes,
        ),
    )


def _lacking(found: RunsCompared) -> list[str]:
    """Name the measures that the roles cannot measure: in any arm, or in which."""
    lacking = {
        name: [str(each.treated) for each in found.comparisons if not each.changes[name].measurable]
        for name in COMPARED
    }
    return [
        COMPARED[name].title + ("" if len(arms) == len(found.comparisons) else f" of {', '.join(arms)}")
        for name, arms in lacking.items()
        if arms
    ]


def _row(found: RunsCompared, comparison: Comparison, name: str) -> tuple[Cell, ...]:
    made, verdict = comparison.changes[name], found.verdict(comparison, name)
    scale = COMPARED[name].scale
    flips = (
        (rate(comparison.flips.within), rate(comparison.flips.between))
        if name == "disclosed"
        else (Cell(NOTHING), Cell(NOTHING))
    )
    return (
        label(str(comparison.treated)),
        label(COMPARED[name].title),
        count(made.paired, comparison.planned, "cases"),
        side(made, "control", name),
        side(made, "treated", name),
        change(made, scale),
        p_value(made.adjusted),
        *flips,
        _detectable(verdict, scale, made.paired),
        label(_WORDS[verdict.differs]),
    )


def _detectable(verdict: Verdict, scale: int, paired: int) -> Cell:
    if not verdict.detectable:  # of a mean that no case changes, nothing can be said
        return Cell(NOTHING)
    digits: Literal[1, 2] = 1 if scale == 100 else 2
    return Cell(f"{scale * verdict.detectable:.{digits}f}", verdict.detectable, None, paired, "cases")
