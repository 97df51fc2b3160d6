"""Interventions on what the six systems really store and retrieve: a run of one case, gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memjoin.conditions.interventions.annotated import REMOVED
from memjoin.runs.prepare import Wanted, prepare
from memjoin.runs.reader import Run
from memjoin.runs.run import run as start
from memjoin.systems import registry
from memjoin.text.tokens import has_any_phrase, tokens

SYSTEMS = tuple(spec.name for spec in registry.known() if spec.model_calls is not False and not spec.empty)
CASE = "F19-RJ-chain-01"
TREATED = ("retrieved+M2", "all+M2", "retrieved+M3", "all+M3", "all+M3:detected", "M4:items=2", "M5")


def wanted(*interventions):
    views = ("retrieved", "all")
    return prepare(Wanted(systems=SYSTEMS, cases=(CASE,), conditions=views, interventions=interventions))


def calls(folder):
    with Run(folder) as opened:
        return {f"{role} {system}": calls for role, system, calls, _, _ in opened.call_counts()}


@pytest.fixture
def folder(tmp_path_factory, quiet) -> Path:
    """The folder of a run without interventions that was gone on with; made once, when a test may connect."""
    root = tmp_path_factory.getbasetemp() / "six-systems"
    if not (root / "before.json").exists():
        finished = start(wanted(), root=root, name="six", reporter=quiet)
        assert finished.failed == ()
        before = calls(finished.folder.path)
        assert start(wanted(*TREATED), root=root, name="six", reporter=quiet).failed == ()
        (root / "before.json").write_text(json.dumps(before))
    return root / "six"


@pytest.fixture
def told(folder):
    """What the reader was given in an arm of a system, and its verdict."""
    with Run(folder) as opened:
        rows = {(row.system, row.place): row for row in opened.rows()}

        def look(system, place):
            items = opened.story(CASE, place, system).items
            return items, rows[system, place]

        yield look


def test_all_six_are_there():
    assert {name.partition(":")[0] for name in SYSTEMS} >= {
        *("amem", "langmem", "mem0", "memgpt", "memorybank", "simplemem")
    }


def test_stores_and_baselines_are_used_again_and_only_what_is_new_is_asked(folder):
    before, after = json.loads((folder.parent / "before.json").read_text()), calls(folder)
    fresh = {name: number - before.get(name, 0) for name, number in after.items()}
    inputs = sum("M5" not in place for place in TREATED)
    for system in SYSTEMS:
        assert fresh.pop(f"writer {system}") == 0
        assert fresh.pop(f"reader {system}") == inputs
        assert fresh.pop(f"filter {system}") == 1
    assert set(fresh.values()) <= {0}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("view", ["retrieved", "all"])
def test_m2_leaves_no_value_and_m3_no_cue_in_sight(system, view, told, folder):
    with Run(folder) as opened:
        annotation = opened.cases[CASE].annotation
    plain, control = told(system, view)
    masked, hidden = told(system, f"{view}+M2")
    cut, removed = told(system, f"{view}+M3")
    assert len(plain) == len(masked) == len(cut)
    values = [form for _, value in annotation.values for form in value.forms]
    cues = [form for cue in annotation.cues for form in cue.forms]
    # MemoryBank finds little, and forgets as published: where nothing is in sight, nothing can go.
    if not system.startswith("memorybank") or (system, view) == ("memorybank:repository", "all"):
        assert any(has_any_phrase(tokens(item), values) for item in plain)
        assert any(has_any_phrase(tokens(item), cues) for item in plain)
        assert any(REMOVED in item for item in cut)
    assert not any(has_any_phrase(tokens(item), values) for item in masked)
    assert not any(has_any_phrase(tokens(item), cues) for item in cut)
    assert not hidden.input.available
    assert not removed.input.joinable
    assert removed.input.available == control.input.available  # its values are no cues
    assert control.store == hidden.store == removed.store


@pytest.mark.parametrize("system", SYSTEMS)
def test_m4_keeps_the_first_items_and_m5_the_input(system, told):
    plain, _ = told(system, "retrieved")
    assert told(system, "retrieved+M4:items=2")[0] == plain[:2]
    items, row = told(system, "retrieved+M5")
    assert items == plain
    assert row.action in ("allow", "redact", "block")


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_arm_reads_the_store_that_its_control_reads(system, folder, told):
    with Run(folder) as opened:
        stored = opened.story(CASE, "all+M3", system).memory
        assert stored.hash == opened.story(CASE, "all", system).memory.hash
    assert told(system, "all")[0] == tuple(record.text for record in stored.exported)
