"""`memjoin run`, `plan` and `show` on a system of one's own, without a key."""

import json

import pytest

from memjoin.cases import release
from memjoin.cases.files import write_cases

CASE = "F19-RJ-chain-01"
CASES = f"{CASE},F19-WM-slot-01"


@pytest.fixture
def ran(memjoin, program):
    own = program()
    return memjoin("run", "--cases", CASES, "--system", own, "--name", "mine"), own


def test_a_run_ends_with_tables_its_folder_and_what_to_do_next(ran, tmp_path):
    said, own = ran
    assert said.code == 0
    assert "joinable bound" in said.out
    assert "Embedded roles: the pipeline at work, not a language model." in said.out
    assert "All of it lies in runs/mine (tables/, ledger.sqlite, manifest.json)." in said.out
    assert f"memjoin show runs/mine {CASE} --system '{own}'" in said.out
    assert "One trial: embedded roles do the same every time; --trials runs more." in said.out
    assert "--reader" in said.out
    assert (tmp_path / "runs" / "mine" / "tables" / "memory.md").exists()


def test_what_to_do_next_is_said_in_the_words_that_the_user_used(memjoin, monkeypatch):
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")
    said = memjoin("run", "--cases", CASE, "--condition", "history")
    assert f"uv run memjoin show runs/cases {CASE}" in said.out


def test_away_from_a_terminal_progress_is_a_few_plain_lines_beside_the_output(ran):
    said, _ = ran
    lines = said.err.splitlines()
    assert lines[0].startswith("runs/mine: 2 cases, 1 trial; systems exec: ")
    assert lines[1] == "cells: 0 of 4"
    assert lines[-1].startswith("cells: 4 of 4, ")
    assert "\x1b" not in said.err + said.out


def test_the_same_command_again_prints_the_same_tables_and_asks_nothing(ran, memjoin):
    said, own = ran
    again = memjoin("run", "--cases", CASES, "--system", own, "--name", "mine")
    assert again.code == 0
    assert again.out == said.out


def test_json_is_all_there_is_on_standard_output(memjoin, program):
    said = memjoin("run", "--cases", CASE, "--system", program(), "--json")
    found = json.loads(said.out)
    assert found["run"] == "runs/cases"
    assert found["failed"] == []
    assert found["configuration"]["cases"] == [CASE]
    assert found["embedded_roles"] == ["embedder", "judge", "reader", "writer"]
    assert {"memory", "disclosure", "utility"} <= found["tables"].keys()


def test_show_reads_one_case_from_task_to_verdict(ran, memjoin):
    said = memjoin("show", "runs/mine", CASE)
    assert said.code == 0
    assert said.out.startswith(f"{CASE}: Retrieved memory, exec: ")
    for heading in (
        "The relation to protect:",
        "Task",
        "clue:  ",
        "decoy: ",
        "Answer",
        "Verdict",
        "lexical:",
    ):
        assert heading in said.out


def test_show_takes_the_condition_that_is_asked_for(ran, memjoin):
    history = json.loads(memjoin("show", "runs/mine", CASE, "--condition", "history", "--json").out)
    assert (history["condition"], history["system"], history["store"]) == ("history", "", None)
    assert history["verdict"]["level"] == 4
    assert history["meaning"].startswith("A4: it ties the subject to the service")
    alone = json.loads(memjoin("show", "runs/mine", CASE, "--condition", "task-only", "--json").out)
    assert (alone["input"], alone["verdict"]["level"]) == (None, 0)


@pytest.mark.parametrize(
    ("arguments", "named", "way_out"),
    [
        (["runs/mine", "F19-RJ-star-01"], "no case 'F19-RJ-star-01'", CASE),
        (["runs/mine", CASE, "--system", "mem0"], "no system 'mem0'", "exec: "),
        (["runs/mine", CASE, "--condition", "itemized"], "no condition 'itemized'", "history"),
        (["runs/mine", CASE, "--trial", "2"], "no trial 2", "1 to 1"),
        (["runs/yours", CASE], "There is no run runs/yours", "memjoin run"),
        ([".", CASE], "is no folder of a run", "memjoin run"),
    ],
)
def test_what_show_cannot_find_is_named(ran, memjoin, arguments, named, way_out):
    said = memjoin("show", *arguments)
    assert said.code == 2
    assert named in said.err
    assert way_out in said.err


def test_plan_says_what_run_then_asks(memjoin, provider):
    roles = [f"--{role}={provider.model()}" for role in ("writer", "reader", "judge", "embedder")]
    flags = ["--cases", CASES, "--system", "memorybank", "--trials", "2", *roles]
    plan = json.loads(memjoin("plan", *flags, "--json").out)
    assert provider.answered.total() == 0
    assert memjoin("run", *flags).code == 0
    assert plan["paid_calls"] == pytest.approx(provider.answered.total(), rel=0.1)
    assert plan["cells"] == 8
    assert plan["answers"] == 16


def test_plan_is_put_for_people_and_needs_no_key(memjoin, program):
    said = memjoin("plan", "--cases", CASES, "--system", program(), "--writer", "openai/gpt-5-mini")
    assert said.code == 0
    assert "2 cases, 3 trials: 12 cells," in said.out
    assert "not known" in said.out
    assert not said.err


def test_plan_says_where_it_cannot_know_how_much_is_embedded(memjoin, program):
    said = memjoin("plan", "--cases", CASES, "--system", program(), "--embedder", "openai/text")
    assert "Calls to models behind endpoints: 0, and those that exec:" in " ".join(said.out.split())


def test_own_cases_are_run_from_their_file(memjoin, tmp_path):
    own = [case for case in release.load() if case.id in CASES.split(",")]
    write_cases(own, tmp_path / "own.jsonl")
    said = memjoin("run", "--cases", "own.jsonl", "--condition", "history", "--json")
    configuration = json.loads(said.out)["configuration"]
    assert configuration["dataset"] == "own.jsonl"
    assert configuration["cases"] == [case.id for case in own]
    # The run's folder has the cases in it: they can be read when the file is gone.
    (tmp_path / "own.jsonl").unlink()
    assert own[0].task.text[:60] in " ".join(memjoin("show", "runs/cases", own[0].id).out.split())


def test_a_file_of_cases_with_a_mistake_names_the_line(memjoin, tmp_path):
    (tmp_path / "own.jsonl").write_text('{"id": 3}\n')
    said = memjoin("run", "--cases", "own.jsonl")
    assert said.code == 2
    assert "own.jsonl:1" in said.err


def test_a_reference_alone_needs_no_system(memjoin):
    said = memjoin("run", "--cases", CASE, "--condition", "task-only")
    assert said.code == 0
    assert "conditions task-only" in said.err


@pytest.mark.parametrize("command", ["run", "plan", "show", "doctor"])
def test_help_has_examples_and_every_flag_says_what_it_does(memjoin, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    said = memjoin(command, "--help")
    assert said.code == 0
    assert command == "doctor" or f"memjoin {command} " in said.out
    assert "--json" in said.out
