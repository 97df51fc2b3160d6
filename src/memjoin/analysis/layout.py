"""A table as lines of text, for a terminal or a log."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal, TypeAlias

from memjoin.analysis.table import NOT_MEASURABLE, Cell, Table

WIDTH = 100
"""Columns that the lines fit into, unless names are longer than that leaves room for."""

_GAP = 2
_INDENT = "  "

Kind: TypeAlias = Literal["title", "subtitle", "header", "group", "row", "note"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, and what it is."""

    kind: Kind
    text: str


def layout(table: Table, width: int = WIDTH, leave_out: Collection[str] = ()) -> list[Line]:
    """Return a table as lines, without the notes to ``leave_out``.

    Wide columns are left out, empty ones too, and those in which nothing is measurable, which a note then
    names. Rows that share their first label stand under it; titles of columns wrap at spaces.
    """
    shown = [
        at
        for at in range(table.labels, len(table.columns))
        if not table.columns[at].wide and not _says(table, at, {"", NOT_MEASURABLE})
    ]
    folded = [
        table.columns[at].title
        for at in range(table.labels, len(table.columns))
        if table.rows and _says(table, at, {NOT_MEASURABLE})
    ]
    stubs = [_stub(row[: table.labels]) for row in table.rows]
    columns = [[row[at].text for row in table.rows] for at in shown]
    titles = [table.columns[at].title for at in shown]
    widths = [
        max(_longest(column), _longest(title.split())) for column, title in zip(columns, titles, strict=True)
    ]
    room = _longest([table.columns[0].title, *(stub for _, stub in stubs)])
    lines = [Line("title", table.title)]
    lines += [Line("subtitle", line) for line in textwrap.wrap(table.subtitle, width)]
    wrapped = [
        textwrap.wrap(title, size, break_long_words=False, break_on_hyphens=False)
        for title, size in zip(titles, widths, strict=True)
    ]
    height = max((len(title) for title in wrapped), default=1)
    above = [[""] * (height - len(title)) + title for title in wrapped]
    for at, words in enumerate(zip_longest(*above, fillvalue="")):
        stub = table.columns[0].title if at == height - 1 else ""
        lines.append(Line("header", _line(stub, words, room, widths)))
    group = None
    for at, (first, stub) in enumerate(stubs):
        if first is not None and first != group:
            lines.append(Line("group", first))
            group = first
        lines.append(Line("row", _line(stub, [column[at] for column in columns], room, widths)))
    notes = [
        *(note for note in table.notes if note not in leave_out),
        *([f"Not measurable with these roles: {', '.join(folded)}."] if folded else []),
    ]
    for note in notes:
        lines += [Line("note", line) for line in textwrap.wrap(note, width)]
    return lines


def plain(table: Table, width: int = WIDTH) -> str:
    """Return a table as plain text."""
    return "\n".join(line.text for line in layout(table, width)) + "\n"


def _stub(labels: Sequence[Cell]) -> tuple[str | None, str]:
    """Return the label that a row stands under, None if it has but one, and the row's own."""
    if len(labels) == 1:
        return None, labels[0].text
    return labels[0].text, _INDENT + ", ".join(cell.text for cell in labels[1:])


def _says(table: Table, column: int, texts: set[str]) -> bool:
    return all(row[column].text in texts for row in table.rows)


def _longest(texts: Sequence[str]) -> int:
    return max((len(text) for text in texts), default=0)


def _line(stub: str, cells: Sequence[str], room: int, widths: Sequence[int]) -> str:
    gap = " " * _GAP
    values = gap.join(cell.rjust(size) for cell, size in zip(cells, widths, strict=True))
    return f"{stub.ljust(room)}{gap}{values}".rstrip()
