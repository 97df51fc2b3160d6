import threading

import pytest

from memjoin.runs.threads import side_by_side


def test_every_item_comes_back_with_its_result() -> None:
    assert dict(side_by_side(lambda item: item * item, range(20), 4)) == {n: n * n for n in range(20)}


def test_nothing_to_do_is_nothing() -> None:
    assert list(side_by_side(lambda item: item, [], 4)) == []


def test_as_many_at_once_as_there_are_threads() -> None:
    together = threading.Barrier(3, timeout=30)

    def work(item: int) -> int:
        together.wait()
        return item

    assert {item for item, _ in side_by_side(work, [1, 2, 3], 3)} == {1, 2, 3}


def test_a_failure_is_raised_and_nothing_further_begun() -> None:
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        raise RuntimeError(f"no {item}")

    with pytest.raises(RuntimeError, match="no 1"):
        list(side_by_side(work, [1, 2, 3], 1))
    assert begun == [1]
