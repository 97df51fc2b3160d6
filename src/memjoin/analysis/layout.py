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
    beyond_labels = range(table.labels, len(table.columns))
    shown = [at for at in beyond_labels if _is_shown(table, at)]
    folded = [table.columns[at].full_title for at in beyond_labels if _says(table, at, {NOT_MEASURABLE})]
    titles = [table.columns[at].full_title for at in shown]
    widths = [
        max(_longest([row[at].text for row in table.rows]), _longest(title.split()))
        for at, title in zip(shown, titles, strict=True)
    ]
    stubs = [_stub(row[: table.labels]) for row in table.rows]
    needed = _longest([table.columns[0].title, *(stub for _, stub in stubs)])
    room = min(needed, max(width - sum(widths) - _GAP * len(widths), _LEAST_ROOM))
    lines = [Line("title", table.title)]
    lines += [Line("subtitle", line) for line in textwrap.wrap(table.subtitle, width)]
    lines += _header(table.columns[0].title, titles, room, widths)
    group = None
    for (above, stub), row in zip(stubs, table.rows, strict=True):
        if above is not None and above != group:
            lines.append(Line("group", above))
            group = above
        begin, *more = _wrap(stub, room, hanging=_INDENT * 2)
        lines.append(Line("row", _line(begin, [row[at].text for at in shown], room, widths)))
        lines += [Line("row", line) for line in more]
    notes = [note for note in table.notes if note not in leave_out]
    if folded:
        notes.append(f"Not measurable with these roles: {', '.join(folded)}.")
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


def _header(stub: str, titles: Sequence[str], room: int, widths: Sequence[int]) -> list[Line]:
    """Return the titles, each wrapped to its column and standing at the bottom."""
    wrapped = [_wrap(title, size) for title, size in zip(titles, widths, strict=True)]
    height = max((len(title) for title in wrapped), default=1)
    padded = [[""] * (height - len(title)) + title for title in wrapped]
    stubs = [""] * (height - 1) + [stub]
    return [
        Line("header", _line(stubs[at], [title[at] for title in padded], room, widths))
        for at in range(height)
    ]


def _is_shown(table: Table, column: int) -> bool:
    return not table.columns[column].wide and not _says(table, column, {"", NOT_MEASURABLE})


def _says(table: Table, column: int, texts: set[str]) -> bool:
    """Tell whether a column says nothing but these texts."""
    return bool(table.rows) and all(row[column].text in texts for row in table.rows)


def _longest(texts: Sequence[str]) -> int:
    return max((len(text) for text in texts), default=0)


def _wrap(text: str, size: int, hanging: str = "") -> list[str]:
    """Break text at spaces into lines of ``size``, or of one word where that is longer."""
    own = text[: len(text) - len(text.lstrip())]
    lines = textwrap.wrap(
        text.strip(),
        size,
        initial_indent=own,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [""]


def _line(stub: str, cells: Sequence[str], room: int, widths: Sequence[int]) -> str:
    gap = " " * _GAP
    values = gap.join(cell.rjust(size) for cell, size in zip(cells, widths, strict=True))
    return f"{stub.ljust(room)}{gap}{values}".rstrip()
