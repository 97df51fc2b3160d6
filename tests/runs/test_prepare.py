"""What a user asks for, made into a run that is known in full."""

from dataclasses import fields, replace

import pytest

from memjoin.conditions.views import DEFAULT_CONDITIONS
from memjoin.errors import MemJoinError
from memjoin.runs.config import difference
from memjoin.runs.prepare import Wanted, prepare
from memjoin.systems import registry

WANTED = Wanted(cases=("F19",), systems=("verbatim",))


def changes(wanted, before=WANTED):
    return difference(prepare(before).config.plain(), prepare(wanted).config.plain())


def test_without_flags_a_run_is_quick_embedded_and_over_the_default_systems():
    prepared = prepare(Wanted())
    config = prepared.config
    assert len(config.cases) == 24
    assert config.systems == tuple(spec.name for spec in registry.defaults())
    assert config.conditions == DEFAULT_CONDITIONS
    assert {config.writer, config.reader, config.embedder, *config.judges} == {"embedded"}
    assert config.trials == 1
    assert prepared.embedded == {"writer", "reader", "judge", "embedder"}
    assert Wanted().name == "quick"


def test_the_name_of_a_run_follows_how_its_cases_are_chosen():
    assert Wanted(preset="full").name == "full"
    assert Wanted(cases=("F19",)).name == "cases"
    assert Wanted(cases=("F19",), preset="quick").name == "quick"


@pytest.mark.parametrize(
    "changed", [{"reader": "openai/gpt"}, {"judges": ("openai/gpt",)}, {"judges": ("embedded", "openai/gpt")}]
)
def test_three_trials_where_a_model_has_a_part(changed):
    assert prepare(replace(WANTED, **changed)).config.trials == 3
    assert prepare(replace(WANTED, **changed, trials=2)).config.trials == 2


def test_a_writer_that_nobody_asks_makes_no_trials():
    assert prepare(replace(WANTED, writer="openai/gpt")).config.trials == 1
    assert prepare(replace(WANTED, writer="openai/gpt", systems=("mem0",))).config.trials == 3
    assert "writer" not in prepare(WANTED).embedded


def test_no_key_is_needed_to_prepare(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert prepare(replace(WANTED, reader="openai/gpt")).config.reader == "openai/gpt"


def test_the_same_wish_is_the_same_run():
    assert prepare(WANTED).config.hash == prepare(WANTED).config.hash


ALIKE = {"preset": "full", "conditions": DEFAULT_CONDITIONS, "trials": 1}
CHANGED = {
    "systems": ("verbatim", "mem0"),
    "conditions": ("all",),
    "cases": ("F20",),
    "preset": "quick",
    "trials": 2,
    "writer": "openai/gpt",
    "reader": "openai/gpt",
    "judges": ("openai/gpt",),
    "embedder": "openai/text",
    "k": 3,
    "seed": 9,
    "temperature": None,
    "interventions": ("M1",),
    "filter": "openai/gpt",
}


@pytest.mark.parametrize("name", [field.name for field in fields(Wanted)])
def test_every_flag_that_changes_results_changes_the_run(name):
    # Twelve cases are fewer than quick takes, so here both presets are all of them.
    expected = name != "preset"
    before = replace(WANTED, interventions=("M5",)) if name == "filter" else WANTED
    assert bool(changes(replace(before, **{name: CHANGED[name]}), before)) == expected


def test_a_filter_that_nothing_asks_is_refused():
    with pytest.raises(MemJoinError, match="--filter openai/gpt has nothing to do") as raised:
        prepare(replace(WANTED, filter="openai/gpt"))
    assert "--intervention M5" in raised.value.hint


@pytest.mark.parametrize("name", ALIKE)
def test_saying_what_is_so_anyway_changes_nothing(name):
    assert changes(replace(WANTED, **{name: ALIKE[name]})) == []


def test_a_changed_program_is_another_system(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "own.sh"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    before = prepare(replace(WANTED, systems=("exec: ./own.sh",)))
    program.write_text("#!/bin/sh\nexit 1\n")
    after = prepare(replace(WANTED, systems=("exec: ./own.sh",)))
    [line] = difference(before.config.plain(), after.config.plain())
    assert line.startswith("fingerprint of the system exec: ./own.sh: was ")


def test_a_changed_class_is_another_system(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wanted = replace(WANTED, systems=("prepared_here:Own",))
    hashes = set()
    for text in ("class Own: pass\n", "class Own: ...\n"):
        (tmp_path / "prepared_here.py").write_text(text)
        hashes.add(prepare(wanted).config.hash)
    assert len(hashes) == 2


def test_a_system_named_twice_is_measured_once():
    assert prepare(replace(WANTED, systems=("verbatim", "verbatim"))).config.systems == ("verbatim",)


def test_a_system_without_its_configuration_is_the_bare_one():
    assert prepare(replace(WANTED, systems=("memorybank",))).config.systems == ("memorybank:repository",)


def test_references_need_no_system():
    prepared = prepare(Wanted(cases=("F19",), conditions=("history", "task-only")))
    assert prepared.config.systems == ()
    assert prepared.embedded == {"reader", "judge"}
    with pytest.raises(MemJoinError, match="uses a memory system"):
        prepare(replace(WANTED, conditions=("history",)))


def test_the_manifest_has_the_lock_of_a_system_and_its_options():
    manifest = prepare(replace(WANTED, systems=("mem0",))).manifest()
    mem0 = manifest["systems"]["mem0"]
    assert mem0["version"] == "2.2.1"
    assert len(mem0["lock_sha256"]) == len(mem0["program_sha256"]) == 64
    assert mem0["options"]["threshold"] == 0.1
