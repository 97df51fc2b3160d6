"""What the tables of a run take, read from the run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from memjoin.analysis import tables
from memjoin.analysis.builders.pairs import LossCount
from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.families import Family
from memjoin.analysis.results import Results, compute
from memjoin.analysis.table import Table
from memjoin.errors import MemJoinError
from memjoin.judging.contradictions import of_rows
from memjoin.judging.lexical import NAME as LEXICAL
from memjoin.judging.verdict import VerdictRow
from memjoin.models.names import EMBEDDED
from memjoin.runs.config import RunConfig
from memjoin.runs.judging.records import known, warnings
from memjoin.runs.reader import LostMemory, Run
from memjoin.systems.registry import find


def tables_of(run: Run) -> list[Table]:
    """Return every table of a run, finished or not.

    Raises:
        MemJoinError: The run's verdicts contradict each other or its plan.
    """
    return tables.tables_of(results_of(run), losses_of(run.losses()))


def results_of(run: Run, own: Iterable[Family] = ()) -> Results:
    """Return all that a run found.

    Args:
        run: The run, finished or not.
        own: Families of comparisons beside the named ones.

    Raises:
        MemJoinError: The run's verdicts contradict each other or its plan, or ``own`` compares what the run
            does not have.
    """
    rows = run.rows()
    judges = known(run.config.judges, run.manifest.get("judges"))
    design = replace(
        design_of(run.config),
        treated=treated(rows),
        annotated=annotated(run),
        remarks=remarks(run),
        warnings=(*warnings(judges), *of_rows(rows)),
    )
    return compute(rows, design, own)


def treated(rows: Iterable[VerdictRow]) -> tuple[ArmKey, ...]:
    """Return the arms with an intervention. A run has a row for every answer that it plans."""
    return tuple(
        sorted({ArmKey(row.system, row.condition, row.intervention) for row in rows if row.intervention})
    )


def annotated(run: Run) -> frozenset[str]:
    """Return the names of a run's interventions that use the annotation, as its manifest has it."""
    said = run.manifest.get("interventions", {})
    return frozenset(name for name, about in said.items() if about["annotated"])


def remarks(run: Run) -> dict[str, str]:
    """Return what tables must say of a run's interventions, by name, as its manifest has it."""
    said = run.manifest.get("interventions", {})
    return {name: about["remark"] for name, about in said.items() if about.get("remark")}


def design_of(config: RunConfig) -> Design:
    """Return what a run set out to do, as analysis wants to know it."""
    embedded = {
        role
        for role, model in (
            ("writer", config.writer),
            ("reader", config.reader),
            ("embedder", config.embedder),
        )
        if model == EMBEDDED
    }
    if config.filter == EMBEDDED:
        embedded.add("filter")
    if all(judge == EMBEDDED for judge in config.judges):
        embedded.add("judge")
    return Design(
        systems=config.systems,
        conditions=config.conditions,
        cases=config.cases,
        trials=config.trials,
        k={system: k for system in config.systems if (k := _k(system, config.k))},
        embedded=frozenset(embedded),
        judges=tuple(LEXICAL if judge == EMBEDDED else judge for judge in config.judges),
    )


def losses_of(losses: list[LostMemory]) -> list[LossCount]:
    """Count what was lost by system and kind, with the first of each as an example."""
    by_kind: dict[tuple[str, str], list[LostMemory]] = defaultdict(list)
    for lost in losses:
        by_kind[lost.cell.system, lost.loss.kind].append(lost)
    return [
        LossCount(
            system=system,
            kind=kind,
            losses=len(found),
            sessions=len({(lost.cell, lost.session) for lost in found}),
            example=found[0].loss.detail,
        )
        for (system, kind), found in sorted(by_kind.items())
    ]


def _k(system: str, asked: int) -> str:
    """Say how many records a system retrieves; nothing where it is no longer there to ask."""
    try:
        spec = find(system)
    except MemJoinError:
        return ""
    if spec.k == "honoured":
        return f"k={asked}"
    return "its own k" if spec.k_own is None else f"k={spec.k_own}, its own"
