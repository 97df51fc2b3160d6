"""Tables as LaTeX, in the manner of ``booktabs``. The same table gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from memjoin.analysis.table import Cell, Column, Table

PREAMBLE = "% Needs \\usepackage{booktabs}. Symbols beyond ASCII are written as LaTeX commands."

_SYMBOLS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"$\mid$",
    "<": r"$<$",
    ">": r"$>$",
    "Δ": r"$\Delta$",
    "–": "--",
    "…": r"\ldots{}",
}


def latex(table: Table) -> str:
    """Return a table as a LaTeX ``table`` environment with its notes below.

    Titles that share a group stand under one rule; rows that share all labels but the last stand under
    these. The best of a column is bold, the second underlined.
    """
    labels = table.labels
    stub = [table.columns[labels - 1]]
    columns = [*stub, *table.columns[labels:]]
    lines = [
        PREAMBLE,
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_caption(table)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}",
        r"\toprule",
        *_header(columns),
        r"\midrule",
        *_rows(table, len(columns)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    lines += [rf"\par\smallskip\footnotesize {escaped(note)}" for note in table.notes]
    lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"


def _caption(table: Table) -> str:
    return escaped(f"{table.title}. {table.subtitle}" if table.subtitle else f"{table.title}.")


def _header(columns: list[Column]) -> Iterator[str]:
    if any(column.group for column in columns):
        cells, rules, at = [], [], 1
        for group, members in groupby(columns, key=lambda column: column.group):
            many = len(list(members))
            if group:
                cells.append(rf"\multicolumn{{{many}}}{{c}}{{{escaped(group)}}}")
                rules.append(rf"\cmidrule(lr){{{at}-{at + many - 1}}}")
            else:
                cells += [""] * many
            at += many
        yield f"{' & '.join(cells)} \\\\"
        yield "".join(rules)
    yield f"{' & '.join(escaped(column.title) for column in columns)} \\\\"


def _rows(table: Table, columns: int) -> Iterator[str]:
    if not table.rows:
        yield rf"\multicolumn{{{columns}}}{{l}}{{No rows.}} \\"
    above: tuple[str, ...] = ()
    for row in table.rows:
        group = tuple(cell.text for cell in row[: table.labels - 1])
        if group and group != above:
            yield rf"\multicolumn{{{columns}}}{{l}}{{\textit{{{escaped(', '.join(group))}}}}} \\"
            above = group
        yield f"{' & '.join(_cell(cell) for cell in row[table.labels - 1 :])} \\\\"


def _cell(cell: Cell) -> str:
    text = _number(cell.text)
    return {"": text, "best": rf"\textbf{{{text}}}", "second": rf"\underline{{{text}}}"}[cell.mark]


def _number(text: str) -> str:
    """Print a p value with its power of ten as such, and a minus as a minus."""
    digits, power, exponent = text.partition("e-")
    if power and exponent.isdigit() and digits.replace(".", "").isdigit():
        return rf"${digits} \times 10^{{-{exponent}}}$"
    if text[:1] in "+-" and text[1:2].isdigit():
        return f"${text}$"
    return escaped(text)


def escaped(text: str) -> str:
    """Return text with every character that LaTeX reads as a command written out."""
    return "".join(_SYMBOLS.get(character, character) for character in text)
