"""A thread of its own for a memory system in this process, so that a call that hangs can be left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

_T = TypeVar("_T")


class HangsError(Exception):
    """A call did not return in time. Its thread is left to it."""


class Aside:
    """Carries out calls one after the other, all in one thread: what belongs to a thread, such as a
    connection to SQLite, is used in the one that made it. The thread does not keep the process alive."""

    def __init__(self, name: str) -> None:
        self._waiting: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        threading.Thread(target=self._body, name=name, daemon=True).start()

    def run(self, work: Callable[[], _T], seconds: float) -> _T:
        """Return what the work returns, or raise what it raises.

        Raises:
            HangsError: It took longer. After that, ``end`` is all that may be called.
        """
        future: Future[_T] = Future()
        self._waiting.put((work, future))
        try:
            return future.result(seconds)
        except TimeoutError:
            if future.done():  # the work's own
                raise
            raise HangsError from None

    def end(self) -> None:
        """Have the thread end as soon as what it does is done."""
        self._waiting.put(None)

    def _body(self) -> None:
        while (call := self._waiting.get()) is not None:
            work, future = call
            with _Into(future):
                future.set_result(work())


class _Into:
    """Puts whatever a block raises into a future, for the thread that waits for it."""

    def __init__(self, future: Future[Any]) -> None:
        self._future = future

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is not None:
            self._future.set_exception(error)
        return True
