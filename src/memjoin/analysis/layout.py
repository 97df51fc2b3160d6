"""A table as lines of text, for a terminal or a log."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memjoin.analysis.table import NOT_MEASURABLE, Cell, Table

WIDTH = 100
"""Columns that the lines fit into, as far as single names and numbers let them."""

_GAP = 2
_INDENT = "  "
_LEAST_ROOM = 16

Kind: TypeAlias = Literal["title", "subtitle", "header", "group", "row", "note"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, and what it is."""

    kind: Kind
    text: str


def layout(table: Table, width: int = WIDTH, leave_out: Collection[str] = ()) -> list[Line]:
    """Return a table as lines, without the notes to ``leave_out``.

    Wide columns are left out, empty ones too, and those in which nothing is measurable, which a note then
    names. Rows that share all labels but the last stand under these; titles of columns wrap at spaces.
    """
    shown = [
        at
        for at in range(table.labels, len(table.columns))
        if not table.columns[at].wide and not _says(table, at, {"", NOT_MEASURABLE})
    ]
    folded = [
        table.columns[at].title
        for at in range(table.labels, len(table.columns))
        if _says(table, at, {NOT_MEASURABLE})
    ]
    stubs = [_stub(row[: table.labels]) for row in table.rows]
    columns = [[row[at].text for row in table.rows] for at in shown]
    titles = [table.columns[at].title for at in shown]
    widths = [
        max(_longest(column), _longest(title.split())) for column, title in zip(columns, titles, strict=True)
    ]
    left = width - sum(widths) - _GAP * len(widths)
    room = min(_longest([table.columns[0].title, *(stub for _, stub in stubs)]), max(left, _LEAST_ROOM))
    lines = [Line("title", table.title)]
    lines += [Line("subtitle", line) for line in textwrap.wrap(table.subtitle, width)]
    wrapped = [_wrap(title, size) for title, size in zip(titles, widths, strict=True)]
    height = max((len(title) for title in wrapped), default=1)
    above = [[""] * (height - len(title)) + title for title in wrapped]
    for at in range(height):
        stub = table.columns[0].title if at == height - 1 else ""
        lines.append(Line("header", _line(stub, [title[at] for title in above], room, widths)))
    group = None
    for at, (first, stub) in enumerate(stubs):
        if first is not None and first != group:
            lines.append(Line("group", first))
            group = first
        begin, *more = _wrap(stub, room, hanging=_INDENT * 2)
        lines.append(Line("row", _line(begin, [column[at] for column in columns], room, widths)))
        lines += [Line("row", line) for line in more]
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
    """Return the labels that a row stands under, None if it has but one, and its last."""
    if len(labels) == 1:
        return None, labels[0].text
    return ", ".join(cell.text for cell in labels[:-1]), _INDENT + labels[-1].text


def _says(table: Table, column: int, texts: set[str]) -> bool:
    return bool(table.rows) and all(row[column].text in texts for row in table.rows)


def _longest(texts: Sequence[str]) -> int:
    return max((len(text) for text in texts), default=0)


def _wrap(text: str, size: int, hanging: str = "") -> list[str]:
    """Break text at spaces into lines of ``size``, or of one word where that is longer."""
    words = textwrap.TextWrapper(
        size, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
    indent = text[: len(text) - len(text.lstrip())]
    words.initial_indent = indent
    return words.wrap(text.strip()) or [""]


def _line(stub: str, cells: Sequence[str], room: int, widths: Sequence[int]) -> str:
    gap = " " * _GAP
    values = gap.join(cell.rjust(size) for cell, size in zip(cells, widths, strict=True))
    return f"{stub.ljust(room)}{gap}{values}".rstrip()
