"""Many cells at once: the same results in any order, and one way to stop."""

import threading
from dataclasses import replace

import pytest

from memjoin.models.errors import AuthenticationError, RateLimitedError, ServerError
from memjoin.runs.cell import Cell
from memjoin.runs.execute import ModelsFailError, execute
from memjoin.runs.ledger import Ledger
from memjoin.runs.queue import PATIENCE
from memjoin.systems.errors import CallFailed


@pytest.fixture
def cases(new_case):
    return {f"T01-RJ-chain-{number:02}": new_case(f"T01-RJ-chain-{number:02}") for number in range(8)}


def cells(cases, systems=("", "fake")):
    return [Cell(system, case, 0) for system in systems for case in cases]


def run(stage, cases, *, concurrency=4, planned=None, means=None, report=lambda progress: None):
    return execute(
        planned or cells(cases),
        cases,
        means or stage.means,
        logs=stage.folder / "logs",
        scratch=stage.folder,
        concurrency=concurrency,
        report=report,
        opener=stage.opener,
    )


def table(ledger):
    return sorted(repr(row) for row in ledger.verdicts())


def test_all_cells_are_run_and_progress_is_told(stage, cases):
    told = []
    outcomes = run(stage, cases, report=told.append)
    assert {outcome.cell for outcome in outcomes} == set(cells(cases))
    assert {outcome.status for outcome in outcomes} == {"done"}
    assert [progress.ended for progress in told] == list(range(17))
    assert {progress.total for progress in told} == {16}
    assert told[-1].left == 0
    assert all(system.closed for system in stage.systems)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_order_and_concurrency_have_no_part_in_the_results(stage, cases, tmp_path, concurrency):
    # Its replies depend on what is asked, not on when.
    stage.writer._answer = lambda request: f"{request.messages[0]['content'][:20]} noted"
    run(stage, cases, concurrency=8)
    with Ledger(tmp_path / "other.sqlite") as other:
        means = replace(stage.means, ledger=other)
        run(stage, cases, concurrency=concurrency, planned=cells(cases)[::-1], means=means)
        assert table(other) == table(stage.ledger)
        stores = {cell: memory.hash for cell, memory in other.memories()}
    assert stores == {cell: memory.hash for cell, memory in stage.ledger.memories()}


def test_done_cells_are_not_run_again(stage, cases):
    run(stage, cases)
    opened, asked = len(stage.systems), len(stage.reader.requests)
    told = []
    assert run(stage, cases, report=told.append) == []
    assert [progress.ended for progress in told] == [16]
    assert (len(stage.systems), len(stage.reader.requests)) == (opened, asked)


def test_failed_cells_are_run_again(stage, cases):
    stage.faults.append(("write", CallFailed("fake", "write", "ValueError", "once")))
    first = run(stage, cases, concurrency=1)
    assert [outcome.status for outcome in first].count("failed") == 1
    assert [outcome.status for outcome in run(stage, cases)] == ["done"]


def test_a_wrong_key_stops_the_run_and_the_ledger_goes_on(stage, cases):
    stage.reader._failing.append(AuthenticationError("HTTP 401 from the reader model r."))
    with pytest.raises(AuthenticationError):
        run(stage, cases)
    assert all(system.closed for system in stage.systems)
    run(stage, cases)
    assert {row.status for row in stage.ledger.verdicts()} == {"ok"}


def test_models_that_go_on_failing_stop_the_run(stage, cases):
    stage.reader._failing.extend([RateLimitedError("HTTP 429 from the reader model r.")] * 100)
    with pytest.raises(ModelsFailError, match="HTTP 429 from the reader model r"):
        run(stage, cases, concurrency=1)
    assert len(stage.ledger.outcomes()) == PATIENCE
    stage.reader._failing.clear()
    run(stage, cases)
    assert {row.status for row in stage.ledger.verdicts()} == {"ok"}


def test_a_system_that_never_works_is_not_tried_to_the_last_case(stage, cases):
    stage.faults.extend([("write", CallFailed("fake", "write", "ImportError", "no torch"))] * 100)
    outcomes = run(stage, cases, concurrency=1)
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    assert len(failed) == 8
    assert len(stage.systems) == PATIENCE
    assert failed[-1].reason == "not tried: fake failed at each of its first 3 cells"
    rows = [row for row in stage.ledger.verdicts() if row.system == "fake"]
    assert len(rows) == 16
    assert {row.status for row in rows} == {"missing"}
    assert {row.status for row in stage.ledger.verdicts() if not row.system} == {"ok"}


def test_a_fault_of_ours_is_not_hidden(stage, cases):
    def wrong(request):
        raise ZeroDivisionError("ours")

    stage.reader._answer = wrong
    with pytest.raises(ZeroDivisionError):
        run(stage, cases)


def test_an_interrupt_ends_systems_and_leaves_what_is_committed(stage, cases):
    at_work, release = threading.Event(), threading.Event()

    def slow(request):
        at_work.set()
        release.wait(30)
        return "late"

    def interrupt(progress):
        if progress.ended == 8:
            raise KeyboardInterrupt

    stage.writer._answer = slow
    threading.Thread(target=lambda: (at_work.wait(30), release.set()), daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run(stage, cases, report=interrupt)
    assert all(system.closed for system in stage.systems)
    done = {outcome.cell for outcome in stage.ledger.outcomes()}
    stage.writer._answer = None
    stage.faults.clear()
    again = run(stage, cases)
    assert done.isdisjoint(outcome.cell for outcome in again)
    assert {row.status for row in stage.ledger.verdicts()} == {"ok"}


def test_a_system_in_this_process_is_never_run_by_two_threads(stage, cases, fake_setup):
    running, most = 0, 0
    lock = threading.Lock()

    def count(request):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        with lock:
            running -= 1
        return "noted"

    stage.writer._answer = count
    local = replace(fake_setup, spec=replace(fake_setup.spec, kind="in-process"))
    means = replace(stage.means, setups={"fake": local})
    run(stage, cases, means=means, planned=cells(cases, ["fake"]))
    assert most == 1
    assert len(stage.ledger.outcomes()) == 8


def test_failures_now_and_then_do_not_stop_the_run(stage, cases):
    def sometimes(request):
        if "number 1" in str(request.messages) and len(stage.reader.requests) % 7 == 0:
            raise ServerError("HTTP 500 from the reader model r.")
        return "an answer"

    stage.reader._answer = sometimes
    outcomes = run(stage, cases, concurrency=1)
    assert len(outcomes) == 16
