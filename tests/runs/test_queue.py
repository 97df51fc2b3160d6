"""The order in which cells are handed out, and who is given up."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memjoin.runs.cell import Cell, CellOutcome
from memjoin.runs.queue import PATIENCE, CellQueue


def cells(**counts):
    return [Cell(system, f"case-{n}", 0) for system, count in counts.items() for n in range(count)]


def done(cell, seconds=1.0):
    return CellOutcome(cell, "done", seconds=seconds)


def failed(cell, cause):
    return CellOutcome(cell, "failed", "why", cause=cause)


def test_a_thread_stays_with_the_system_it_has_open():
    queue = CellQueue(cells(mem0=2, verbatim=9))
    assert [queue.take("mem0").system for _ in range(3)] == ["mem0", "mem0", "verbatim"]


def test_a_thread_without_one_gets_the_system_with_the_most_left():
    queue = CellQueue(cells(mem0=2, verbatim=3))
    assert [queue.take("").system for _ in range(2)] == ["verbatim", "mem0"]


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.integers(0, 2)), unique=True),
    st.lists(st.sampled_from("abc")),
)
def test_every_cell_is_handed_out_once_and_only_once(places, opened):
    wanted = [Cell(system, f"case-{case}", trial) for system, case, trial in places]
    queue = CellQueue(wanted)
    taken = []
    for system in [*opened, *[""] * len(wanted)]:
        if (cell := queue.take(system)) is not None:
            taken.append(cell)
    assert Counter(taken) == Counter(wanted)
    assert queue.take("") is None


def test_a_system_in_this_process_runs_one_cell_at_a_time():
    queue = CellQueue(cells(own=3, verbatim=1), alone=["own"])
    first = queue.take("")
    assert first.system == "own"
    assert queue.take("own").system == "verbatim"
    assert queue.take("") is None
    queue.ended(done(first))
    assert queue.take("").system == "own"


def test_a_system_that_fails_from_the_start_is_hopeless():
    queue = CellQueue(cells(own=9))
    for _ in range(PATIENCE):
        assert not queue.hopeless("own")
        queue.ended(failed(queue.take("own"), "system"))
    assert queue.hopeless("own")
    assert not queue.hopeless("verbatim")


def test_a_system_that_worked_once_is_not():
    queue = CellQueue(cells(own=9))
    queue.ended(done(queue.take("own")))
    for _ in range(PATIENCE + 1):
        queue.ended(failed(queue.take("own"), "system"))
    assert not queue.hopeless("own")


def test_models_fail_when_cells_in_a_row_fail_for_want_of_one():
    queue = CellQueue(cells(own=9))
    for cause in ["model"] * (PATIENCE - 1) + ["system"] + ["model"] * (PATIENCE - 1):
        queue.ended(failed(queue.take("own"), cause))
        assert not queue.models_fail
    queue.ended(failed(queue.take("own"), "model"))
    assert queue.models_fail
    queue.ended(done(queue.take("own")))
    assert not queue.models_fail


def test_the_time_left_follows_each_system_s_own_pace():
    queue = CellQueue(cells(slow=3, fast=11))
    assert queue.seconds_left(1) == 0
    queue.ended(done(queue.take("slow"), 10.0))
    queue.ended(done(queue.take("fast"), 1.0))
    assert queue.seconds_left(1) == 2 * 10.0 + 10 * 1.0
    assert queue.seconds_left(2) == 15.0
