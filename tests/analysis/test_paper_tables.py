"""The paper's printed figures, from answers that have its counts, through the code of a run."""

from dataclasses import replace

import pytest

import paper
from memjoin.analysis.builders.paper import paper_tables
from memjoin.analysis.errors import VerdictTableError
from memjoin.analysis.results import Results, compute
from memjoin.analysis.table import NOT_MEASURABLE, NOT_RUN, Cell, Table

ONE_CASE = 100 / 287 + 0.05  # in points; the printed ends are rounded


@pytest.fixture(scope="module")
def results() -> Results:
    return compute(paper.rows(), paper.design())


@pytest.fixture(scope="module")
def tables(results: Results) -> dict[str, Table]:
    return {table.name: table for table in paper_tables(results)}


def cell(table: Table, row: str, key: str, block: str = "") -> Cell:
    """The cell of the row whose labels end with ``row``."""
    at = [column.key for column in table.columns].index(key)
    (found,) = (
        each for each in table.rows if each[table.labels - 1].text == row and each[0].text.startswith(block)
    )
    return found[at]


@pytest.mark.parametrize(
    ("table", "row", "key", "printed"),
    [
        # Table 1
        ("table-1", "amem", "retrieved_available", "100.0"),
        ("table-1", "amem", "retrieved_disclosed", "40"),
        ("table-1", "amem", "retrieved_rate", "13.9"),
        ("table-1", "amem", "retrieved_memory_only", "15"),
        ("table-1", "amem", "retrieved_a4_given_available", "14.4"),
        ("table-1", "amem", "retrieved_completed", "20.1"),
        ("table-1", "amem", "retrieved_refusal", "7.2"),
        ("table-1", "amem", "retrieved_helpfulness", "1.82"),
        ("table-1", "amem", "all_rate", "14.9"),
        ("table-1", "amem", "completed_a4", "7.9"),
        ("table-1", "amem", "completed_other", "92.1"),
        ("table-1", "langmem", "retrieved_available", "60.2"),
        ("table-1", "langmem", "retrieved_a4_given_available", "13.8"),
        ("table-1", "langmem", "retrieved_memory_only", "1"),
        ("table-1", "langmem", "completed_a4", "8.1"),
        ("table-1", "mem0", "retrieved_available", "64.8"),
        ("table-1", "mem0", "retrieved_a4_given_available", "14.1"),
        ("table-1", "mem0", "completed_a4", "8.0"),
        ("table-1", "mem0", "all_rate", "14.6"),
        ("table-1", "memgpt", "retrieved_a4_given_available", "10.8"),
        ("table-1", "memgpt", "retrieved_completed", "18.1"),
        ("table-1", "memgpt", "completed_other", "97.5"),
        ("table-1", "Full history", "retrieved_disclosed", "66"),
        ("table-1", "Full history", "all_rate", "–"),
        ("table-1", "Task only", "retrieved_available", "–"),
        # Table 2
        ("table-2", "amem", "retrieved_RJ", "21"),
        ("table-2", "amem", "all_WM", "12"),
        ("table-2", "amem", "memory_only_UC", "3"),
        ("table-2", "langmem", "memory_only_RJ", "0"),
        ("table-2", "mem0", "memory_only_UC", "4"),
        ("table-2", "memgpt", "retrieved_WM", "11"),
        ("table-2", "memgpt", "all_RJ", "23"),
        # (21 + 9 + 18 + 18 + 14 + 12) of 6 x 36
        ("table-2", "Share of history", "retrieved_RJ", "42.6%"),
        # Table 3
        ("table-3", "M1 Privacy instruction", "rate_before", "13.9"),
        ("table-3", "M1 Privacy instruction", "rate_after", "13.2"),
        ("table-3", "M1 Privacy instruction", "completed_after", "20.2"),
        ("table-3", "M1 Privacy instruction", "refusal_after", "2.6"),
        ("table-3", "M2 Value sanitization", "rate_after", "0.0"),
        ("table-3", "M2 Value sanitization", "completed_after", "5.2"),
        ("table-3", "M2 Value sanitization", "refusal_after", "26.9"),
        ("table-3", "M2 Value sanitization", "available_after", "0.0"),
        ("table-3", "M3 Cross-record cue removal", "paired", "287"),
        ("table-3", "M3 Cross-record cue removal", "rate_after", "5.6"),
        ("table-3", "M3 Cross-record cue removal", "completed_after", "19.2"),
        ("table-3", "M3 Cross-record cue removal", "refusal_after", "14.1"),
        ("table-3", "M3 Cross-record cue removal", "available_after", "72.2"),
        ("table-3", "M4 Retrieval budget", "paired", "288"),
        ("table-3", "M4 Retrieval budget", "completed_before", "20.1"),
        ("table-3", "M4 Retrieval budget", "completed_after", "13.2"),
        ("table-3", "M4 Retrieval budget", "refusal_after", "9.0"),
        ("table-3", "M5 Output filtering", "available_after", "–"),
    ],
)
def test_the_main_tables(tables: dict[str, Table], table: str, row: str, key: str, printed: str) -> None:
    assert cell(tables[table], row, key, "amem" if table == "table-3" else "").text == printed


@pytest.mark.parametrize(
    ("table", "row", "key", "block", "printed"),
    [
        ("table-e1", "Retrieved memory", "available_store", "amem", "100.0"),
        ("table-e1", "Retrieved memory", "a4", "amem", "14.4"),
        ("table-e1", "Retrieved memory", "rate", "amem", "13.9 [10.1, 18.1]"),
        ("table-e1", "All memory", "a4", "amem", "16.9"),
        ("table-e1", "Retrieved memory", "a4", "langmem", "8.3"),
        ("table-e1", "Retrieved memory", "rate", "langmem", "5.9 [3.5, 8.7]"),
        ("table-e1", "Task only", "rate_exact", "References", "[0.0, 1.3]"),
        ("table-e2", "Retrieved memory", "completed", "langmem", "13.5"),
        ("table-e2", "Retrieved memory", "refusal", "langmem", "9.7"),
        ("table-e2", "All memory", "completed", "amem", "16.3"),
        ("table-e2", "All memory", "refusal", "amem", "3.7"),
        ("table-e3", "Retrieved memory", "a4_completed", "amem", "14"),
        ("table-e3", "Retrieved memory", "a4_not_completed", "amem", "110"),
        ("table-e3", "Retrieved memory", "other_completed", "amem", "164"),
        ("table-e3", "Retrieved memory", "other_not_completed", "amem", "576"),
        ("table-e3", "Retrieved memory", "other_not_completed", "langmem", "656"),
        ("table-e3", "All memory", "a4_given_completed", "amem", "12.0"),
        ("table-e3", "All memory", "other_not_completed", "amem", "579"),
        ("table-e4", "amem", "p", "", "6.86e-4"),
        ("table-e4", "amem", "p_holm", "", "6.86e-4"),
        ("table-e4", "langmem", "p", "", "4.62e-14"),
        ("table-e4", "langmem", "p_holm", "", "2.77e-13"),
        ("table-e4", "mem0", "p", "", "1.52e-7"),
        ("table-e4", "mem0", "p_holm", "", "6.08e-7"),
        ("table-e4", "memgpt", "p", "", "1.21e-5"),
        ("table-e4", "memgpt", "p_holm", "", "2.43e-5"),
        ("table-e4", "memorybank", "p", "", "1.67e-7"),
        ("table-e4", "memorybank", "p_holm", "", "6.08e-7"),
        ("table-f1", "Full history + M1", "p_holm", "", "0.002"),
        ("table-f1", "Full history + M2", "p", "", "2.71e-20"),
        ("table-f1", "Full history + M2", "p_holm", "", "2.98e-19"),
        ("table-f1", "Full history + M2", "difference", "", "-23.0 [-27.9, -18.1]"),
        ("table-f1", "Full history (records) + M3", "reference", "", "Itemized history"),
        ("table-f1", "Full history (records) + M3", "control", "", "60"),
        ("table-f1", "Full history (records) + M3", "treated", "", "18"),
        ("table-f1", "Full history (records) + M3", "p", "", "7.46e-9"),
        ("table-f1", "amem + M1", "p", "", "0.878"),
        ("table-f1", "amem + M1", "p_holm", "", "0.878"),
        ("table-f2", "Full history + M1", "completed_treated", "", "20.6"),
        ("table-f2", "Full history + M1", "answer_pairs", "", "863"),
        ("table-f2", "Full history + M2", "completed_treated", "", "7.7"),
        ("table-f2", "Full history + M2", "answer_pairs", "", "862"),
        ("table-f2", "Full history + M2", "available_treated", "", "0.0"),
        ("table-f2", "Full history (records) + M3", "completed_control", "", "18.5"),
        ("table-f2", "Full history (records) + M3", "completed_treated", "", "16.0"),
        ("table-f2", "Full history (records) + M3", "available_treated", "", "72.2"),
        ("table-f3", "Full history + M1", "refusal_control", "", "3.9"),
        ("table-f3", "Full history + M1", "refusal_treated", "", "5.5"),
        ("table-f3", "Full history + M2", "refusal_treated", "", "26.4"),
        ("table-f3", "Full history (records) + M3", "refusal_treated", "", "11.0"),
        ("table-f3", "amem + M1", "refusal_treated", "", "2.6"),
        ("table-f1", "Full history (records) + M3", "p_holm", "", "4.47e-8"),
        ("table-f4", "Full history (records) + M3", "design", "All eligible", "288"),
        ("table-f4", "Full history (records) + M3", "paired", "All eligible", "287"),
        ("table-f4", "amem + M3", "control", "All eligible", "40"),
        ("table-f4", "amem + M3", "treated", "All eligible", "16"),
        ("table-f4", "memgpt + M3", "treated", "All eligible", "4"),
        ("table-f4", "amem + M3", "design", "Separation achieved", "288"),
        ("table-f4", "amem + M3", "treated", "Separation achieved", "16"),
        ("table-f4", "amem + M3", "design", "All values", "208"),
        ("table-2-cue-removal", "amem + M3", "paired", "All values", "207"),
        ("table-f5", "amem + M5", "a4_before", "", "124"),
        ("table-f5", "amem + M5", "a4_after", "", "1"),
        ("table-f5", "amem + M5", "disclosed_after", "", "0"),
        ("table-f5", "langmem + M5", "a4_before", "", "72"),
        ("table-f5", "memgpt + M5", "disclosed_after", "", "1"),
        ("table-f5", "memgpt + M5", "after_only", "", "1"),
        ("table-f6", "amem + M5", "completed_before", "", "20.1"),
        ("table-f6", "amem + M5", "completed_after", "", "27.8"),
        ("table-f6", "amem + M5", "refusal_after", "", "7.9"),
        ("table-f7", "amem + M5", "changed", "", "625"),
        ("table-f7", "langmem + M5", "changed", "", "580"),
        ("table-f7", "mem0 + M5", "changed", "", "561"),
        ("table-f7", "memgpt + M5", "changed", "", "573"),
        ("table-f7", "memorybank + M5", "changed", "", "672"),
        ("table-f7", "simplemem + M5", "changed", "", "609"),
        ("table-f7", "simplemem + M5", "total", "", "864"),
    ],
)
def test_the_appendix(
    tables: dict[str, Table], table: str, row: str, key: str, block: str, printed: str
) -> None:
    assert cell(tables[table], row, key, block).text == printed


@pytest.mark.parametrize(
    ("table", "row", "key", "printed"),
    [
        ("table-e4", "amem", "difference", (-9.0, -14.2, -4.2)),
        ("table-e4", "langmem", "difference", (-17.0, -21.5, -12.8)),
        ("table-e4", "mem0", "difference", (-13.5, -18.4, -8.7)),
        ("table-e4", "memgpt", "difference", (-11.8, -17.0, -6.9)),
        ("table-e4", "memorybank", "difference", (-14.2, -19.4, -9.0)),
        ("table-f1", "Full history + M1", "difference", (-9.1, -14.3, -4.2)),
        ("table-f1", "Full history + M2", "difference", (-23.0, -27.9, -18.5)),
        ("table-f1", "Full history (records) + M3", "difference", (-14.6, -19.5, -9.8)),
        ("table-f1", "amem + M1", "difference", (-0.7, -5.2, 3.8)),
        ("table-f1", "amem + M2", "difference", (-13.9, -18.1, -10.1)),
        ("table-f1", "amem + M3", "difference", (-8.4, -12.2, -4.5)),
        ("table-f1", "memgpt + M3", "difference", (-9.8, -13.2, -6.3)),
        ("table-f5", "langmem + M5", "difference", (-5.9, -8.7, -3.5)),
        ("table-f5", "mem0 + M5", "difference", (-9.4, -12.8, -6.2)),
        ("table-f5", "memgpt + M5", "difference", (-10.8, -14.6, -7.3)),
        ("table-f5", "memorybank + M5", "difference", (-8.7, -12.2, -5.6)),
        ("table-f6", "amem + M5", "completed_difference", (7.6, 2.8, 12.5)),
    ],
)
def test_paired_differences_exactly_and_their_intervals_within_one_case(
    tables: dict[str, Table], table: str, row: str, key: str, printed: tuple[float, float, float]
) -> None:
    found = cell(tables[table], row, key)
    assert found.interval is not None
    assert found.text.split()[0] == f"{printed[0]:+.1f}"
    assert [100 * bound for bound in found.interval] == pytest.approx(printed[1:], abs=ONE_CASE)


def test_the_interval_of_43_of_288_lies_on_an_edge(tables: dict[str, Table]) -> None:
    """Printed [11.1, 19.1]: at most 31 of 288 are drawn with probability 0.02498, so that it hangs on the
    draws (and with them on the order of the cases) whether the lower end is 31 or 32 cases, 10.8 or 11.1."""
    found = cell(tables["table-e1"], "All memory", "rate", "amem")
    assert found.text.startswith("14.9 [1")
    assert found.interval == pytest.approx((32 / 288, 55 / 288), abs=1.01 / 288)


def test_the_eleven_planned_interventions_are_one_family(results: Results) -> None:
    assert {family.name: len(family.pairs) for family in results.families} == {
        "retrieved-vs-history": 6,
        "interventions-primary": 11,
        "presentation": 1,
        "output-filtering": 8,
    }


def test_every_number_has_its_counts_and_unit(tables: dict[str, Table]) -> None:
    """A rate, a count of answers or cases, a difference: numerator, denominator, unit."""
    for table in tables.values():
        for row in table.rows:
            for column, each in zip(table.columns[table.labels :], row[table.labels :], strict=True):
                assert each.text != "", (table.name, column.key)
                if isinstance(each.value, (int, float)) and column.key not in ("p", "p_holm", "design"):
                    where = table.name, column.key
                    assert None not in (each.numerator, each.denominator), where
                    assert each.unit in ("cases", "answers", "pairs of answers"), where


def test_the_best_systems_are_marked(tables: dict[str, Table]) -> None:
    """Lowest disclosure, highest completion: LangMem and A-Mem of those that the paper prints."""
    marks = {
        row[1].text: row[[c.key for c in tables["table-1"].columns].index("retrieved_rate")].mark
        for row in tables["table-1"].rows
    }
    assert marks["langmem"] == "best"
    assert [system for system, mark in marks.items() if mark == "second"] == ["simplemem"]
    assert cell(tables["table-1"], "amem", "retrieved_completed").mark == "best"
    assert cell(tables["table-1"], "Full history", "retrieved_rate").mark == ""
    assert cell(tables["table-3"], "M1 Privacy instruction", "completed_after", "amem").mark == "best"
    assert cell(tables["table-f1"], "amem + M1", "p_holm").mark == ""
    assert cell(tables["table-f1"], "Full history + M1", "p_holm").mark == "best"


def test_a_filtered_answer_without_an_action_is_an_error_that_names_it() -> None:
    rows = [
        replace(row, action=None) if (row.system, row.case, row.trial) == ("mem0", "c007", 2) else row
        for row in paper.rows()
    ]
    with pytest.raises(VerdictTableError, match=r"row mem0/retrieved\+M5: 1 answers .* c007, trial 2"):
        paper_tables(compute(rows, paper.design()))


def test_tables_of_a_run_without_what_they_need_say_so() -> None:
    plain = paper.design(conditions=("retrieved",), treated=())
    rows = [row for row in paper.rows() if (row.condition, row.intervention) == ("retrieved", "")]
    tables = {table.name: table for table in paper_tables(compute(rows, plain))}
    assert len(tables) == 17
    assert cell(tables["table-1"], "amem", "all_rate").text == NOT_RUN
    assert cell(tables["table-1"], "amem", "retrieved_memory_only").text == NOT_RUN
    assert cell(tables["table-2"], "amem", "all_RJ").text == NOT_RUN
    for name in ("table-3", "table-e4", "table-f1", "table-f4", "table-f5", "table-f7"):
        assert not tables[name].rows
        assert tables[name].notes[0].startswith("No rows: the run needs"), name


def test_what_embedded_roles_cannot_measure_of_an_intervention() -> None:
    """The effect of an instruction on a reader that follows none; the utility of a filter on quotations."""
    embedded = paper.design(embedded=frozenset({"reader", "judge"}))
    tables = {table.name: table for table in paper_tables(compute(paper.rows(), embedded))}
    for key in ("rate_after", "rate_difference", "completed_after"):
        assert cell(tables["table-3"], "M1 Privacy instruction", key, "amem").text == NOT_MEASURABLE
    assert cell(tables["table-3"], "M1 Privacy instruction", "available_after", "amem").text == "100.0"
    assert cell(tables["table-3"], "M2 Value sanitization", "rate_after", "amem").text == "0.0"
    assert cell(tables["table-f6"], "amem + M5", "completed_difference").text == NOT_MEASURABLE
    assert cell(tables["table-f5"], "amem + M5", "disclosed_after").text == "0"
    assert all(table.subtitle for table in tables.values())
    # Figures of the pipeline at work are no ranking of systems.
    assert not any(cell.mark for name in ("table-1", "table-3") for row in tables[name].rows for cell in row)
