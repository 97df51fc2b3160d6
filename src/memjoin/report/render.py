"""Tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from memjoin.analysis.layout import WIDTH, layout
from memjoin.analysis.table import Table

_STYLES = {
    "title": "bold",
    "subtitle": "yellow",
    "header": "dim",
    "group": "bold",
    "row": "",
    "note": "dim italic",
}


def show(tables: Iterable[Table], console: Console) -> None:
    """Print tables one below the other. A note that several of them carry is printed once, with the first.

    Args:
        tables: What to print, in order.
        console: Where to. Without colours the lines are the same.
    """
    said: set[str] = set()
    for table in tables:
        for line in layout(table, min(WIDTH, console.width), leave_out=said):
            console.print(Text(line.text, style=_STYLES[line.kind]), soft_wrap=True)
        console.print()
        said.update(table.notes)
