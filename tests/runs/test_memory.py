"""Sessions go into a system and a store comes out, whatever happens to processes and models on the way."""

from dataclasses import replace

import pytest

from memjoin.models.errors import AuthenticationError, ContextLengthError, RateLimitedError, ServerError
from memjoin.runs.cell import Cell
from memjoin.runs.database import LedgerClosedError
from memjoin.runs.exchange import LedgerExchange
from memjoin.runs.memory import ATTEMPTS, RunStoppedError, store_hash
from memjoin.systems.errors import CallFailed, WorkerDied, WorkerGarbage, WorkerTimeout
from memjoin.systems.protocol import Record

CELL = Cell("fake", "T01-RJ-chain-01", 2)
GONE = (
    WorkerDied("fake", "write", 3),
    WorkerTimeout("fake", "write", 60.0),
    WorkerGarbage("fake", "write", "line 'hello'"),
)


def remember(stage, case, setup, bench=None, cell=CELL):
    def exchange(attempt):
        return LedgerExchange(stage.ledger, stage.means.models["fake"], stage.embedder)

    bench = bench or stage.bench()
    return bench.memory(setup, cell, case, exchange)


def test_a_memory_is_written_exported_and_asked_for_the_task(stage, case, fake_setup):
    memory = remember(stage, case, fake_setup)
    assert [record.id for record in memory.exported] == ["s1", "s2", "s3", "s4"]
    assert memory.retrieved == memory.exported[:3]
    assert [report.session for report in memory.reports] == ["s1", "s2", "s3", "s4"]
    assert (memory.counts.chat, memory.counts.embeddings, memory.counts.errors) == (4, 4, 0)
    assert memory.hash == store_hash(memory.exported)


def test_a_trial_has_a_seed_of_its_own_and_its_calls_have_it(stage, case, fake_setup):
    remember(stage, case, fake_setup)
    assert stage.systems[0].resets[0][1] == 5 + 2
    assert {request.parameters["seed"] for request in stage.writer.requests} == {5 + 2}
    assert {request.parameters["temperature"] for request in stage.writer.requests} == {0.7}


def test_a_system_learns_nothing_of_the_case_but_its_sessions(stage, case, fake_setup):
    remember(stage, case, fake_setup)
    [(name, _)] = stage.systems[0].resets
    assert case.family not in name
    assert case.topology not in name
    remember(stage, replace(case, id="T01-UC-amend-01"), fake_setup)
    assert stage.systems[-1].resets[-1][0] != name


def test_a_system_stays_open_for_the_next_cell(stage, case, fake_setup):
    bench = stage.bench()
    remember(stage, case, fake_setup, bench)
    remember(stage, case, fake_setup, bench, Cell("fake", case.id, 0))
    assert len(stage.systems) == 1
    bench.close()
    assert stage.systems[0].closed


def test_another_setup_opens_another_system(stage, case, fake_setup):
    bench = stage.bench()
    remember(stage, case, fake_setup, bench)
    remember(stage, case, replace(fake_setup, k=None), bench)
    assert [system.closed for system in stage.systems] == [True, False]


@pytest.mark.parametrize("fault", GONE, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("call", ["reset", "write", "export", "retrieve"])
def test_a_process_that_is_gone_is_replaced_and_the_case_written_again(stage, case, fake_setup, fault, call):
    expected = remember(stage, case, fake_setup, cell=replace(CELL, trial=1))
    asked = len(stage.writer.requests)
    stage.faults.append((call, fault))
    memory = remember(stage, case, fake_setup)
    assert [record.id for record in memory.exported] == [record.id for record in expected.exported]
    # What the first attempt had asked is not asked again.
    assert len(stage.writer.requests) == asked + 4
    assert memory.counts == expected.counts


def test_a_process_that_dies_every_time_is_given_up(stage, case, fake_setup):
    stage.faults.extend([("write", WorkerDied("fake", "write", 3))] * (ATTEMPTS + 5))
    with pytest.raises(WorkerDied, match="exit code 3"):
        remember(stage, case, fake_setup)
    assert len(stage.systems) == ATTEMPTS
    assert all(system.closed for system in stage.systems)


def test_an_exception_of_the_system_is_its_answer_and_not_tried_again(stage, case, fake_setup):
    stage.faults.append(("export", CallFailed("fake", "export", "ValueError", "no such table")))
    with pytest.raises(CallFailed, match="no such table"):
        remember(stage, case, fake_setup)
    assert [system.closed for system in stage.systems] == [True]


@pytest.mark.parametrize("error", [RateLimitedError("429"), ServerError("500"), AuthenticationError("401")])
def test_a_model_that_fails_is_no_loss_of_the_system(stage, case, fake_setup, error):
    # The system reports a loss and goes on; a store without this session must not be measured.
    stage.writer._failing.append(error)
    with pytest.raises(type(error)):
        remember(stage, case, fake_setup)


def test_a_window_too_short_is_a_loss_of_the_system(stage, case, fake_setup):
    stage.writer._failing.append(ContextLengthError("too long"))
    memory = remember(stage, case, fake_setup)
    assert [len(report.report.losses) for report in memory.reports] == [1, 0, 0, 0]
    assert memory.counts.errors == 1


def test_a_system_that_dies_of_its_model_s_failure_is_not_blamed(stage, case, fake_setup):
    def die(request):
        stage.faults.append(("write", WorkerDied("fake", "write", 1)))
        raise ServerError("500")

    stage.writer._answer = die
    with pytest.raises(ServerError):
        remember(stage, case, fake_setup)


def test_a_ledger_that_cannot_be_written_stops_the_run_though_the_system_swallows_it(stage, case, fake_setup):
    stage.writer._answer = lambda request: stage.ledger.close() or "said"
    with pytest.raises(LedgerClosedError):
        remember(stage, case, fake_setup)


def test_nothing_is_written_once_the_run_is_stopped(stage, case, fake_setup):
    stage.writer._answer = lambda request: stage.stopped.set() or "said"
    with pytest.raises(RunStoppedError):
        remember(stage, case, fake_setup)
    assert len(stage.writer.requests) == 1


def test_text_that_no_file_takes_is_mended_on_the_way_in(stage, case, fake_setup):
    stage.writer._answer = lambda request: "half a \ud83d character"
    memory = remember(stage, case, fake_setup)
    assert memory.exported[0].text.endswith("(half a ? character)")


@pytest.mark.parametrize(
    "changed",
    [
        [Record("b", "one"), Record("b2", "two")],
        [Record("a", "one!"), Record("b", "two")],
        [Record("b", "two"), Record("a", "one")],
        [Record("a", "one"), Record("b", "two", created="2029-08-20")],
        [Record("a", "one")],
    ],
)
def test_the_hash_of_a_store_is_over_all_of_it(changed):
    assert store_hash(changed) != store_hash([Record("a", "one"), Record("b", "two")])


def test_the_hash_of_a_store_leaves_scores_out():
    assert store_hash([Record("a", "one", score=1.0)]) == store_hash([Record("a", "one")])
