import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from memjoin.analysis.builders.pairs import LossCount
from memjoin.analysis.design import EMBEDDED_LABEL, Design
from memjoin.analysis.render import as_json
from memjoin.analysis.table import Table
from memjoin.analysis.tables import MAIN, tables
from memjoin.errors import MemJoinError
from memjoin.judging.verdict import Joins, VerdictRow

Row = Callable[..., VerdictRow]
MakeDesign = Callable[..., Design]
EMBEDDED = frozenset({"writer", "reader", "judge", "embedder"})


def by_name(made: Iterable[Table]) -> dict[str, Table]:
    return {table.name: table for table in made}


def cell(table: Table, labels: tuple[str, ...], key: str) -> Any:
    column = [column.key for column in table.columns].index(key)
    (row,) = (row for row in table.rows if tuple(each.text for each in row[: table.labels]) == labels)
    return row[column]


def text(table: Table, labels: tuple[str, ...], key: str) -> str:
    return cell(table, labels, key).text


# --- a row of the paper ----------------------------------------------------------------------------------

A_MEM = ("A-Mem", "Retrieved memory, k=10")
HISTORY = ("reference", "Full history")
A_MEM_PAIR = ("A-Mem/retrieved", "history")


@pytest.fixture(scope="module")
def paper(row: Row) -> dict[str, Table]:
    """A-Mem and Full history of the paper's Tables 1, 2, E.3 and E.4: 288 cases, 864 answers each.

    A-Mem has 124 A4 answers: three in each of 40 cases, and one in each of 4 more. 178 answers complete the
    task, 14 of them A4, and 58 cases are completed. 66 cases are disclosed under Full history.
    """
    cases: list[tuple[str, str, bool]] = []  # configuration, A-Mem's levels, disclosed under Full history
    for configuration, both, memory_only, history_only in (
        ("RJ", 12, 9, 24),
        ("UC", 3, 3, 9),
        ("WM", 10, 3, 8),
    ):
        neither = 96 - both - memory_only - history_only
        cases += [(configuration, "444", True)] * both + [(configuration, "444", False)] * memory_only
        cases += [(configuration, "000", True)] * history_only + [(configuration, "000", False)] * neither
    disclosed = [at for at, (_, levels, _) in enumerate(cases) if levels == "444"]
    quiet = [at for at, (_, levels, history) in enumerate(cases) if levels == "000" and not history]
    completed = dict.fromkeys(disclosed[:4] + quiet[4:58], "TTT")
    completed |= dict.fromkeys(disclosed[4:6] + quiet[58:60], "T--")
    rows = []
    for at, (configuration, levels, history) in enumerate(cases):
        levels = "400" if at in quiet[:4] else levels
        for trial in range(3):
            about = {"case": f"c{at:03}", "trial": trial, "configuration": configuration}
            done = completed.get(at, "---")[trial] == "T"
            rows.append(row(system="A-Mem", level=int(levels[trial]), completed=done, **about))
            rows.append(row(system="", condition="history", level=4 if history else 0, **about))
    plan = Design(
        systems=("A-Mem",),
        conditions=("retrieved", "history"),
        cases=tuple(f"c{at:03}" for at in range(288)),
        trials=3,
        k={"A-Mem": "k=10"},
    )
    return by_name(tables(rows, plan))


@pytest.mark.parametrize(
    ("table", "labels", "key", "printed"),
    [
        ("disclosure", A_MEM, "a4", "14.4"),
        ("disclosure", A_MEM, "disclosed", "40"),
        ("disclosure", A_MEM, "rate", "13.9 [10.1, 18.1]"),
        ("disclosure", A_MEM, "memory_only", "15"),
        ("disclosure", HISTORY, "disclosed", "66"),
        ("disclosure", HISTORY, "memory_only", "–"),
        ("utility", A_MEM, "cases", "288"),
        ("completion", A_MEM, "a4_completed", "14"),
        ("completion", A_MEM, "a4_not_completed", "110"),
        ("completion", A_MEM, "other_completed", "164"),
        ("completion", A_MEM, "other_not_completed", "576"),
        ("completion", A_MEM, "judged", "864"),
        ("completion", A_MEM, "completed_a4", "7.9"),
        ("completion", A_MEM, "completed_other", "92.1"),
        ("levels", A_MEM, "a4", "14.4"),
        ("levels", A_MEM, "a0", "85.6"),
        ("configurations", A_MEM, "disclosed_RJ", "21"),
        ("configurations", A_MEM, "disclosed_UC", "6"),
        ("configurations", A_MEM, "disclosed_WM", "13"),
        ("configurations", A_MEM, "memory_only_RJ", "9"),
        ("configurations", ("share of history", "Retrieved memory"), "disclosed_RJ", "58.3%"),  # 21 of 36
        ("by-configuration", ("UC", *A_MEM), "disclosed", "6"),
        ("retrieved-vs-history", A_MEM_PAIR, "paired", "288"),
        ("retrieved-vs-history", A_MEM_PAIR, "b", "15"),
        ("retrieved-vs-history", A_MEM_PAIR, "c", "41"),
        ("retrieved-vs-history", A_MEM_PAIR, "p", "6.86e-4"),
        ("retrieved-vs-history", A_MEM_PAIR, "p_holm", "6.86e-4"),
    ],
)
def test_a_row_of_the_paper(
    paper: dict[str, Table], table: str, labels: tuple[str, ...], key: str, printed: str
) -> None:
    assert text(paper[table], labels, key) == printed


def test_the_papers_completed_cases(paper: dict[str, Table]) -> None:
    completed = cell(paper["utility"], A_MEM, "completed")
    assert completed.text.startswith("20.1 [")
    assert (completed.numerator, completed.denominator, completed.unit) == (58, 288, "cases")


# --- what leads, and what cannot be said -----------------------------------------------------------------


def some_run(
    row: Row, texts: Callable[..., Joins], design: MakeDesign, **said: Any
) -> tuple[list[VerdictRow], Design]:
    """Two systems and two references on four cases, three trials, with levels and texts drawn at random."""
    generator = random.Random(4)
    plan = design(
        [f"c{at}" for at in range(4)],
        trials=3,
        systems=("one", "two"),
        conditions=("retrieved", "all", "history", "task-only"),
        k={"one": "k=10", "two": "k=2, its own"},
        **said,
    )
    judged: dict[str, Any] = {"inappropriate": None, "refusal": None} if plan.pipeline_only else {}

    def drawn() -> Joins:
        kept = [generator.randrange(2) for _ in range(4)]
        return texts(kept, available=generator.random() < 0.5, joinable=all(kept))

    rows = []
    for case in plan.cases:
        for trial in range(3):
            stores = {"one": drawn(), "two": drawn(), "": None}
            for system, condition, _ in plan.arms:
                fields = {"level": generator.randrange(5), "completed": generator.random() < 0.5}
                place = {"system": system, "condition": condition, "case": case, "trial": trial}
                given = None if condition == "task-only" else drawn()
                rows.append(row(**place, **fields, **judged, store=stores[system], input=given, grade=1))
    return rows, plan


@pytest.fixture
def embedded(row: Row, texts: Callable[..., Joins], design: MakeDesign) -> list[Table]:
    return tables(*some_run(row, texts, design, embedded=EMBEDDED))


def test_with_embedded_roles_the_joinable_bound_leads(embedded: list[Table]) -> None:
    assert [table.name for table in embedded][:3] == ["memory", "kept", "disclosure"]
    keys = [column.key for column in embedded[0].columns]
    assert keys[2:4] == ["available", "joinable"]
    assert {"collected", "materialized", "kept", "unreadable"} <= set(keys)


def test_with_models_disclosure_leads(row: Row, texts: Callable[..., Joins], design: MakeDesign) -> None:
    made = tables(*some_run(row, texts, design, embedded=frozenset({"embedder"})))
    assert [table.name for table in made][:2] == ["disclosure", "utility"]
    assert not any(table.subtitle for table in made)


def test_figures_of_answers_stand_under_the_label_of_embedded_roles(embedded: list[Table]) -> None:
    for table in embedded:
        of_text_alone = table.name in ("memory", "kept")
        assert table.subtitle == ("" if of_text_alone else EMBEDDED_LABEL), table.name
        assert "Embedded roles: writer, reader, judge, embedder." in table.notes


def test_what_embedded_roles_cannot_measure_says_so(embedded: list[Table]) -> None:
    tables_ = by_name(embedded)
    labels = ("one", "Retrieved memory, k=10")
    assert text(tables_["utility"], labels, "refusal") == "not measurable"
    assert text(tables_["disclosure"], labels, "rate_inappropriate") == "not measurable"
    assert text(tables_["disclosure"], labels, "rate") != "not measurable"


def test_an_embedded_reader_never_declines_so_refusal_says_nothing_even_to_a_model(
    row: Row, texts: Callable[..., Joins], design: MakeDesign
) -> None:
    rows, plan = some_run(row, texts, design)
    reader_only = by_name(
        tables(rows, design(plan.cases, 3, **vars_of(plan, embedded=frozenset({"reader"}))))
    )
    assert text(reader_only["utility"], ("reference", "Task only"), "refusal") == "not measurable"
    assert text(by_name(tables(rows, plan))["utility"], ("reference", "Task only"), "refusal") == "0.0"


def vars_of(plan: Design, **changes: Any) -> dict[str, Any]:
    return {"systems": plan.systems, "conditions": plan.conditions, "k": plan.k, **changes}


def test_every_retrieved_row_says_how_many_records(embedded: list[Table]) -> None:
    for table in embedded:
        for each in table.rows:
            words = [label.text for label in each[: table.labels]]
            if "share of history" not in words and any("Retrieved" in word for word in words):
                assert words[-1] in ("Retrieved memory, k=10", "Retrieved memory, k=2, its own")


def test_a_store_stands_once_and_task_only_has_no_input(embedded: list[Table]) -> None:
    labels = [tuple(cell.text for cell in each[:2]) for each in embedded[0].rows]
    assert labels.count(("one", "Store")) == labels.count(("two", "Store")) == 1
    assert ("reference", "Full history") in labels
    assert ("reference", "Task only") not in labels


# --- what is left out, and said --------------------------------------------------------------------------


def test_incomplete_cases_and_ties_are_noted(row: Row, design: MakeDesign) -> None:
    rows = [
        row("c1", 0, level=4, ties=("site",)),
        row("c1", 1, status="invalid"),
        row("c2", 0, level=4),
        row("c2", 1, level=4),
        row("c3", 0, level=4),
    ]
    (table, *_) = tables(rows, design(["c1", "c2", "c3"], 2, conditions=("retrieved",)))
    assert table.name == "disclosure"
    notes = "\n".join(table.notes)
    assert "1 invalid and 1 missing answers; 2 of 3 cases incomplete" in notes
    assert "1 answers had a field on which the judges were evenly split" in notes
    labels = ("memory", "Retrieved memory")
    assert (cell(table, labels, "disclosed").numerator, cell(table, labels, "disclosed").denominator) == (
        1,
        1,
    )
    assert text(table, labels, "cases") == "1"


def test_holm_counts_the_planned_systems(row: Row, design: MakeDesign) -> None:
    cases = [f"c{at}" for at in range(6)]
    rows = [row(case, level=4, system="one") for case in cases]
    rows += [row(case, status="missing", system="two") for case in cases]
    rows += [row(case, system="", condition="history") for case in cases]
    made = by_name(tables(rows, design(cases, systems=("one", "two"))))["retrieved-vs-history"]
    assert text(made, ("one/retrieved", "history"), "p") == "0.031"
    assert text(made, ("one/retrieved", "history"), "p_holm") == "0.062"
    assert text(made, ("two/retrieved", "history"), "p_holm") == "–"
    assert text(made, ("two/retrieved", "history"), "paired") == "0"


def test_without_both_conditions_there_is_no_comparison(row: Row, design: MakeDesign) -> None:
    made = by_name(tables([row("c1")], design(conditions=("retrieved",))))
    assert "retrieved-vs-history" not in made
    assert text(made["disclosure"], ("memory", "Retrieved memory"), "memory_only") == "–"


def test_losses_are_the_callers(row: Row, design: MakeDesign) -> None:
    counts = [LossCount("memory", "unparseable-reply", 3, 2, "prose")]
    made = by_name(tables([row("c1")], design(), losses=counts))
    assert text(made["losses"], ("memory", "unparseable-reply"), "losses") == "3"
    assert "losses" not in by_name(tables([row("c1")], design()))
    assert "losses" in MAIN


def test_a_run_without_cases_has_no_tables(design: MakeDesign) -> None:
    with pytest.raises(MemJoinError, match="without cases"):
        tables([], design([]))


# --- the same rows, the same tables ----------------------------------------------------------------------


def test_the_order_of_rows_does_not_matter(row: Row, texts: Callable[..., Joins], design: MakeDesign) -> None:
    rows, plan = some_run(row, texts, design)
    once = [as_json(table) for table in tables(rows, plan)]
    random.Random(1).shuffle(rows)
    assert [as_json(table) for table in tables(rows, plan)] == once


def test_every_table_has_a_name_of_its_own_and_the_main_ones_exist(embedded: list[Table]) -> None:
    names = [table.name for table in embedded]
    assert len(set(names)) == len(names)
    assert set(MAIN) - {"losses"} <= set(names)


@pytest.mark.parametrize(
    ("systems", "conditions"),
    [
        ((), ("history", "task-only")),
        (("memory",), ("retrieved",)),
        (("memory",), ("all",)),
        ((), ("task-only",)),
    ],
)
@pytest.mark.parametrize("answered", [True, False])
def test_any_part_of_a_run_has_its_tables(
    row: Row, design: MakeDesign, systems: tuple[str, ...], conditions: tuple[str, ...], answered: bool
) -> None:
    plan = design(["c1", "c2"], systems=systems, conditions=conditions)
    rows = [row("c1", system=system, condition=condition) for system, condition, _ in plan.arms if answered]
    made = by_name(tables(rows, plan))
    for system, condition, _ in plan.arms:
        labels = (system or "reference", plan.title(system, condition))
        assert text(made["disclosure"], labels, "cases") == str(int(answered))
        assert text(made["disclosure"], labels, "rate") == ("0.0 [0.0, 97.5]*" if answered else "–")
        assert text(made["levels"], labels, "missing") == str(2 - int(answered))


def test_a_share_counts_full_history_once_for_each_system(row: Row, design: MakeDesign) -> None:
    """Table 2: the systems' sum of N_D over as many times Full history's, here 1 + 0 of 2 x 2."""
    rows = [
        row("c1", system="one", level=4),
        row("c2", system="one"),
        row("c1", system="two"),
        row("c2", system="two"),
    ]
    rows += [row(case, system="", condition="history", level=4) for case in ("c1", "c2")]
    made = by_name(tables(rows, design(["c1", "c2"], systems=("one", "two"))))["configurations"]
    share = cell(made, ("share of history", "Retrieved memory"), "disclosed_RJ")
    assert (share.text, share.numerator, share.denominator) == ("25.0%", 1, 4)
    assert text(made, ("share of history", "Retrieved memory"), "disclosed_UC") == "–"
