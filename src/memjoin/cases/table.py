"""Cases and reports as rows and lines, for the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from memjoin.cases.properties import PROPERTIES
from memjoin.cases.schema import Case
from memjoin.cases.verify import Report
from memjoin.text.visible import visible

_COLUMNS = ("id", "situation", "configuration", "topology", "stratum", "sessions", "category")


def row(case: Case) -> dict[str, object]:
    """Return what a list tells of a case."""
    return {
        "id": case.id,
        "family": case.family,
        "category": case.category,
        "situation": case.situation,
        "configuration": case.configuration,
        "topology": case.topology,
        "stratum": case.annotation.stratum,
        "sessions": len(case.sessions),
        "turns": sum(len(session.turns) for session in case.sessions),
        "recipient": case.task.recipient,
    }


def lines(cases: Sequence[Case]) -> Iterator[str]:
    """Go through the lines of a table of cases, its head first."""
    rows = [_COLUMNS, *(tuple(visible(str(row(case)[name])) for name in _COLUMNS) for case in cases)]
    widths = [max(len(one[place]) for one in rows) for place in range(len(_COLUMNS))]
    for one in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(one, widths, strict=True)).rstrip()


def summary(cases: Sequence[Case], source: str) -> str:
    """Return a line that counts cases by configuration."""
    counts = Counter(case.configuration for case in cases)
    by = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    families = len({case.family for case in cases})
    number = "1 case" if len(cases) == 1 else f"{len(cases)} cases"
    return f"{number} of {source}; families: {families}; configurations: {by or 'none'}"


def report(found: Report) -> dict[str, object]:
    """Return a verification as JSON has it."""
    return {
        "cases": found.checked,
        "properties": {
            name: {
                "says": says(name),
                "checked": found.checked,
                "failing": list(found.failing(name)),
                "problems": [
                    {"case": one.case, "problem": one.problem}
                    for one in found.findings
                    if one.property == name
                ],
            }
            for name in PROPERTIES
        },
    }


def report_lines(found: Report) -> Iterator[str]:
    """Go through the lines of a verification: one for each property, then every finding."""
    for name in PROPERTIES:
        failing = found.failing(name)
        outcome = f"{len(failing)} fail" if failing else "all hold"
        yield f"{name:>4}  {found.checked} checked, {outcome:<9}  {says(name)}"
    for one in found.findings:
        yield visible(f"{one.case}: {one.property}: {one.problem}")
    broken = len({one.case for one in found.findings})
    cases = "1 case" if found.checked == 1 else f"{found.checked} cases"
    yield f"{cases} checked, {broken} of them break a property"


def says(name: str) -> str:
    """Return what a property says, in a line."""
    return (PROPERTIES[name].__doc__ or "").partition(": ")[2].strip()
