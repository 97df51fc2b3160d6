"""What the tables of the paper's form share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from memjoin.analysis.builders.common import basis, label_of_answers, left_out, roles
from memjoin.analysis.design import TITLES, ArmKey, Design
from memjoin.analysis.outcomes import COMPARED
from memjoin.analysis.paired import Change, Comparison
from memjoin.analysis.results import Results
from memjoin.analysis.table import NOT_MEASURABLE, NOT_RUN, Cell, Column, Format, Table, rate

FRAMEWORKS = "Memory systems"
REFERENCES = "References"

Row = tuple[Cell, ...]


def arm_title(design: Design, key: ArmKey) -> str:
    """Return how a table calls an arm: the system, its view where not Retrieved memory, the intervention."""
    view = TITLES.get(key.condition, key.condition)
    if key.condition == "itemized" and "M3" in key.kinds:
        # M3 edits records. The paper's source is Full history, its comparator Itemized history (Table F.4).
        view = f"{TITLES['history']} (records)"
    if key.system:
        system = design.system_title(key.system)
        title = system if key.condition == "retrieved" else f"{system}, {view}"
    else:
        title = view
    return f"{title} + {key.intervention}" if key.intervention else title


def cell(results: Results, key: ArmKey, name: str, form: Format = "percent", interval: bool = False) -> Cell:
    """Return the cell of one measure of an arm; it says so where the run has no such arm."""
    found = results.rates.get((key, name))
    return Cell(NOT_RUN, note=NOT_RUN) if found is None else rate(found, form, with_interval=interval)


def side(change: Change, which: Literal["control", "treated"], name: str) -> Cell:
    """Return the cell of a measure in one arm of a pair, over the paired cases.

    Where either arm's roles cannot measure it, what is left of the other is no comparison.
    """
    if not change.measurable:
        return Cell(NOT_MEASURABLE, note=NOT_MEASURABLE)
    return rate(
        change.control if which == "control" else change.treated,
        "score" if COMPARED[name].scale == 1 else "percent",
    )


def marked(results: Results, rows: Sequence[Row], at: int, best: Literal["low", "high"]) -> list[Row]:
    """Mark the best and the second best value of a column among some rows; ties share a mark.

    Nothing is marked where all are alike, and nothing with embedded roles, whose figures are no ranking.
    """
    values = [row[at].value for row in rows]
    numbers = [value for value in values if isinstance(value, (int, float))]
    if len(set(numbers)) < 2 or results.design.pipeline_only:
        return list(rows)
    order = sorted(set(numbers), reverse=best == "high")[:2]
    places: dict[object, Literal["best", "second"]] = dict(zip(order, ("best", "second"), strict=False))
    return [
        (*row[:at], replace(row[at], mark=places[value]), *row[at + 1 :]) if value in places else row
        for row, value in zip(rows, values, strict=True)
    ]


def treated_arms(results: Results, *, filtered: bool) -> list[ArmKey]:
    """Return the arms with an intervention: those of the output filter, or all others."""
    return [
        key for key in results.frame.arms if key.intervention and results.design.filtered(key) == filtered
    ]


def with_controls(results: Results, arms: Iterable[ArmKey]) -> list[ArmKey]:
    """Return arms with an intervention, and what they are compared with."""
    found = dict.fromkeys(key for arm in arms for key in (arm, arm.untreated))
    return [key for key in results.frame.arms if key in found]


def comparison(results: Results, key: ArmKey) -> Comparison | None:
    """Return the comparison of an intervention with its control, if the run has both."""
    return results.pair(key, key.untreated)


def paper_table(
    results: Results,
    name: str,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    notes: Sequence[str],
    missing: str = "",
    labels: int = 2,
    arms: Collection[ArmKey] | None = None,
) -> Table:
    """Return a table with what must be known of the run before its figures are read.

    ``missing`` says what a run would need for the table to have rows; it is noted where there are none.
    ``arms`` are those that the table is of, by default all without an intervention; what left them is noted.
    """
    of = [key for key in results.frame.arms if not key.intervention] if arms is None else arms
    return Table(
        name=name,
        title=title,
        columns=tuple(columns),
        rows=tuple(rows),
        labels=labels,
        subtitle=label_of_answers(results.frame),
        notes=(
            *([f"No rows: {missing}"] if missing and not rows else []),
            *notes,
            basis(results.frame),
            *roles(results.frame),
            *left_out(results.frame, of),
        ),
    )
