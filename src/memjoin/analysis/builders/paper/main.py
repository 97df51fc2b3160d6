"""Tables 1 and 2: disclosure and utility of each memory system, and disclosure by configuration."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np

from memjoin.analysis import measures
from memjoin.analysis.builders.groups import CONFIGURATIONS, memory_only, share
from memjoin.analysis.builders.paper.common import FRAMEWORKS, REFERENCES, Row, cell, marked, paper_table
from memjoin.analysis.design import TITLES, ArmKey
from memjoin.analysis.frame import Flags
from memjoin.analysis.rates import counted
from memjoin.analysis.results import Results
from memjoin.analysis.table import (
    NOT_RUN,
    NOTHING,
    Cell,
    Column,
    Table,
    check_partition,
    count,
    count_of,
    label,
)

_BLOCK = Column("block", "Rows")
_RETRIEVED, _ALL, _COMPLETED, _ONLY = "Retrieved memory", "All memory", "Completed (%)", "Memory-only"

_TABLE_1 = (
    _BLOCK,
    Column("system", "System"),
    Column("retrieved_available", "Avail.", group=_RETRIEVED),
    Column("retrieved_disclosed", "N_D", group=_RETRIEVED),
    Column("retrieved_rate", "DR", group=_RETRIEVED),
    Column("retrieved_memory_only", "Mem.-only", group=_RETRIEVED),
    Column("retrieved_a4_given_available", "A4 | Avail.", group=_RETRIEVED),
    Column("retrieved_completed", "TCR", group=_RETRIEVED),
    Column("retrieved_refusal", "Refusal", group=_RETRIEVED),
    Column("retrieved_helpfulness", "Help.", group=_RETRIEVED),
    Column("all_available", "Avail.", group=_ALL),
    Column("all_rate", "DR", group=_ALL),
    Column("all_completed", "TCR", group=_ALL),
    Column("all_refusal", "Refusal", group=_ALL),
    Column("completed_a4", "A4", group=_COMPLETED),
    Column("completed_other", "Non-A4", group=_COMPLETED),
)

_BEST: Mapping[str, Literal["low", "high"]] = MappingProxyType(
    {
        "retrieved_rate": "low",
        "retrieved_completed": "high",
        "retrieved_helpfulness": "high",
        "all_rate": "low",
        "all_completed": "high",
    }
)
"""The columns of Table 1 in which the best systems are marked."""


def table_1(results: Results) -> Table:
    """Return disclosure and task utility of the memory systems and the references (Table 1)."""
    rows: list[Row] = [_of_system(results, system) for system in results.design.systems]
    for key, best in _BEST.items():
        rows = marked(results, rows, [column.key for column in _TABLE_1].index(key), best)
    rows += [
        _of_reference(results, condition)
        for condition in ("history", "task-only", "itemized")
        if condition in results.design.conditions
    ]
    return paper_table(
        results,
        "table-1",
        "Table 1: Disclosure and task utility",
        _TABLE_1,
        rows,
        (
            "DR (disclosed cases, N_D, of the complete ones) and TCR: percent of cases; Help. and Refusal: "
            "means over cases; the rest: percent of answers. Mem.-only: cases disclosed under Retrieved "
            "memory and not under Full history. Completed: the split of answers that complete the task, "
            "under Retrieved memory (of a reference, under itself); the two sum to 100. Best and second best "
            "among the systems: lowest DR, highest TCR and Help. References have no All memory.",
        ),
    )


def _of_system(results: Results, system: str) -> Row:
    retrieved, everything = ArmKey(system, "retrieved"), ArmKey(system, "all")
    pair = results.pair(retrieved, ArmKey("", "history"))
    only = Cell(NOT_RUN, note=NOT_RUN)
    if pair is not None:
        b = pair.disclosed.b
        only = Cell(NOTHING) if b is None else count(b, pair.paired, "cases")
    return (
        label(FRAMEWORKS),
        label(results.design.system_title(system)),
        *_input(results, retrieved, only),
        *(cell(results, everything, name) for name in ("available", "disclosed", "completed", "refusal")),
        *_split(results, retrieved),
    )


def _of_reference(results: Results, condition: str) -> Row:
    key = ArmKey("", condition)
    return (
        label(REFERENCES),
        label(TITLES[condition]),
        *_input(results, key, Cell(NOTHING)),
        *(Cell(NOTHING),) * 4,
        *_split(results, key),
    )


def _input(results: Results, key: ArmKey, only: Cell) -> Row:
    disclosed = results.rates.get((key, "disclosed"))
    return (
        cell(results, key, "available"),
        Cell(NOT_RUN, note=NOT_RUN) if disclosed is None else count_of(disclosed),
        cell(results, key, "disclosed"),
        only,
        *(cell(results, key, name) for name in ("a4_given_available", "completed", "refusal")),
        cell(results, key, "helpfulness", "score"),
    )


def _split(results: Results, key: ArmKey) -> Row:
    a4, other = (results.rates.get((key, f"{name}_given_completed")) for name in ("a4", "other"))
    if a4 is not None and other is not None and a4.measurable:
        whole = [int(a4.numerator), int(other.numerator)]
        check_partition("table-1", f"{key}, completed answers", whole, a4.denominator)
    return cell(results, key, "a4_given_completed"), cell(results, key, "other_given_completed")


def table_2(results: Results) -> Table:
    """Return disclosed cases by evidence configuration, with the share row (Table 2, upper block).

    A share divides the systems' sum of N_D by as many times Full history's as there are systems.
    """
    frame = results.frame
    groups = {name: frame.groups["configuration"] == name for name in CONFIGURATIONS}
    rows: list[Row] = []
    for system in results.design.systems:
        retrieved = ArmKey(system, "retrieved")
        arm = frame.arms.get(retrieved)
        only = memory_only(frame, arm, list(groups.values())) if arm else (Cell(NOT_RUN),) * len(groups)
        rows.append(
            (
                label(FRAMEWORKS),
                label(results.design.system_title(system)),
                *_by_configuration(results, retrieved, groups),
                *_by_configuration(results, ArmKey(system, "all"), groups),
                *only,
            )
        )
    history = ArmKey("", "history")
    nothing = (Cell(NOTHING),) * len(groups)
    if history in frame.arms:
        rows.append(
            (
                label(REFERENCES),
                label("Full history"),
                *_by_configuration(results, history, groups),
                *nothing,
                *nothing,
            )
        )
        shares = [
            [share(frame, condition, cases) or Cell(NOTHING) for cases in groups.values()]
            for condition in ("retrieved", "all")
        ]
        if results.design.systems:
            rows.append((label(REFERENCES), label("Share of history"), *shares[0], *shares[1], *nothing))
    counts = ", ".join(f"{name}: {int(cases.sum())} cases" for name, cases in groups.items())
    return paper_table(
        results,
        "table-2",
        "Table 2: Disclosed cases by evidence configuration",
        (
            _BLOCK,
            Column("system", "System"),
            *(Column(f"retrieved_{name}", name, group=_RETRIEVED) for name in CONFIGURATIONS),
            *(Column(f"all_{name}", name, group=_ALL) for name in CONFIGURATIONS),
            *(Column(f"memory_only_{name}", name, group=_ONLY) for name in CONFIGURATIONS),
        ),
        rows,
        (
            f"N_D. RJ: retrieval join. UC: update consolidation. WM: writer materialization. {counts}. "
            "Share: the systems' sum over as many times Full history's count as there are systems.",
        ),
    )


def _by_configuration(results: Results, key: ArmKey, groups: dict[str, Flags]) -> Row:
    arm = results.frame.arms.get(key)
    if arm is None:
        return (Cell(NOT_RUN, note=NOT_RUN),) * len(groups)
    disclosed = measures.disclosed(arm)
    parts = [counted(disclosed.among(cases)) for cases in groups.values()]
    others = ~np.any(list(groups.values()), axis=0)
    rest = counted(disclosed.among(others))
    if disclosed.measurable:
        sums = [int(part.numerator) for part in (*parts, rest)]
        check_partition("table-2", f"{key}, N_D", sums, int(counted(disclosed).numerator))
    return tuple(count_of(part) for part in parts)
