"""A user's own filter of answers stands wherever M5 does."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

import paper
from memjoin.analysis import figures
from memjoin.analysis.builders.paper import paper_tables
from memjoin.analysis.design import ArmKey, Design
from memjoin.analysis.results import Results, compute
from memjoin.analysis.table import Table
from memjoin.judging.verdict import VerdictRow

OWN = "my_defences:Careful"
PLAIN, BY_M5, BY_OWN = (ArmKey("amem", "retrieved", name) for name in ("", "M5", OWN))


def design(**changes: object) -> Design:
    values = {
        "systems": ("amem",),
        "conditions": ("retrieved",),
        "treated": (BY_M5, BY_OWN),
        "titles": {"amem": "A-Mem"},
        "filters": frozenset({"M5", OWN}),
        "resamples": 200,
    }
    return paper.design(**{**values, **changes})


def rows() -> Iterator[VerdictRow]:
    for row in paper.rows():
        if (row.system, row.condition) == ("amem", "retrieved") and row.intervention in ("", "M5"):
            yield row
            if row.intervention:
                yield replace(row, intervention=OWN)


@pytest.fixture(scope="module")
def results() -> Results:
    return compute(rows(), design())


def texts_of(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_tables_f5_to_f7_have_a_row_for_each_filter(results: Results) -> None:
    tables = {table.name: table for table in paper_tables(results)}
    for name in ("table-f5", "table-f6", "table-f7"):
        ours, theirs = texts_of(tables[name])
        assert (ours[0], theirs[0]) == ("A-Mem + M5", f"A-Mem + {OWN}")
        assert ours[1:] == theirs[1:], name
    assert texts_of(tables["table-f7"])[1][1:6] == ["239", "615", "10", "625", "864"]


def test_what_is_a_filter_is_no_edit_of_the_input(results: Results) -> None:
    tables = {table.name: table for table in paper_tables(results)}
    assert not tables["table-f1"].rows
    operations = {row[1].text: row[-1].text for row in tables["table-3"].rows}
    assert operations[OWN] == operations["M5 Output filtering"] == "–"
    # A design that does not know of it takes it for an edit, as any other intervention.
    unaware = compute(rows(), design(filters=frozenset({"M5"})))
    tables = {table.name: table for table in paper_tables(unaware)}
    assert [row[1].text for row in tables["table-f1"].rows] == [f"A-Mem + {OWN}"]


def test_figure_4_has_every_filter(results: Results) -> None:
    shifts = figures.shifts(results)
    assert [(shift.intervention, shift.filters) for shift in shifts] == [("M5", True), (OWN, True)]
    assert shifts[0].changes == shifts[1].changes


def test_a_filter_is_known_by_its_name_alone_with_a_variant_and_with_others() -> None:
    planned = design()
    filtered = ("M5", "M5:strict", "M1+M5", OWN, f"M1+{OWN}")
    assert all(planned.filtered(PLAIN._replace(intervention=name)) for name in filtered)
    edits = ("", "M1", "M3:detected", "my_defences:First", "M1+M3")
    assert not any(planned.filtered(PLAIN._replace(intervention=name)) for name in edits)
