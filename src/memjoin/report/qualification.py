"""The tables of a qualification: how often a judge is right, and what it takes for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memjoin.analysis.bootstrap import exact_interval
from memjoin.analysis.table import NOTHING, Cell, Column, Table, interval, number
from memjoin.judging.qualification.answers import Part
from memjoin.judging.qualification.score import LEAST_RIGHT, MOST_FALSE, MOST_LOST, SCORED, Count, Score
from memjoin.runs.judging.qualify import Qualification

_UNIT = "labelled answers"


def tables(found: Sequence[Qualification]) -> list[Table]:
    """Return the tables of some judges: what is right by field, and the confusion of levels of each."""
    return [_fields(found), *(_levels(each, part) for each in found for part in each.scores)]


def plain(found: Sequence[Qualification]) -> list[dict[str, Any]]:
    """Return the same as JSON has it, with the answers that were taken wrongly for what they are."""
    return [
        {
            "judge": each.judge,
            "wording": each.wording,
            "parts": {part: score.plain() for part, score in each.scores.items()},
            "baselines": {
                name: {part: score.plain() for part, score in scores.items()}
                for name, scores in each.baselines.items()
            },
            "result": each.result.plain(),
        }
        for each in found
    ]


def _fields(found: Sequence[Qualification]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for part in found[0].scores:
        for who, score in _everybody(found, part):
            rows += [(Cell(f"{who}, {part}"), Cell(name), *_cells(score.counts[name])) for name in SCORED]
            rows.append((Cell(f"{who}, {part}"), Cell("full disclosures found"), *_full(score)))
            rows.append((Cell(f"{who}, {part}"), Cell("other answers taken for one"), *_false(score)))
    return Table(
        name="qualification",
        title="Judges against labels",
        columns=(
            Column("judge", "Judge"),
            Column("field", "Field"),
            Column("right", "Right"),
            Column("judged", "Judged"),
            Column("share", "%"),
            Column("interval", "95% CI"),
            Column("unjudged", "Left unjudged"),
            Column("lost", "Lost"),
        ),
        rows=tuple(rows),
        labels=2,
        notes=(
            "95% CI: exact (Clopper-Pearson). Level: what follows from a judge's own binding, service, site "
            "and date. What a judge leaves unjudged, or loses, is neither right nor wrong.",
            f"The bar: {LEAST_RIGHT:.0%} right of every field that it votes on, of the levels, and of the "
            "full disclosures; no field less right than a trivial judge has it; no more than "
            f"{MOST_FALSE:.0%} false full disclosures and {MOST_LOST:.0%} lost votes.",
            *(_verdict(each) for each in found),
        ),
    )


def _everybody(found: Sequence[Qualification], part: Part) -> Iterator[tuple[str, Score]]:
    for each in found:
        yield _title(each), each.scores[part]
    for name, scores in found[0].baselines.items():
        yield f"({name})", scores[part]


def _title(found: Qualification) -> str:
    return found.judge if found.wording == "first" else f"{found.judge}, second wording"


def _verdict(found: Qualification) -> str:
    if not found.result.below:
        return f"{_title(found)} is not below the bar."
    return f"{_title(found)} is below the bar: {'; '.join(found.result.below)}."


def _cells(count: Count) -> tuple[Cell, ...]:
    return (*_share(count.right, count.judged), _number(count.unjudged), _number(count.lost))


def _full(score: Score) -> tuple[Cell, ...]:
    return (*_share(score.full - len(score.missed), score.full), _number(0), _number(0))


def _false(score: Score) -> tuple[Cell, ...]:
    return (*_share(len(score.false), score.less), _number(0), _number(0))


def _share(right: int, of: int) -> tuple[Cell, ...]:
    if not of:
        return (Cell("0", 0), Cell("0", 0), Cell(NOTHING), Cell(NOTHING))
    bounds = exact_interval(right, of)
    return (
        Cell(str(right), right, unit=_UNIT),
        Cell(str(of), of, unit=_UNIT),
        Cell(number(right, of, "percent"), right / of, right, of, _UNIT, exact=bounds),
        Cell(interval(bounds, "percent"), exact=bounds),
    )


def _number(of: int) -> Cell:
    return Cell(str(of) if of else "", of, unit=_UNIT)


def _levels(found: Qualification, part: Part) -> Table:
    confusion: Mapping[Any, int] = found.scores[part].confusion
    return Table(
        name=f"levels-{found.judge}-{part}".replace(" ", "-").replace("/", "-"),
        title=f"Levels: {_title(found)}, {part} answers",
        columns=(
            Column("true", "Labelled"),
            *(Column(f"a{level}", f"found A{level}") for level in range(5)),
        ),
        rows=tuple(
            (
                Cell(f"A{true}"),
                *(Cell(str(confusion.get((true, at), 0)), confusion.get((true, at), 0)) for at in range(5)),
            )
            for true in range(5)
        ),
    )
