"""Many questions asked at once, and stopped together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    threads: int,
    stopped: threading.Event | None = None,
) -> Iterator[tuple[Item, Result]]:
    """Do the same work for many items, some at once, and yield (item, result) as they come.

    Nothing further is begun once the work fails for an item, whose exception is then raised, or the caller
    leaves. So it is where the work sets ``stopped``: the caller must leave at that item's result, for some
    never come. The threads do not keep the process alive: they may be waiting for a model when all stops.
    """
    todo = iter(items)
    lock, stopped = threading.Lock(), stopped or threading.Event()
    done: SimpleQueue[tuple[Item, _Attempt[Result]]] = SimpleQueue()

    def body() -> None:
        while True:
            with lock:
                item = None if stopped.is_set() else next(todo, None)
            if item is None:
                return
            attempt: _Attempt[Result] = _Attempt()
            with attempt:
                attempt.results.append(work(item))
            if attempt.error is not None:
                stopped.set()
            done.put((item, attempt))

    for number in range(min(threads, len(items))):
        threading.Thread(target=body, name=f"memjoin-asking-{number}", daemon=True).start()
    try:
        for _ in items:
            item, attempt = done.get()
            if attempt.error is not None:
                raise attempt.error
            yield item, attempt.results[0]
    finally:
        stopped.set()


class _Attempt(Generic[Result]):
    """Keeps how a block ends, whatever it is, so that whoever waits for it gets the exception."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.error: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.error = error
        return True
