"""A cell yields the verdicts of its conditions, all from one store, and what fails is missing, not zero."""

from dataclasses import replace

import pytest

from memjoin.conditions.views import CONDITIONS
from memjoin.judging.panel import Lost
from memjoin.models.errors import (
    AuthenticationError,
    ContextLengthError,
    NotAnApiError,
    RateLimitedError,
    ServerError,
)
from memjoin.models.reader_prompt import parse_messages
from memjoin.models.types import ChatReply, Usage
from memjoin.runs.answers import Answering
from memjoin.runs.cell import Cell
from memjoin.runs.cells import conditions_of, run_cell
from memjoin.runs.memory import RunStoppedError
from memjoin.systems.errors import CallFailed

CELL = Cell("fake", "T01-RJ-chain-01", 0)
REFERENCES = Cell("", "T01-RJ-chain-01", 0)


def run(stage, case, cell=CELL, **changes):
    return run_cell(cell, case, replace(stage.means, **changes), stage.bench())


def verdicts(stage):
    return {(row.system, row.condition): row for row in stage.ledger.verdicts()}


def inputs(stage):
    return [parse_messages(request.messages)[1] for request in stage.reader.requests]


def test_a_system_s_cell_has_the_conditions_that_use_memory_and_the_other_cell_the_references():
    assert conditions_of(CELL, CONDITIONS) == ("retrieved", "all")
    assert conditions_of(REFERENCES, CONDITIONS) == ("history", "task-only", "itemized")
    assert conditions_of(CELL, ("history",)) == ()


def test_every_condition_of_a_cell_comes_from_one_and_the_same_store(stage, case):
    outcome = run(stage, case)
    memory = stage.ledger.memory(CELL)
    assert outcome.status == "done"
    assert inputs(stage) == [
        tuple(record.text for record in memory.retrieved),
        tuple(record.text for record in memory.exported),
    ]
    assert verdicts(stage)["fake", "retrieved"].store == verdicts(stage)["fake", "all"].store
    assert len(stage.systems[0].resets) == 1


def test_what_store_and_input_keep_is_in_the_verdict(stage, case):
    run(stage, case)
    found = verdicts(stage)
    # The fake system stores all four sessions and retrieves three: the last session's clues are lost.
    assert found["fake", "all"].input.available
    assert not found["fake", "retrieved"].input.available
    assert found["fake", "retrieved"].store.available
    assert found["fake", "all"].level == 4
    assert found["fake", "retrieved"].level < 4


def test_references_are_of_no_system_and_have_no_store(stage, case):
    assert run(stage, case, REFERENCES).status == "done"
    found = verdicts(stage)
    assert found.keys() == {("", "history"), ("", "task-only"), ("", "itemized")}
    assert all(row.store is None for row in found.values())
    assert found["", "task-only"].input is None
    assert found["", "history"].input.available
    assert [items and len(items) for items in inputs(stage)] == [4, None, 8]
    assert stage.systems == []


def test_what_is_committed_is_neither_asked_nor_written_again(stage, case):
    run(stage, case)
    before = verdicts(stage)
    assert run(stage, case).status == "done"
    assert verdicts(stage) == before
    assert len(stage.systems) == 1
    assert len(stage.reader.requests) == 2


def test_a_cell_broken_off_after_its_store_uses_that_store(stage, case):
    def stop(request):
        stage.stopped.set()
        return "an answer"

    answered, stage.reader._answer = stage.reader._answer, stop
    with pytest.raises(RunStoppedError):
        run(stage, case)
    assert list(verdicts(stage)) == [("fake", "retrieved")]
    assert stage.ledger.outcomes() == []
    stage.stopped.clear()
    stage.reader._answer = answered
    assert run(stage, case).status == "done"
    assert len(stage.systems) == 1
    assert len(stage.reader.requests) == 2
    assert stage.ledger.answer(CELL, "retrieved").answer == "an answer"


def test_a_reader_that_fails_once_leaves_one_answer_missing_and_is_tried_again(stage, case):
    stage.reader._failing.append(RateLimitedError("HTTP 429 from the reader model r."))
    outcome = run(stage, case)
    assert (outcome.status, outcome.cause) == ("failed", "model")
    row = verdicts(stage)["fake", "retrieved"]
    assert (row.status, row.level, row.completed) == ("missing", None, None)
    assert row.reason == "HTTP 429 from the reader model r."
    assert row.store.available
    assert verdicts(stage)["fake", "all"].status == "ok"
    assert run(stage, case).status == "done"
    assert verdicts(stage)["fake", "retrieved"].status == "ok"
    assert len(stage.reader.requests) == 3


def test_an_input_too_long_for_the_reader_is_missing_and_no_failure_of_the_model(stage, case):
    stage.reader._failing.append(ContextLengthError("The messages are too long for the reader model r."))
    outcome = run(stage, case, REFERENCES)
    assert (outcome.status, outcome.cause) == ("failed", "")
    assert verdicts(stage)["", "history"].reason == "The messages are too long for the reader model r."
    assert verdicts(stage)["", "itemized"].status == "ok"


def ends_with(stage, message, finish_reason):
    stage.reader.complete = lambda request: ChatReply(
        {"role": "assistant", **message}, finish_reason, Usage(10, 2), "r"
    )


@pytest.mark.parametrize(
    ("finish_reason", "why"), [("length", "limit of tokens"), ("content_filter", "content filter withheld")]
)
def test_a_reply_that_was_withheld_is_missing_and_no_answer_without_a_word(stage, case, finish_reason, why):
    ends_with(stage, {"content": None}, finish_reason)
    outcome = run(stage, case)
    assert (outcome.status, outcome.cause) == ("failed", "")
    row = verdicts(stage)["fake", "retrieved"]
    assert (row.status, row.level, row.completed) == ("missing", None, None)
    assert row.reason.startswith("the reader's reply is empty: ")
    assert why in row.reason


def test_an_answer_that_was_cut_off_is_judged_as_far_as_it_goes(stage, case):
    ends_with(stage, {"content": "Dear drivers,"}, "length")
    assert run(stage, case).status == "done"
    assert stage.ledger.answer(CELL, "retrieved").answer == "Dear drivers,"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"content": None, "refusal": "I can't help with that."}, "I can't help with that."),
        ({"content": ""}, ""),
    ],
)
def test_a_refusal_in_a_field_of_its_own_and_silence_are_answers(stage, case, message, said):
    ends_with(stage, message, "stop")
    assert run(stage, case).status == "done"
    assert verdicts(stage)["fake", "retrieved"].status == "ok"
    assert stage.ledger.answer(CELL, "retrieved").answer == said


@pytest.mark.parametrize("error", [AuthenticationError("401"), NotAnApiError("HTML")])
def test_an_endpoint_that_will_never_answer_stops_the_run(stage, case, error):
    stage.reader._failing.append(error)
    with pytest.raises(type(error)):
        run(stage, case)
    assert stage.ledger.outcomes() == []


def test_a_system_that_fails_leaves_all_answers_missing_with_the_reason(stage, case):
    stage.faults.append(("write", CallFailed("fake", "write", "ValueError", "no such table", "long")))
    outcome = run(stage, case)
    assert (outcome.status, outcome.cause) == ("failed", "system")
    rows = verdicts(stage)
    assert {row.status for row in rows.values()} == {"missing"}
    assert {row.reason for row in rows.values()} == {"fake: `write` raised ValueError: no such table"}
    assert stage.reader.requests == []


def test_a_writer_that_fails_leaves_all_answers_missing_and_no_store(stage, case):
    stage.writer._failing.append(ServerError("HTTP 500 from the writer model w."))
    outcome = run(stage, case)
    assert (outcome.status, outcome.cause) == ("failed", "model")
    assert stage.ledger.memory(CELL) is None
    assert {row.status for row in verdicts(stage).values()} == {"missing"}
    assert run(stage, case).status == "done"
    assert {row.status for row in verdicts(stage).values()} == {"ok"}


class Doubtful:
    """A judge whose vote is lost, or that cannot be reached."""

    name = "doubtful"
    embedded = False

    def __init__(self, calls=None):
        self.calls = calls

    def judge(self, scope, case, answer):
        if self.calls is None:
            return Lost(self.name, "unusable reply, twice")
        self.calls._missed(b"k", ServerError("HTTP 500 from the judge model j."))
        raise ServerError("HTTP 500 from the judge model j.")


def test_a_lost_vote_makes_an_answer_invalid_and_is_final(stage, case, fake_judge):
    panel = Answering("r", stage.means.answering.sampling, lambda calls: [fake_judge, Doubtful()])
    outcome = run(stage, case, answering=panel)
    assert outcome.status == "done"
    assert {row.status for row in verdicts(stage).values()} == {"invalid"}
    assert stage.ledger.votes(CELL, "all")[1] == Lost("doubtful", "unusable reply, twice")


def test_a_judge_out_of_reach_is_worth_another_try_where_it_matters(stage, case, fake_judge):
    def panel(*fine):
        return Answering("r", stage.means.answering.sampling, lambda calls: [*fine, Doubtful(calls)])

    assert run(stage, case, answering=panel(fake_judge)).cause == "model"
    assert run(stage, case, answering=panel(fake_judge, fake_judge)).status == "done"
    assert {row.status for row in verdicts(stage).values()} == {"ok"}
    assert len(stage.reader.requests) == 2


def test_an_answer_without_text_is_an_empty_one(stage, case):
    stage.reader._answer = lambda request: None
    run(stage, case)
    assert stage.ledger.answer(CELL, "all").answer == ""
    assert verdicts(stage)["fake", "all"].level == 0
