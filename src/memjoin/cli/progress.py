"""How a run gets on, for a terminal and for a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as Bar

if TYPE_CHECKING:
    from memjoin.runs.execute import Progress
    from memjoin.runs.run import Reporter

EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def reporter(console: Console) -> Iterator[Reporter]:
    """Show progress: a bar that moves on a terminal, a line every few seconds elsewhere.

    What a user's own class prints meanwhile goes to standard error: standard output is for results alone.
    (On a terminal the bar sees to that.)
    """
    if not console.is_terminal:
        with redirect_stdout(sys.stderr):
            yield LineReporter(
                lambda line: console.print(line, markup=False, highlight=False, soft_wrap=True)
            )
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[state]}"),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        yield _BarReporter(bar)


class LineReporter:
    """Prints a line at the beginning, at the end, and at most every ``EVERY`` seconds between."""

    def __init__(self, line: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._line = line
        self._clock = clock
        self._last = clock()

    def note(self, line: str) -> None:
        """Print a line about something that takes time."""
        self._line(line)

    def progress(self, progress: Progress) -> None:
        """Print how far the run is, if it is time for it."""
        first, last = progress.last is None, progress.ended == progress.total
        now = self._clock()
        if first or last or now - self._last >= EVERY:
            self._last = now
            self._line(f"cells: {state(progress)}")


class _BarReporter:
    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task = bar.add_task("preparing", total=None, state="")

    def note(self, line: str) -> None:
        self._bar.update(self._task, description=line)

    def progress(self, progress: Progress) -> None:
        self._bar.update(
            self._task,
            description="cells",
            total=progress.total,
            completed=progress.ended,
            state=state(progress),
        )


def state(progress: Progress) -> str:
    """Say how far a run is: cells of all, failures, rate and time left."""
    parts = [f"{progress.ended} of {progress.total}"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.rate:
        parts.append(f"{progress.rate:.1f} a second" if progress.rate >= 0.1 else _pace(progress.rate))
    if progress.ended < progress.total and progress.left:
        parts.append(f"about {_duration(progress.left)} left")
    return ", ".join(parts)


def _pace(rate: float) -> str:
    return f"one in {_duration(1 / rate)}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
