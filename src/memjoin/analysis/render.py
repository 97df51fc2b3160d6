"""Tables as Markdown, CSV and JSON. The same table gives the same bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from memjoin.analysis.table import Cell, Table

CSV_COLUMNS = (
    "table",
    "row",
    "labels",
    "column",
    "text",
    "value",
    "numerator",
    "denominator",
    "unit",
    "low",
    "high",
    "exact_low",
    "exact_high",
    "note",
)
"""The header of every CSV file. One line a cell, so that each number has its counts and intervals with it."""


def markdown(table: Table) -> str:
    """Return a table in Markdown, its notes as a list below.

    The best of a column is bold, the second italic.
    """
    lines = [f"## {table.title}", ""]
    if table.subtitle:
        lines += [f"**{_escaped(table.subtitle)}**", ""]
    lines.append(_markdown_row(_escaped(column.full_title) for column in table.columns))
    lines.append(_markdown_row("---" if at < table.labels else "---:" for at in range(len(table.columns))))
    lines += [_markdown_row(_marked(cell) for cell in row) for row in table.rows]
    if table.notes:
        lines += ["", *(f"- {_escaped(note)}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _marked(cell: Cell) -> str:
    around = {"": "", "best": "**", "second": "*"}[cell.mark]
    return f"{around}{_escaped(cell.text)}{around}"


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").split())


def as_csv(table: Table) -> str:
    """Return a table's cells as CSV, one line each, under ``CSV_COLUMNS``.

    ``value`` is unrounded and rates are fractions; ``row`` counts from 1, ``labels`` says what the row is
    about.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for at, row in enumerate(table.rows, start=1):
        about = " / ".join(cell.text for cell in row[: table.labels])
        for column, cell in zip(table.columns[table.labels :], row[table.labels :], strict=True):
            counts = (cell.text, cell.value, cell.numerator, cell.denominator, cell.unit)
            bounds = (*(cell.interval or (None, None)), *(cell.exact or (None, None)))
            writer.writerow((table.name, at, about, column.key, *counts, *bounds, cell.note))
    return out.getvalue()


def plain_values(table: Table) -> dict[str, Any]:
    """Return a table as JSON has it: labels as strings, every other cell with all that it came from.

    Fields that a cell does not have are left out. Rates are fractions.
    """
    return {
        "name": table.name,
        "title": table.title,
        "subtitle": table.subtitle,
        "labels": [column.key for column in table.columns[: table.labels]],
        "columns": [
            {"key": column.key, "title": column.full_title} for column in table.columns[table.labels :]
        ],
        "rows": [
            {
                column.key: cell.text if at < table.labels else _plain_cell(cell)
                for at, (column, cell) in enumerate(zip(table.columns, row, strict=True))
            }
            for row in table.rows
        ],
        "notes": list(table.notes),
    }


def _plain_cell(cell: Cell) -> dict[str, Any]:
    fields = {
        "text": cell.text,
        "value": cell.value,
        "numerator": cell.numerator,
        "denominator": cell.denominator,
        "unit": cell.unit or None,
        "interval": None if cell.interval is None else list(cell.interval),
        "exact": None if cell.exact is None else list(cell.exact),
        "note": cell.note or None,
        "mark": cell.mark or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def as_json(table: Table) -> str:
    """Return a table as JSON, as ``plain_values`` has it."""
    return json.dumps(plain_values(table), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
