"""What a run will ask for, said beforehand, and what it then did ask for."""

from dataclasses import replace

import pytest

from memjoin.runs.cell import Cell
from memjoin.runs.plan import cells, plan
from memjoin.runs.reader import Run
from memjoin.systems.spec import SystemSpec


@pytest.fixture
def cases(new_case):
    return [new_case("T01-RJ-chain-01"), new_case("T01-RJ-chain-02")]


def spec(**changes):
    return replace(
        SystemSpec(name="fake", system="fake", kind="worker", title="Fake", model_calls=True), **changes
    )


def estimates(config, cases, system):
    made = plan(config, cases, [system])
    return {(each.role, each.system): each for each in made.estimates}


def test_a_cell_for_every_system_case_and_trial_and_one_for_the_references(fake_config):
    found = cells(replace(fake_config, systems=("a", "b")))
    assert len(found) == len(set(found)) == 3 * 2 * 2
    assert found[0] == Cell("", "T01-RJ-chain-01", 0)
    assert found[-1] == Cell("b", "T01-RJ-chain-02", 1)


def test_no_cell_without_a_condition(fake_config):
    assert {cell.system for cell in cells(replace(fake_config, conditions=("all",)))} == {"fake"}
    references = replace(fake_config, conditions=("history",), systems=())
    assert {cell.system for cell in cells(references)} == {""}


def test_answers_and_sessions_are_counted(fake_config, cases):
    made = plan(fake_config, cases, [spec()])
    assert (made.cells, made.answers, made.sessions) == (8, 16, 16)


def test_a_plan_agrees_with_what_a_run_asks(fake_run, fake_config, cases):
    made = estimates(fake_config, cases, spec(calls={"write": 1.0}))
    finished = fake_run()
    with Run(finished.folder.path) as opened:
        counted = {(role, system): calls for role, system, calls, _, _ in opened.call_counts()}
    assert {key: each.calls for key, each in made.items()} == counted


def test_what_is_not_known_of_a_system_is_said_to_be_unknown(fake_config, cases):
    unknown = estimates(fake_config, cases, spec())["writer", "fake"]
    assert (unknown.calls, unknown.input_tokens, unknown.output_tokens) == (None, None, None)
    only_calls = estimates(fake_config, cases, spec(calls={"write": 2, "retrieve": 3}))["writer", "fake"]
    assert (only_calls.calls, only_calls.input_tokens) == (2 * 16 + 3 * 4, None)


def test_a_system_without_a_model_asks_for_nothing(fake_config, cases):
    none = estimates(fake_config, cases, spec(model_calls=False))["writer", "fake"]
    assert (none.calls, none.input_tokens, none.output_tokens) == (0, 0, 0)


def test_every_model_judge_votes_on_every_answer_and_rules_cost_nothing(fake_config, cases):
    config = replace(fake_config, judges=("embedded", "openai/a", "openai/b"), reader="openai/c")
    made = plan(config, cases, [spec(calls={"write": 1})])
    votes = [(each.model, each.system, each.calls) for each in made.estimates if each.role == "judge"]
    assert votes == [
        ("openai/a", "", 8),
        ("openai/b", "", 8),
        ("openai/a", "fake", 8),
        ("openai/b", "fake", 8),
    ]
    assert made.paid_calls == 2 * 16 + 16


def test_tokens_grow_with_what_the_reader_is_given(fake_config, cases):
    def tokens(*conditions, k=3):
        config = replace(fake_config, conditions=conditions, k=k)
        made = plan(config, cases, [spec()])
        return sum(each.input_tokens for each in made.estimates if each.role == "reader")

    assert tokens("task-only") < tokens("retrieved") < tokens("retrieved", k=6) < tokens("all")
    assert tokens("retrieved", k=100) == tokens("all")
