"""Departures of cue removal from the strata, and variants against their bound, by hand-made verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest

import paper
from memjoin.analysis.builders.paper.edits import departures, variants
from memjoin.analysis.design import ArmKey
from memjoin.analysis.results import compute
from memjoin.analysis.table import Table

CASES = tuple(f"c{number}" for number in range(4))
# M2 hides values itself: what its combination with M3 does says nothing of M3.
ARMS = ("", "M3", "M3:detected", "M2+M3")
TREATED = tuple(ArmKey("amem", "retrieved", name) for name in ARMS[1:])
VISIBLE, GONE = "All values visible", "A value no longer visible"
HIDDEN = (False, False)
SEEN = {
    # (available, joinable) without, with M3 and with M3:detected, by case. c0 to c2 keep values in view.
    "c0": ((True, True), (True, False), (True, False), HIDDEN),
    "c1": ((True, True), (True, True), (True, True), HIDDEN),  # the memory wrote the join down
    "c2": ((True, True), (False, False), (True, True), HIDDEN),  # a value went with a cue
    "c3": ((True, True), (True, False), (False, False), HIDDEN),  # a cue is a value, and all are there
}


@pytest.fixture(scope="module")
def tables() -> tuple[Table, Table]:
    first = next(row for row in paper.rows() if (row.system, row.condition) == ("amem", "retrieved"))
    assert first.input is not None
    rows = [
        replace(
            first,
            case=case,
            trial=0,
            intervention=intervention,
            stratum="separated" if case == "c3" else "values-visible",
            store=None,
            input=replace(first.input, available=available, joinable=joinable, unreadable=False),
        )
        for case, arms in SEEN.items()
        for intervention, (available, joinable) in zip(ARMS, arms, strict=True)
    ]
    design = paper.design(
        systems=("amem",),
        conditions=("retrieved",),
        cases=CASES,
        trials=1,
        treated=TREATED,
        annotated=frozenset({"M3"}),
        resamples=50,
    )
    results = compute(rows, design)
    return departures(results), variants(results)


def counts(table: Table, at: int, *names: str) -> list[object]:
    columns = [column.key for column in table.columns]
    return [table.rows[at][columns.index(name)].value for name in names]


def test_departures_are_counted_by_stratum(tables):
    wanted = ("inputs", "joinable_control", "joinable", "available_control", "available", "odd")
    found = {
        (table_row[0].text, table_row[1].text): counts(tables[0], at, *wanted)
        for at, table_row in enumerate(tables[0].rows)
    }
    assert found == {
        (GONE, "amem + M3"): [1, 1, 0, 1, 1, 1],
        (GONE, "amem + M3:detected"): [1, 1, 0, 1, 0, 0],
        (VISIBLE, "amem + M3"): [3, 3, 1, 3, 2, 1],
        (VISIBLE, "amem + M3:detected"): [3, 3, 2, 3, 3, 0],
    }


def test_a_variant_is_set_against_its_bound(tables):
    [row] = tables[1].rows
    assert [row[0].text, row[1].text] == ["amem + M3:detected", "amem + M3"]
    assert counts(tables[1], 0, "joinable_own", "joinable_most") == [2, 3]
    share = row[[column.key for column in tables[1].columns].index("joinable_share")]
    assert (share.text, share.numerator, share.denominator) == ("66.7", 2, 3)


def test_every_table_with_a_bound_says_so(tables):
    for table in tables:
        assert any(note.startswith("M3: edited by the evaluator's annotation") for note in table.notes)


def test_combinations_know_what_they_are_made_of():
    both = ArmKey("", "history", "M1+M3:detected")
    assert both.kinds == ("M1", "M3")
    assert both.untreated == ArmKey("", "itemized")
    assert paper.design().filtered(ArmKey("amem", "retrieved", "M1+M5"))
    assert not paper.design().filtered(both)
    assert ArmKey("amem", "retrieved").kinds == ()
