"""Tables of a run as another panel judges it, and of how far two panels agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memjoin.analysis import tables as analysis
from memjoin.analysis.agreement import Agreement, agreement
from memjoin.analysis.builders.crossrun import runs_compared
from memjoin.analysis.crossrun import compare_runs
from memjoin.analysis.design import Design
from memjoin.analysis.results import compute
from memjoin.analysis.table import NOTHING, Cell, Column, Table, label, number
from memjoin.judging.consensus import FIELDS
from memjoin.judging.contradictions import contradictions, tally
from memjoin.judging.panel import Lost
from memjoin.report.source import design_of
from memjoin.runs.judging.again import Judged, Opinion
from memjoin.runs.judging.records import known, warnings
from memjoin.runs.reader import Run

SHOWN = 12
"""How many answers on which two panels differ are printed; the files and JSON have all."""
OF_ANSWERS = ("disclosure", "utility", "levels", "completion")


def tables_of_panel(path: Path, judged: Judged) -> list[Table]:
    """Return the tables of a run's answers as a panel judges them; each says which panel.

    Raises:
        MemJoinError: The verdicts contradict each other or the run's plan.
    """
    design = _design(path, judged)
    made = analysis.tables_of(compute(judged.rows, design))
    notes = contradicted(judged)
    return [
        replace(table, title=f"{table.title}, panel {judged.name}", notes=(*table.notes, *notes))
        for table in made
        if table.name in OF_ANSWERS
    ]


def told(judged: Judged) -> tuple[str, ...]:
    """Say which judges of a panel are below the bar, or never qualified."""
    return warnings(known(judged.panel.judges, judged.known, judged.panel.wording))


def contradicted(judged: Judged) -> tuple[str, ...]:
    """Say how many verdicts and votes of a panel contradict themselves, and in what."""
    verdicts: list[tuple[str, ...]] = []
    votes = 0
    for opinion in judged.opinions:
        if opinion.consensus is not None:
            verdicts.append(contradictions(opinion.consensus, opinion.consensus.level))
        votes += sum(bool(contradictions(b)) for b in opinion.ballots if not isinstance(b, Lost))
    listed, many = tally(verdicts), sum(map(bool, verdicts))
    if not many and not votes:
        return ()
    return (
        f"Contradict themselves: {many} verdicts and {votes} single votes{f' ({listed})' if listed else ''}.",
    )


def compared(path: Path, first: Judged, second: Judged) -> list[Table]:
    """Return how far two panels agree, on which answers they differ, and what that does to the measures.

    Raises:
        MemJoinError: The verdicts contradict each other or the run's plan.
    """
    pairs = list(zip(first.opinions, second.opinions, strict=True))
    designs = _design(path, first), _design(path, second)
    found = compare_runs((lambda: first.rows, designs[0]), (lambda: second.rows, designs[1]))
    notes = [f"A and B: the same answers of {path}, judged by two panels."]
    return [
        _agreement(first, second, pairs),
        _differing(first, second, pairs),
        runs_compared(found, (first.name, second.name), [*notes, *told(first), *told(second)]),
    ]


def plain(first: Judged, second: Judged) -> list[dict[str, Any]]:
    """Return every answer on which two panels differ, with both verdicts, as JSON has it."""
    pairs = zip(first.opinions, second.opinions, strict=True)
    return [
        {
            "system": a.row.system,
            "condition": a.row.condition,
            "intervention": a.row.intervention,
            "case": a.row.case,
            "trial": a.row.trial + 1,
            "answer": a.answer,
            "fields": {field: [_said(a, field), _said(b, field)] for field in _differ(a, b)},
        }
        for a, b in pairs
        if _differ(a, b)
    ]


_FIELDS = (*FIELDS, "grade", "level")


def _design(path: Path, judged: Judged) -> Design:
    with Run(path) as run:
        design = design_of(run.config, run.manifest)
    embedded = design.embedded - {"judge"}
    if not judged.panel.models:
        embedded |= {"judge"}
    return replace(
        design,
        judges=judged.panel.judges,
        embedded=embedded,
        warnings=told(judged),
    )


def _agreement(first: Judged, second: Judged, pairs: list[tuple[Opinion, Opinion]]) -> Table:
    rows = []
    for field in _FIELDS:
        said = [(_said(a, field), _said(b, field)) for a, b in pairs]
        found = agreement(
            [[None if one is None else int(one) for one in pair] for pair in said],
            "ordinal" if field in ("grade", "level") else "nominal",
        )
        rows.append((label(field), *_agreed(found)))
    return Table(
        name="agreement",
        title=f"Agreement of {first.name} (A) and {second.name} (B)",
        columns=(
            Column("field", "Field"),
            Column("answers", "Answers"),
            Column("equal", "Equal"),
            Column("raw", "Raw (%)"),
            Column("alpha", "Alpha"),
        ),
        rows=tuple(rows),
        notes=(
            f"A: {_members(first)}. B: {_members(second)}. Answers that both have judged in the field.",
            "Alpha: Krippendorff's, nominal; of grade and level ordinal. A dash: nobody told anything apart.",
            *contradicted(first),
            *contradicted(second),
        ),
    )


def _members(judged: Judged) -> str:
    words = ", second wording" if judged.panel.wording == "second" and judged.panel.models else ""
    return f"{', '.join(judged.panel.judges)}{words}"


def _agreed(found: Agreement) -> tuple[Cell, ...]:
    raw = (
        Cell(number(found.equal, found.units, "percent"), found.equal / found.units, found.equal, found.units)
        if found.units
        else Cell(NOTHING)
    )
    alpha = Cell(NOTHING) if found.alpha is None else Cell(f"{found.alpha:.3f}", found.alpha)
    return Cell(str(found.units), found.units), Cell(str(found.equal), found.equal), raw, alpha


def _differing(first: Judged, second: Judged, pairs: list[tuple[Opinion, Opinion]]) -> Table:
    differing = [(a, b, _differ(a, b)) for a, b in pairs if _differ(a, b)]
    differing.sort(key=lambda each: _weight(each[0], each[1]), reverse=True)
    rows = [
        (
            label(f"{a.row.system or 'reference'}, {_input(a)}, {a.row.case}, trial {a.row.trial + 1}"),
            label(_level(a)),
            label(_level(b)),
            label(", ".join(fields)),
        )
        for a, b, fields in differing
    ]
    more = len(rows) - SHOWN
    return Table(
        name="differing",
        title=f"Answers on which {first.name} (A) and {second.name} (B) differ",
        columns=(
            Column("answer", "Answer"),
            Column("first", "A"),
            Column("second", "B"),
            Column("fields", "Fields"),
        ),
        rows=tuple(rows[:SHOWN]),
        notes=(
            f"{len(rows)} of {len(pairs)} answers, those whose levels are furthest apart first."
            + (f" {more} more are in the JSON (--json)." if more > 0 else ""),
        ),
    )


def _weight(a: Opinion, b: Opinion) -> tuple[bool, int]:
    one, other = a.row.level, b.row.level
    if one is None or other is None:
        return False, 0
    return (one == 4) != (other == 4), abs(one - other)


def _input(opinion: Opinion) -> str:
    row = opinion.row
    return f"{row.condition}+{row.intervention}" if row.intervention else row.condition


def _level(opinion: Opinion) -> str:
    return NOTHING if opinion.row.level is None else f"A{opinion.row.level}"


def _differ(a: Opinion, b: Opinion) -> list[str]:
    return list(_differing_fields(a, b))


def _differing_fields(a: Opinion, b: Opinion) -> Iterator[str]:
    for field in _FIELDS:
        one, other = _said(a, field), _said(b, field)
        if one is not None and other is not None and one != other:
            yield field


def _said(opinion: Opinion, field: str) -> bool | int | None:
    said = opinion.consensus
    return None if said is None or said.status != "ok" else getattr(said, field)
