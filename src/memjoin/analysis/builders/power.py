"""What a number of cases could show, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from memjoin.analysis.power import Detectable
from memjoin.analysis.table import NOTHING, Cell, Column, Table


def detectable_differences(
    found: Sequence[Detectable], alpha: float, at_power: float, comparisons: int
) -> Table:
    """Return the smallest detectable difference for each discordance.

    Args:
        found: One row each, of one number of cases.
        alpha: Level of the family of comparisons.
        at_power: The probability of finding the difference.
        comparisons: Comparisons in the family; each is tested at alpha divided by it, as Holm's first step.
    """
    cases = found[0].cases
    family = "" if comparisons == 1 else f", in a family of {comparisons} comparisons"
    return Table(
        name="power",
        title=f"What {cases:,} paired cases can show",
        columns=(
            Column("discordance", "Discordance (%)"),
            Column("difference", "Detectable difference (points)"),
            Column("in_cases", "In cases"),
            Column("sides", "b, c, e.g."),
        ),
        rows=tuple(_row(each) for each in found),
        notes=(
            f"Two-sided exact McNemar test at level {alpha:g}{family}, power {at_power:g}.",
            "Discordance: share of cases that come out differently in the two arms, (b + c) of all. The "
            "difference hangs on it more than on anything else: two trials of one input show what it is when "
            "nothing differs. In cases: b - c, rounded up.",
            *([_RAISED] if any(_raised(each) for each in found) else []),
            *(
                [f"{'1 case is' if cases == 1 else f'{cases} cases are'} too few to detect any difference."]
                if any(each.difference is None for each in found)
                else []
            ),
        ),
    )


_RAISED = "With a star: even with all discordant cases on one side it takes more of them than assumed."


def _raised(each: Detectable) -> bool:
    return each.discordance > each.assumed


def _row(each: Detectable) -> tuple[Cell, ...]:
    heading = Cell(f"{100 * each.assumed:.1f}", each.assumed)
    if each.difference is None:
        return heading, Cell(NOTHING), Cell(NOTHING), Cell(NOTHING)
    star = "*" if _raised(each) else ""
    # A hair above the boundary that bisection leaves must not add a case.
    gain = int(-(-round(each.difference * each.cases, 6) // 1))
    b = round((each.discordance + each.difference) / 2 * each.cases)
    return (
        heading,
        Cell(f"{100 * each.difference:.1f}{star}", each.difference, gain, each.cases, "cases"),
        Cell(str(gain), gain, gain, each.cases, "cases"),
        Cell(f"{b}, {max(b - gain, 0)}"),
    )
