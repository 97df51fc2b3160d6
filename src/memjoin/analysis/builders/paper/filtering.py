"""Tables F.5 to F.7: what an output filter (M5) changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from memjoin.analysis import measures
from memjoin.analysis.builders.paper.common import (
    Row,
    arm_title,
    comparison,
    paper_table,
    side,
    treated_arms,
    with_controls,
)
from memjoin.analysis.changes import change, discordant
from memjoin.analysis.errors import VerdictTableError
from memjoin.analysis.frame import UNKNOWN, Arm
from memjoin.analysis.paired import Comparison
from memjoin.analysis.rates import counted
from memjoin.analysis.results import Results
from memjoin.analysis.table import Column, Table, check_partition, count, count_of, label

_NEEDS = "the run needs an output filter (M5)."
_LABEL = Column("input", "Input")


def table_f5(results: Results) -> Table:
    """Return disclosure before and after output filtering (Table F.5)."""

    def row(pair: Comparison) -> Row:
        control, treated = (results.frame.arms[key] for key in (pair.control, pair.treated))
        both = control.complete & treated.complete
        made = pair.disclosed
        return (
            count(pair.paired, pair.planned, "cases"),
            count_of(counted(measures.a4(control).among(both))),
            count_of(counted(measures.a4(treated).among(both))),
            count_of(made.control),
            count_of(made.treated),
            discordant(made, made.b),
            change(made),
        )

    return paper_table(
        results,
        "table-f5",
        "Table F.5: Disclosure before and after output filtering",
        (
            _LABEL,
            Column("paired", "Paired N"),
            Column("a4_before", "Before", group="A4 answers"),
            Column("a4_after", "After", group="A4 answers"),
            Column("disclosed_before", "Before", group="N_D"),
            Column("disclosed_after", "After", group="N_D"),
            Column("after_only", "After-only cases"),
            Column("difference", "ΔDR [95% CI]"),
        ),
        _filtered(results, row),
        (
            "Over the cases complete in both arms. ΔDR: After minus Before, in percentage points. "
            "After-only: cases that are disclosed after filtering and were not before.",
        ),
        missing=_NEEDS,
        labels=1,
        arms=with_controls(results, treated_arms(results, filtered=True)),
    )


def table_f6(results: Results) -> Table:
    """Return utility before and after output filtering (Table F.6)."""

    def row(pair: Comparison) -> Row:
        cells: list[Row] = []
        for name, scale in (("completed", 100), ("refusal", 100), ("helpfulness", 1)):
            made = pair.changes[name]
            cells.append((side(made, "control", name), side(made, "treated", name), change(made, scale)))
        return (count(pair.paired, pair.planned, "cases"), *(cell for each in cells for cell in each))

    return paper_table(
        results,
        "table-f6",
        "Table F.6: Utility before and after output filtering",
        (
            _LABEL,
            Column("paired", "Paired N"),
            Column("completed_before", "Before", group="TCR (%)"),
            Column("completed_after", "After", group="TCR (%)"),
            Column("completed_difference", "ΔTCR [95% CI]"),
            Column("refusal_before", "Before", group="Refusal (%)"),
            Column("refusal_after", "After", group="Refusal (%)"),
            Column("refusal_difference", "ΔRefusal [95% CI]"),
            Column("helpfulness_before", "Before", group="Help."),
            Column("helpfulness_after", "After", group="Help."),
            Column("helpfulness_difference", "ΔHelp. [95% CI]"),
        ),
        _filtered(results, row),
        ("Over the cases complete in both arms. Changes: After minus Before, in points; of Help. in score.",),
        missing=_NEEDS,
        labels=1,
        arms=with_controls(results, treated_arms(results, filtered=True)),
    )


def table_f7(results: Results) -> Table:
    """Return what the filter did to each answer (Table F.7). The actions are checked to add up."""
    rows: list[Row] = []
    for key in treated_arms(results, filtered=True):
        arm = results.frame.arms[key]
        _every_answer_has_an_action(results, arm)
        actions = measures.by_action(arm)
        total = int((arm.action != UNKNOWN).sum())
        check_partition("table-f7", str(key), list(actions.values()), total)
        changed = actions["redact"] + actions["block"]
        cells = [count(many, total, "answers") for many in (*actions.values(), changed)]
        rows.append(
            (label(arm_title(results.design, key)), *cells, count(total, results.design.answers, "answers"))
        )
    return paper_table(
        results,
        "table-f7",
        "Table F.7: What the output filter did to individual answers",
        (
            _LABEL,
            Column("allow", "Allow"),
            Column("redact", "Redact"),
            Column("block", "Block"),
            Column("changed", "Changed"),
            Column("total", "Total"),
        ),
        rows,
        (
            "Allow, redact and block partition the original answers that were filtered. Changed: redact or "
            "block.",
        ),
        missing=_NEEDS,
        labels=1,
        arms=with_controls(results, treated_arms(results, filtered=True)),
    )


def _every_answer_has_an_action(results: Results, arm: Arm) -> None:
    """See to it that no edited answer lacks the filter's action: the counts would not be of all answers.

    Raises:
        VerdictTableError: One does.
    """
    without = (arm.ok | arm.invalid) & (arm.action == UNKNOWN)
    if without.any():
        case, trial = (int(at[0]) for at in np.nonzero(without))
        raise VerdictTableError(
            f"Table table-f7, row {arm.key}: {int(without.sum())} answers without an action, the first of "
            f"{results.design.cases[case]}, trial {trial}.",
            "A filtered answer is allowed, redacted or blocked; the verdict table or the program is wrong.",
        )


def _filtered(results: Results, row: Callable[[Comparison], Row]) -> list[Row]:
    pairs = [comparison(results, key) for key in treated_arms(results, filtered=True)]
    return [
        (label(arm_title(results.design, pair.treated)), *row(pair)) for pair in pairs if pair is not None
    ]
