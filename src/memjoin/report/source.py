"""What the tables of a run take, read from the run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import repeat
from types import MappingProxyType
from typing import Any

from memjoin.analysis import tables
from memjoin.analysis.builders.pairs import LossCount
from memjoin.analysis.design import FILTER, ArmKey, Design
from memjoin.analysis.families import Family
from memjoin.analysis.results import Results, compute
from memjoin.analysis.table import Table
from memjoin.errors import MemJoinError
from memjoin.judging.contradictions import of_rows
from memjoin.judging.lexical import NAME as LEXICAL
from memjoin.judging.verdict import VerdictRow
from memjoin.models.names import EMBEDDED
from memjoin.runs.arms import arms_of
from memjoin.runs.cell import Cell
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
    judges = known(run.config.judges, run.manifest.get("judges"))
    said = _Said()
    results = compute(said.of(run.rows()), design_of(run.config, run.manifest), own)
    told = (*warnings(judges), *of_rows(said.rows()))
    design = replace(results.design, warnings=told)
    return replace(results, frame=replace(results.frame, design=design))


class _Said:
    """What verdicts say of the task, counted as they go by, so that none needs to be kept."""

    def __init__(self) -> None:
        self._times: Counter[tuple[Any, ...]] = Counter()
        self._first: dict[tuple[Any, ...], VerdictRow] = {}

    def of(self, rows: Iterable[VerdictRow]) -> Iterator[VerdictRow]:
        """Return the rows, one after the other."""
        for row in rows:
            kind = (row.status, row.completed, row.refusal, row.grade)
            self._times[kind] += 1
            self._first.setdefault(kind, row)
            yield row

    def rows(self) -> Iterator[VerdictRow]:
        """Return for every row that went by one that says the same of the task."""
        for kind, times in self._times.items():
            yield from repeat(self._first[kind], times)


def design_of(config: RunConfig, manifest: Mapping[str, Any] = MappingProxyType({})) -> Design:
    """Return what a run set out to do, as analysis wants to know it.

    Args:
        config: The run's configuration.
        manifest: The run's manifest, for what it says of systems and interventions.
    """
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
    interventions = manifest.get("interventions", {})
    return Design(
        systems=config.systems,
        conditions=config.conditions,
        cases=config.cases,
        trials=config.trials,
        titles=_titles(manifest.get("systems", {})),
        k={system: k for system in config.systems if (k := _k(system, config.k))},
        embedded=frozenset(embedded),
        judges=tuple(LEXICAL if judge == EMBEDDED else judge for judge in config.judges),
        treated=_treated(config),
        annotated=frozenset(name for name, about in interventions.items() if about["annotated"]),
        # A manifest of before M5 was not the only filter does not say which are.
        filters=frozenset(name for name, about in interventions.items() if about.get("filter")) | {FILTER},
        remarks={name: about["remark"] for name, about in interventions.items() if about.get("remark")},
    )


def _treated(config: RunConfig) -> tuple[ArmKey, ...]:
    """Return the arms with an intervention that a run plans."""
    return tuple(
        sorted(
            ArmKey(system, *arm)
            for system in ("", *config.systems)
            for arm in arms_of(Cell(system, "", 0), config.conditions, config.interventions)
            if arm.intervention
        )
    )


def _titles(systems: Mapping[str, Any]) -> dict[str, str]:
    """Return what prose calls each system: its title, with the configuration if it has several."""
    titles = {}
    for name, about in systems.items():
        _, _, configuration = name.partition(":")
        title = about.get("title", name)
        named = title in name or not re.fullmatch(r"[\w-]+", configuration)
        titles[name] = title if named or not configuration else f"{title} ({configuration})"
    shared = Counter(titles.values())
    return {name: title if shared[title] == 1 else name for name, title in titles.items()}


def losses_of(losses: Iterable[LostMemory]) -> list[LossCount]:
    """Count what was lost by system and kind, with the first of each as an example.

    Args:
        losses: What was lost, those of one session in a row.
    """
    counts: dict[tuple[str, str], LossCount] = {}
    last: dict[tuple[str, str], tuple[Cell, str]] = {}
    for lost in losses:
        kind, place = (lost.cell.system, lost.loss.kind), (lost.cell, lost.session)
        count = counts.get(kind) or LossCount(*kind, losses=0, sessions=0, example=lost.loss.detail)
        another = last.get(kind) != place
        counts[kind] = replace(count, losses=count.losses + 1, sessions=count.sessions + another)
        last[kind] = place
    return [count for _, count in sorted(counts.items())]


def _k(system: str, asked: int) -> str:
    """Say how many records a system retrieves; nothing where it is no longer there to ask."""
    try:
        spec = find(system)
    except MemJoinError:
        return ""
    if spec.k == "honoured":
        return f"k={asked}"
    return "its own k" if spec.k_own is None else f"k={spec.k_own}, its own"
