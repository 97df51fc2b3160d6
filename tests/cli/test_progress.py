"""How a run is shown while it works."""

import io

import pytest
from rich.console import Console

from memjoin.cli import consoles
from memjoin.cli.progress import EVERY, LineReporter, reporter, state
from memjoin.runs.cell import Cell, CellOutcome
from memjoin.runs.execute import Progress

LAST = CellOutcome(Cell("mem0", "F19-RJ-chain-01", 0), "done")


def progress(ended, *, failed=0, rate=2.0, left=30.0, last=LAST):
    return Progress(ended, 96, failed, rate, left, last)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (progress(0, rate=0.0, left=0.0, last=None), "0 of 96"),
        (progress(12), "12 of 96, 2.0 a second, about 30 s left"),
        (progress(12, failed=1), "12 of 96, 1 failed, 2.0 a second, about 30 s left"),
        (progress(12, rate=0.02, left=4200.0), "12 of 96, one in 50 s, about 70 min left"),
        (progress(12, rate=0.001, left=84_000.0), "12 of 96, one in 17 min, about 23.3 h left"),
        (progress(96, left=0.0), "96 of 96, 2.0 a second"),
    ],
)
def test_progress_is_cells_rate_and_time_left(given, said):
    assert state(given) == said


def test_without_a_terminal_there_is_a_line_every_few_seconds_and_at_both_ends():
    lines, now = [], 0.0
    told = LineReporter(lines.append, lambda: now)
    told.note("mem0: making its environment (25 packages)")
    told.progress(progress(0, last=None))
    for ended in range(1, 97):
        now += EVERY / 10
        told.progress(progress(ended))
    assert lines[0] == "mem0: making its environment (25 packages)"
    shown = [int(line.removeprefix("cells: ").split()[0]) for line in lines[1:]]
    assert shown == [0, *range(10, 96, 10), 96]


def test_on_a_terminal_there_is_a_bar_that_leaves_nothing_behind():
    screen = io.StringIO()
    with reporter(Console(file=screen, force_terminal=True, width=100)) as told:
        told.note("mem0: making its environment (25 packages)")
        told.progress(progress(0, last=None))
        told.progress(progress(48))
    written = screen.getvalue()
    assert "48 of 96, 2.0 a second, about 30 s left" in written
    assert written.rstrip().endswith("\x1b[2K")


def test_elsewhere_there_are_no_control_characters():
    written = io.StringIO()
    with reporter(Console(file=written, width=40)) as told:
        told.note("mem0: making its environment (25 packages), which takes a while")
        told.progress(progress(0, last=None))
    assert written.getvalue().splitlines() == [
        "mem0: making its environment (25 packages), which takes a while",
        "cells: 0 of 96, 2.0 a second, about 30 s left",
    ]


def test_names_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    consoles.output().print("notes:A: fine", markup=False)
    consoles.aside().print("notes:A: fine", markup=False)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("notes:A: fine\n", "notes:A: fine\n")
