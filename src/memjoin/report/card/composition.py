"""What a set of cases is made of, by family, configuration, topology, category, situation and stratum."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memjoin.cases.family import Family
from memjoin.cases.properties import PROPERTIES
from memjoin.cases.schema import Case
from memjoin.cases.verify import verify
from memjoin.report.card.quantiles import Quantiles, quantiles


@dataclass(frozen=True, slots=True)
class FamilyCount:
    """One family's part in the set.

    ``services``, ``sites`` and ``recipients`` count what its cases use; ``offered`` services and ``places``
    sites are those that its file has, 0 where there is no such family in the package.
    """

    id: str
    title: str
    category: str
    situation: str
    cases: int
    services: int
    sites: int
    recipients: int
    offered: int
    places: int


@dataclass(frozen=True, slots=True)
class Composition:
    """How many cases of what. Counts are by name, in the order in which the cases have them."""

    cases: int
    families: tuple[FamilyCount, ...]
    categories: Mapping[str, int]
    situations: Mapping[str, int]
    configurations: Mapping[str, int]
    topologies: Mapping[str, int]
    strata: Mapping[str, Mapping[str, int]]
    """By configuration: how many cases of each stratum of cue removal (M3)."""
    failing: Mapping[str, int]
    """By property, P1 to P11: how many cases break it."""
    sessions: Quantiles
    clues: Quantiles
    decoys: Quantiles
    required: Quantiles
    people: Quantiles
    days: Quantiles
    """From the first session to the last."""


def compose(cases: Sequence[Case], known: Mapping[str, Family]) -> Composition:
    """Count what a set of cases is made of, and verify it.

    Args:
        cases: The cases.
        known: The families of the package, by id.
    """
    strata: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        strata[case.configuration][case.annotation.stratum] += 1
    report = verify(cases)
    return Composition(
        cases=len(cases),
        families=tuple(_families(cases, known)),
        categories=dict(Counter(case.category for case in cases)),
        situations=dict(Counter(case.situation for case in cases)),
        configurations=dict(Counter(case.configuration for case in cases)),
        topologies=dict(Counter(f"{case.configuration} {case.topology}" for case in cases)),
        strata={name: dict(counts) for name, counts in strata.items()},
        failing={name: len(report.failing(name)) for name in PROPERTIES},
        sessions=quantiles(len(case.sessions) for case in cases),
        clues=quantiles(sum(not clue.decoy for clue in case.annotation.clues) for case in cases),
        decoys=quantiles(sum(clue.decoy for clue in case.annotation.clues) for case in cases),
        required=quantiles(len(case.annotation.required) for case in cases),
        people=quantiles(len(case.annotation.people) for case in cases),
        days=quantiles(_days(case) for case in cases),
    )


def _families(cases: Sequence[Case], known: Mapping[str, Family]) -> list[FamilyCount]:
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.family, []).append(case)
    found = []
    for name, members in groups.items():
        family = known.get(name)
        used = Counter((kind, value.canonical) for case in members for kind, value in case.annotation.values)
        found.append(
            FamilyCount(
                id=name,
                title=family.title if family else "",
                category=members[0].category,
                situation=members[0].situation,
                cases=len(members),
                services=sum(kind == "service" for kind, _ in used),
                sites=sum(kind == "site" for kind, _ in used),
                recipients=len({case.task.recipient for case in members}),
                offered=len(family.services) if family else 0,
                places=len(family.sites) if family else 0,
            )
        )
    return found


def _days(case: Case) -> float:
    from datetime import date

    first, last = (date.fromisoformat(case.sessions[place].at[:10]) for place in (0, -1))
    return (last - first).days
