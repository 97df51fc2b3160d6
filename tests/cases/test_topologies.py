"""The plans of the topologies, as graphs: what their remarks state, before any wording."""

from __future__ import annotations

from itertools import combinations

import pytest

from memjoin.cases.remarks import Remark
from memjoin.cases.schema import TOPOLOGIES, Configuration
from memjoin.cases.surface import Surface, surface
from memjoin.cases.topologies import Plan, all_topologies, plan_for
from memjoin.text.graph import Attribute, Relation, Same, Statement, entails, relations

TARGET = Relation("N", "V", "S", "D")
PLANS = [
    pytest.param(plan_for(family, configuration, topology), id=f"{family}-{configuration}-{topology}")
    for configuration, topology in all_topologies()
    for family in (("F19", "F20") if topology == "value" else ("F19",))
]


def stands_for(variable: str) -> Surface:
    kind = {"S": "site", "D": "date"}.get(variable[0], "entry" if variable.islower() else "person")
    return surface(variable, (variable,), (variable,), None if variable.startswith("V") else kind)


def stated(remark: Remark | None) -> list[Statement]:
    """Return what a remark states, with variables for names."""
    if remark is None:
        return []
    return list(remark.statements({variable: stands_for(variable) for variable in remark.slots.values()}))


def clues(plan: Plan, steps: tuple[int, ...]) -> list[Statement]:
    return [statement for step in steps for statement in stated(plan.steps[step].clue)]


def names(statement: Statement) -> set[str]:
    if isinstance(statement, Same):
        return {statement.a.name, statement.b.name}
    return {statement.on.name, statement.value}


def test_every_topology_of_the_schema_has_a_plan() -> None:
    assert list(all_topologies()) == [
        (one, name) for one, all_of_it in TOPOLOGIES.items() for name in all_of_it
    ]


@pytest.mark.parametrize("plan", PLANS)
def test_all_four_clues_entail_the_target_and_nothing_else(plan: Plan) -> None:
    found = relations(clues(plan, (0, 1, 2, 3)))
    assert TARGET in found
    assert {(one.service, one.site, one.date) for one in found} == {("V", "S", "D")}


@pytest.mark.parametrize("plan", PLANS)
def test_no_three_clues_entail_it(plan: Plan) -> None:
    for size in range(4):
        for steps in combinations(range(4), size):
            assert not entails(clues(plan, steps), TARGET), steps


@pytest.mark.parametrize("plan", PLANS)
def test_without_what_names_a_cue_nothing_is_entailed(plan: Plan) -> None:
    left = [one for one in clues(plan, (0, 1, 2, 3)) if not names(one) & set(plan.cues)]
    assert relations(left) == frozenset()


@pytest.mark.parametrize("plan", PLANS)
def test_decoys_carry_all_kinds_and_entail_nothing(plan: Plan) -> None:
    decoys = [one for step in plan.steps for one in stated(step.decoy)]
    carried = {one.kind for one in decoys if isinstance(one, Attribute)}
    assert {"service", "site", "date"} <= carried
    assert len({one.on for one in decoys if isinstance(one, Attribute) and one.kind != "holder"}) >= 2
    assert relations(decoys) == frozenset()
    everything = [one for step in plan.steps for remark in (step.clue, step.decoy) for one in stated(remark)]
    assert {(one.service, one.site, one.date) for one in relations(everything)} == {("V", "S", "D")}


@pytest.mark.parametrize("plan", PLANS)
def test_the_subject_is_named_in_one_session_and_never_beside_the_service(plan: Plan) -> None:
    naming = [
        number
        for number, step in enumerate(plan.steps)
        if {"N"} & {variable for slot, variable in step.clue.slots.items() if slot != "old_who"}
    ]
    assert naming == [plan.named_in]
    assert "V" not in plan.steps[plan.named_in].clue.slots.values()


@pytest.mark.parametrize(("configuration", "topology"), [("RJ", "value"), ("UC", "redate"), ("WM", "place")])
def test_value_topologies_connect_by_a_value(configuration: Configuration, topology: str) -> None:
    for family in ("F19", "F20"):
        assert {"S", "D"} & set(plan_for(family, configuration, topology).cues)


def test_families_take_turns_in_connecting_by_site_and_by_date() -> None:
    cues = [("S" in plan_for(f"F{number:02}", "RJ", "value").cues) for number in range(1, 25)]
    assert cues == [True, False] * 12
    assert plan_for("Mine", "RJ", "value").cues in (("a", "S"), ("a", "D"))
