"""Verifying cases: which of the properties P1 to P11 hold, from the text and not from the builder's word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memjoin.cases.properties import PROPERTIES
from memjoin.cases.schema import Case
from memjoin.cases.seen import look


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken property of a case, in one sentence that names the place."""

    case: str
    property: str
    problem: str


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome for a set of cases: how many were checked, and every finding in order."""

    checked: int
    findings: tuple[Finding, ...]

    def failing(self, property: str) -> tuple[str, ...]:
        """Return the ids of the cases that break a property, each once, in order."""
        return tuple(dict.fromkeys(found.case for found in self.findings if found.property == property))


def findings(case: Case) -> list[Finding]:
    """Return what breaks the properties in one case; nothing where all of them hold."""
    seen = look(case)
    return [Finding(case.id, name, problem) for name, check in PROPERTIES.items() for problem in check(seen)]


def verify(cases: Iterable[Case]) -> Report:
    """Check every property of every case."""
    checked = 0
    found: list[Finding] = []
    for case in cases:
        checked += 1
        found.extend(findings(case))
    return Report(checked, tuple(found))
