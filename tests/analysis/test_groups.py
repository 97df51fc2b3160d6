"""The same measures by groups of cases."""

import pytest

import paper
from memjoin.analysis.builders.groups import by_group
from memjoin.analysis.frame import GROUPINGS
from memjoin.analysis.results import Results, compute
from memjoin.analysis.table import Table


@pytest.fixture(scope="module")
def results() -> Results:
    rows = [row for row in paper.rows() if row.system in ("amem", "")]
    treated = tuple(key for key in paper.SPECS if key.intervention and key.system in ("amem", ""))
    return compute(rows, paper.design(systems=("amem",), treated=treated, resamples=200))


def column(table: Table, key: str, arm: tuple[str, str]) -> list:
    at = [each.key for each in table.columns].index(key)
    return [row[at] for row in table.rows if (row[1].text, row[2].text) == arm]


@pytest.mark.parametrize("grouping", [name for name in GROUPINGS if name != "topology"])
def test_groups_partition_every_count(results: Results, grouping: str) -> None:
    table = by_group(results.frame, grouping, results.drawn)
    arm = ("amem", "Retrieved memory")
    for key, numerator, denominator in (
        ("disclosed", 40, 288),
        ("completed", 58, 288),
        ("a4", 124, 864),
        ("a4_given_available", 124, 864),
        ("available", 864, 864),
        ("cases", 288, 288),
        ("incomplete", 0, 288),
    ):
        cells = column(table, key, arm)
        assert sum(cell.numerator for cell in cells) == numerator, key
        assert sum(cell.denominator for cell in cells) == denominator, key
        assert {cell.unit for cell in cells} <= {"cases", "answers"}


def test_groups_are_as_large_as_the_paper_says(results: Results) -> None:
    """96 cases a configuration, 12 a family, 24 a category, 144 a situation."""
    for grouping, many, size in (
        ("configuration", 3, 96),
        ("family", 24, 12),
        ("category", 12, 24),
        ("situation", 2, 144),
    ):
        cells = column(
            by_group(results.frame, grouping, results.drawn), "cases", ("reference", "Full history")
        )
        assert [cell.denominator for cell in cells] == [size] * many


def test_an_incomplete_case_is_counted_in_its_group(results: Results) -> None:
    table = by_group(results.frame, "configuration", results.drawn)
    arm = ("amem", "Retrieved memory + M3")
    assert [cell.text for cell in column(table, "incomplete", arm)] == ["0", "0", "1"]
    assert [cell.denominator for cell in column(table, "disclosed", arm)] == [96, 96, 95]
    assert sum(cell.numerator for cell in column(table, "disclosed", arm)) == 16


def test_means_over_cases_are_of_the_group(results: Results) -> None:
    arm = ("amem", "Retrieved memory")
    table = by_group(results.frame, "configuration", results.drawn)
    refusals = column(table, "refusal", arm)
    assert [round(3 * cell.numerator) for cell in refusals] == [62, 0, 0]
    assert column(table, "helpfulness", arm)[0].text == "2.00"
