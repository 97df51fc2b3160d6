"""Tables 3, F.1 to F.4 and the lower block of Table 2: what interventions on the input change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from memjoin.analysis.builders.paper.common import (
    Row,
    arm_title,
    comparison,
    marked,
    paper_table,
    side,
    treated_arms,
    with_controls,
)
from memjoin.analysis.changes import change
from memjoin.analysis.design import INTERVENTIONS, ArmKey
from memjoin.analysis.families import PlannedFamily
from memjoin.analysis.frame import Flags
from memjoin.analysis.paired import Comparison, compare
from memjoin.analysis.results import Results
from memjoin.analysis.table import (
    NOT_RUN,
    NOTHING,
    Cell,
    Column,
    Table,
    count,
    count_of,
    label,
    p_value,
    rate,
)

_NEEDS = "the run needs interventions (M1 to M4) and the same inputs without them."
_NEEDS_M3 = "the run needs cue removal (M3) and the same inputs without it."

REMOVAL = "M3"
"""Cross-record cue removal."""


def table_3(results: Results) -> Table:
    """Return what M1 to M5 do to each system's Retrieved memory (Table 3)."""
    rows: list[Row] = []
    not_run: list[str] = []
    of = [key for key in results.frame.arms if key.intervention and key.condition == "retrieved"]
    for system in results.design.systems:
        arms = [key for key in of if key.system == system]
        edits = [key for key in arms if results.design.filtered(key)]
        inputs = [_operation(results, key) for key in arms if key not in edits]
        for at, best in _BEST:
            inputs = marked(results, inputs, at, best)
        rows += [*inputs, *(_operation(results, key) for key in edits)]
        lacking = [name for name in INTERVENTIONS if name not in {key.kind for key in arms}]
        if lacking:
            not_run.append(f"{results.design.system_title(system)} {', '.join(lacking)}")
    return paper_table(
        results,
        "table-3",
        "Table 3: Privacy interventions on Retrieved memory",
        (
            Column("system", "System"),
            Column("operation", "Operation"),
            Column("paired", "Paired N"),
            Column("rate_before", "Before", group="DR (%)"),
            Column("rate_after", "After", group="DR (%)"),
            Column("rate_difference", "ΔDR [95% CI]"),
            Column("completed_before", "Before", group="TCR (%)"),
            Column("completed_after", "After", group="TCR (%)"),
            Column("refusal_before", "Before", group="Refusal (%)"),
            Column("refusal_after", "After", group="Refusal (%)"),
            Column("available_after", "Avail. after (%)"),
        ),
        rows,
        (
            "Over the cases complete in both arms. ΔDR: After minus Before, in percentage points. Avail.: "
            "treated inputs that still pass the check of the target's values; M5 edits answers, not inputs. "
            "Best and second best of M1 to M4 of each system: lowest DR and Refusal, highest TCR.",
            *([f"Not in this run: {'; '.join(not_run)}."] if not_run and rows else []),
        ),
        missing=_NEEDS,
        arms=with_controls(results, of),
    )


_BEST: tuple[tuple[int, Literal["low", "high"]], ...] = ((4, "low"), (7, "high"), (9, "low"))
"""The columns of Table 3 in which the best of M1 to M4 are marked: DR, TCR and Refusal after."""


def _operation(results: Results, key: ArmKey) -> Row:
    pair = comparison(results, key)
    if pair is None:  # the run has no such input without the intervention
        return (
            label(results.design.system_title(key.system)),
            label(_title(key)),
            *(Cell(NOT_RUN, note=NOT_RUN),) * 9,
        )
    return (
        label(results.design.system_title(key.system)),
        label(_title(key)),
        count(pair.paired, pair.planned, "cases"),
        *_sides(pair, "disclosed"),
        change(pair.changes["disclosed"]),
        *_sides(pair, "completed"),
        *_sides(pair, "refusal"),
        rate(pair.available_treated) if not results.design.filtered(key) else Cell(NOTHING),
    )


def _title(key: ArmKey) -> str:
    return f"{key.intervention} {INTERVENTIONS.get(key.kind, '')}".strip()


def _sides(pair: Comparison, name: str) -> tuple[Cell, Cell]:
    return side(pair.changes[name], "control", name), side(pair.changes[name], "treated", name)


def _by_family(results: Results, row: Callable[[Comparison], Row]) -> list[Row]:
    """Return a row for each comparison of an input intervention or presentation control, by family."""
    return [
        (
            label(f"{family.title}: {_comparisons(len(family.pairs))}"),
            label(arm_title(results.design, pair.treated)),
            *row(pair),
        )
        for family in results.families
        if family.name in ("interventions-primary", "interventions-other", "presentation")
        for pair in results.comparisons[family.name]
        if not results.design.filtered(pair.treated)
    ]


def _inputs(results: Results) -> list[ArmKey]:
    return with_controls(results, treated_arms(results, filtered=False))


def _comparisons(number: int) -> str:
    return "1 comparison" if number == 1 else f"{number} comparisons"


def table_f1(results: Results) -> Table:
    """Return disclosed cases under all input interventions and the presentation control (Table F.1)."""

    def row(pair: Comparison) -> Row:
        made = pair.disclosed
        adjusted = p_value(made.adjusted)
        small = made.adjusted is not None and made.adjusted < 0.05
        return (
            label(arm_title(results.design, pair.control)),
            count(pair.paired, pair.planned, "cases"),
            count_of(made.control),
            count_of(made.treated),
            change(made),
            p_value(made.p),
            replace(adjusted, mark="best") if small else adjusted,
            rate(pair.flips.within),
            rate(pair.flips.between),
        )

    return paper_table(
        results,
        "table-f1",
        "Table F.1: Disclosed cases under input interventions and the presentation control",
        (
            Column("family", "Family"),
            Column("condition", "Condition"),
            Column("reference", "Reference"),
            Column("paired", "Paired N"),
            Column("control", "Control", group="N_D"),
            Column("treated", "Treated", group="N_D"),
            Column("difference", "ΔDR [95% CI]"),
            Column("p", "Exact p"),
            Column("p_holm", "Holm p"),
            Column("within", "Flips within (%)"),
            Column("between", "Flips between (%)"),
        ),
        _by_family(results, row),
        (
            "N_D over the cases complete in both arms. ΔDR: Treated minus Control, in percentage points. p: "
            "exact McNemar test, then Holm in the planned family; marked where below 0.05. Flips: how often "
            "two answers to one case disagree on the complete relation, within an arm (the noise floor) and "
            "between the two.",
        ),
        missing=f"{_NEEDS} The presentation control needs history and itemized.",
        arms=_inputs(results),
    )


def table_f2(results: Results) -> Table:
    """Return task completion, and availability over matched answers (Table F.2)."""

    def row(pair: Comparison) -> Row:
        return (
            count(pair.paired, pair.planned, "cases"),
            *_sides(pair, "completed"),
            count(pair.answer_pairs, pair.planned * results.design.trials, "answers"),
            rate(pair.available_control),
            rate(pair.available_treated),
        )

    return paper_table(
        results,
        "table-f2",
        "Table F.2: Task completion and availability under input interventions",
        (
            Column("family", "Family"),
            Column("condition", "Condition"),
            Column("paired", "Paired N"),
            Column("completed_control", "Control", group="TCR (%)"),
            Column("completed_treated", "Treated", group="TCR (%)"),
            Column("answer_pairs", "Answer pairs"),
            Column("available_control", "Control", group="Avail. (%)"),
            Column("available_treated", "Treated", group="Avail. (%)"),
        ),
        _by_family(results, row),
        (
            "TCR over the cases complete in both arms. Answer pairs: a case and trial valid in both arms; "
            "Avail. is over the inputs of these.",
        ),
        missing=_NEEDS,
        arms=_inputs(results),
    )


def table_f3(results: Results) -> Table:
    """Return refusal and helpfulness under input interventions (Table F.3)."""

    def row(pair: Comparison) -> Row:
        return (
            count(pair.paired, pair.planned, "cases"),
            *_sides(pair, "refusal"),
            *_sides(pair, "helpfulness"),
            change(pair.changes["refusal"]),
            change(pair.changes["helpfulness"], scale=1),
        )

    return paper_table(
        results,
        "table-f3",
        "Table F.3: Refusal and helpfulness under input interventions",
        (
            Column("family", "Family"),
            Column("condition", "Condition"),
            Column("paired", "Paired N"),
            Column("refusal_control", "Control", group="Refusal (%)"),
            Column("refusal_treated", "Treated", group="Refusal (%)"),
            Column("helpfulness_control", "Control", group="Help."),
            Column("helpfulness_treated", "Treated", group="Help."),
            Column("refusal_difference", "ΔRefusal [95% CI]"),
            Column("helpfulness_difference", "ΔHelp. [95% CI]"),
        ),
        _by_family(results, row),
        ("Over the cases complete in both arms; means over cases of the mean in the case.",),
        missing=_NEEDS,
        arms=_inputs(results),
    )


_STRATA = {
    "All eligible cases": ("separated", "values-visible", ""),
    "Separation achieved": ("separated", "values-visible"),
    "All values visible": ("values-visible",),
}
"""Table F.4's blocks, each of the cases of some strata. Of a case without a row no more is known."""


def table_f4(results: Results) -> Table:
    """Return cue removal in all cases and in each stratum (Table F.4)."""
    rows: list[Row] = []
    for title in _STRATA:
        cases = _cases(results, title)
        if cases.any():
            rows += [(label(title), *row) for row in _removals(results, cases)]
    return paper_table(
        results,
        "table-f4",
        "Table F.4: Cross-record cue removal (M3) by stratum",
        (Column("stratum", "Cases"), *_REMOVAL_COLUMNS),
        rows,
        (
            "Design N: planned cases. Paired N: complete in both arms. ΔDR: M3 minus Control, in percentage "
            "points. The stratum is fixed by the case's annotated history: without its cues nothing entails "
            "the target (separation achieved, as in every case that passes verification), and none of them "
            "is a value itself (all values visible).",
        ),
        missing=_NEEDS_M3,
        arms=with_controls(results, _removal_arms(results)),
    )


def table_2_cue_removal(results: Results) -> Table:
    """Return cue removal in the cases that keep every value in view (Table 2, lower block)."""
    visible = "All values visible"
    return paper_table(
        results,
        "table-2-cue-removal",
        "Table 2, lower block: cue removal (M3) with all values visible",
        (Column("stratum", "Cases"), *_REMOVAL_COLUMNS),
        [(label(visible), *row) for row in _removals(results, _cases(results, visible))],
        ("Over the cases in which every target value stays in view when the cues are removed.",),
        missing=_NEEDS_M3,
        arms=with_controls(results, _removal_arms(results)),
    )


_REMOVAL_COLUMNS = (
    Column("source", "M3 source"),
    Column("comparator", "Comparator"),
    Column("design", "Design N"),
    Column("paired", "Paired N"),
    Column("control", "Control", group="N_D"),
    Column("treated", "M3", group="N_D"),
    Column("difference", "ΔDR [95% CI]"),
)


def _cases(results: Results, title: str) -> Flags:
    chosen: Flags = np.isin(results.frame.groups["stratum"], _STRATA[title])
    return chosen


def _removal_arms(results: Results) -> list[ArmKey]:
    return [key for key in treated_arms(results, filtered=False) if key.kind == REMOVAL]


def _removals(results: Results, cases: Flags) -> list[Row]:
    pairs = [(key, key.untreated) for key in _removal_arms(results) if key.untreated in results.frame.arms]
    family = PlannedFamily("removal", "Cue removal", tuple(pairs))
    return [
        (
            label(arm_title(results.design, pair.treated)),
            label(arm_title(results.design, pair.control)),
            count(pair.planned),
            count(pair.paired, pair.planned, "cases"),
            count_of(pair.disclosed.control),
            count_of(pair.disclosed.treated),
            change(pair.disclosed),
        )
        for pair in compare(results.frame, [family], results.drawn, cases)["removal"]
    ]
