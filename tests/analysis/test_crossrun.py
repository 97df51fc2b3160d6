from collections.abc import Callable, Iterable

import pytest

from memjoin.analysis.builders.crossrun import runs_compared
from memjoin.analysis.crossrun import RunsCompared, compare_runs
from memjoin.analysis.design import Design
from memjoin.errors import MemJoinError
from memjoin.judging.verdict import VerdictRow

Row = Callable[..., VerdictRow]


def run(
    row: Row,
    disclosed: Iterable[bool],
    trials: int = 3,
    systems: tuple[str, ...] = ("memory",),
    first: int = 0,
) -> tuple[Callable[[], list[VerdictRow]], Design]:
    """A run in which a case is disclosed in all its trials or in none."""
    levels = list(disclosed)
    cases = tuple(f"c{first + at}" for at in range(len(levels)))
    rows = [
        row(case, trial, system=system, level=4 if level else 0, completed=level, grade=3 if level else 1)
        for system in systems
        for case, level in zip(cases, levels, strict=True)
        for trial in range(trials)
    ]
    return lambda: rows, Design(systems, ("retrieved",), cases, trials, resamples=500)


def verdicts(found: RunsCompared) -> dict[str, bool | None]:
    (comparison,) = found.comparisons
    return {name: found.verdict(comparison, name).differs for name in comparison.changes}


def test_a_fix_that_works_differs_and_its_direction_is_second_minus_first(row: Row) -> None:
    found = compare_runs(run(row, [True] * 12 + [False] * 28), run(row, [False] * 40))
    (comparison,) = found.comparisons
    assert str(comparison.treated) == "memory/retrieved"
    assert (comparison.disclosed.b, comparison.disclosed.c) == (0, 12)
    assert comparison.disclosed.difference == -12 / 40
    assert verdicts(found) == {"disclosed": True, "completed": True, "helpfulness": True, "refusal": False}


def test_a_run_against_itself_is_noise(row: Row) -> None:
    one = run(row, [True] * 12 + [False] * 28)
    found = compare_runs(one, one)
    assert set(verdicts(found).values()) == {False}
    assert found.comparisons[0].disclosed.p == 1.0


def test_few_changed_cases_are_noise_and_the_table_says_what_could_have_been_seen(row: Row) -> None:
    found = compare_runs(run(row, [True] * 3 + [False] * 37), run(row, [False] * 40))
    verdict = found.verdict(found.comparisons[0], "disclosed")
    assert verdict.differs is False
    assert verdict.detectable is not None
    assert 0.1 < verdict.detectable < 0.3
    table = runs_compared(found, ("before", "after"))
    cells = dict(zip([column.key for column in table.columns], table.rows[0], strict=True))
    assert table.title == "after (B) against before (A)"
    assert (cells["first"].text, cells["second"].text) == ("7.5", "0.0")
    assert cells["verdict"].text == "noise"
    assert cells["detectable"].text == f"{100 * verdict.detectable:.1f}"
    assert cells["within"].text == "0.0"


def test_only_common_cases_are_compared(row: Row) -> None:
    found = compare_runs(run(row, [True] * 10), run(row, [False] * 10, first=6))
    assert found.design.cases == ("c6", "c7", "c8", "c9")
    assert found.comparisons[0].paired == 4
    chosen = compare_runs(run(row, [True] * 10), run(row, [False] * 10), cases=["c1", "c2", "c99"])
    assert chosen.design.cases == ("c1", "c2")


def test_of_unequal_trials_as_many_are_used_as_both_have(row: Row) -> None:
    found = compare_runs(run(row, [True] * 4, trials=3), run(row, [True] * 4, trials=1))
    assert found.trials == 1
    assert found.comparisons[0].flips.within.value is None
    notes = " ".join(runs_compared(found, ("one", "other")).notes)
    assert "one trial has no floor" in notes


def test_arms_that_one_run_lacks_are_named(row: Row) -> None:
    found = compare_runs(run(row, [True] * 4, systems=("a", "b")), run(row, [True] * 4, systems=("b", "c")))
    assert [str(each.treated) for each in found.comparisons] == ["b/retrieved"]
    assert [str(key) for key in (*found.only_first, *found.only_second)] == ["a/retrieved", "c/retrieved"]


def test_holm_counts_every_common_input(row: Row) -> None:
    before = run(row, [True] * 6 + [False] * 4, systems=("a", "b"))
    found = compare_runs(before, run(row, [False] * 10, systems=("a", "b")))
    assert [each.disclosed.p for each in found.comparisons] == [2 / 64] * 2
    assert [each.disclosed.adjusted for each in found.comparisons] == [4 / 64] * 2


def test_nothing_in_common_is_said(row: Row) -> None:
    with pytest.raises(MemJoinError, match="no case in common"):
        compare_runs(run(row, [True]), run(row, [True], first=5))
    with pytest.raises(MemJoinError, match="no input in common") as error:
        compare_runs(run(row, [True], systems=("a",)), run(row, [True], systems=("b",)))
    assert "a/retrieved" in error.value.hint


def test_what_roles_cannot_measure_is_not_a_row_and_is_said(row: Row) -> None:
    rows, design = run(row, [True] * 4)
    embedded = Design(
        design.systems, design.conditions, design.cases, 3, embedded=frozenset({"reader"}), resamples=200
    )
    table = runs_compared(compare_runs((rows, embedded), (rows, design)), ("one", "other"))
    assert [each[1].text for each in table.rows] == ["DR", "TCR", "Help."]
    assert "Not measurable with these roles: Refusal." in table.notes
    assert table.subtitle
