"""What a run will ask for, said beforehand, and what it then did ask for."""

from dataclasses import replace

import pytest

from memjoin.models.prices import Price, Prices
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


def test_texts_are_embedded_once_a_run_unless_a_model_writes_them(fake_config, cases):
    known = spec(calls={"write": 1, "embeddings": 2, "embedding_tokens": 50})

    def embedded(**changes):
        made = plan(replace(fake_config, embedder="openai/e", **changes), cases, [known])
        return [(e.calls, e.input_tokens) for e in made.estimates if e.role == "embedder"]

    sessions, tasks = 8, 2
    (once,) = embedded()
    assert once[0] == 2 * sessions + tasks + 1
    assert 50 * 2 * sessions < once[1] < 50 * 2 * sessions + 100
    assert embedded(writer="openai/w") == [(once[0] + 2 * sessions, once[1] + 50 * 2 * sessions)]
    assert plan(replace(fake_config, embedder="openai/e"), cases, [spec()]).estimates[1].calls is None
    assert not [e for e in plan(fake_config, cases, [known]).estimates if e.role == "embedder"]
    none = spec(name="none", calls={"embeddings": 0}, model_calls=False)
    config = replace(fake_config, embedder="openai/e", systems=("none", "fake"))
    calls = {e.system: e.calls for e in plan(config, cases, [none, known]).estimates if e.role == "embedder"}
    assert calls == {"none": 0, "fake": once[0]}


def test_costs_are_those_of_the_tokens_and_unknown_where_a_part_is(fake_config, cases):
    config = replace(fake_config, reader="openai/r")
    prices = Prices("EUR", {"openai/r": Price(2.0, 4.0)})
    made = plan(config, cases, [spec(model_calls=False)], prices)
    tokens = [(e.input_tokens, e.output_tokens) for e in made.estimates if e.role == "reader"]
    assert made.cost == pytest.approx(sum(2 * sent + 4 * got for sent, got in tokens) / 1e6)
    assert made.currency == "EUR"
    assert plan(config, cases, [spec(model_calls=False)]).cost is None
    assert plan(replace(config, writer="openai/w"), cases, [spec()], prices).cost is None
    assert plan(fake_config, cases, [spec(calls={"write": 1})]).cost == 0
