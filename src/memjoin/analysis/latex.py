"""Tables as LaTeX, in the manner of ``booktabs``. The same table gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from memjoin.analysis.table import Cell, Column, Table

PREAMBLE = "% Needs \\usepackage{booktabs,graphicx,longtable}. Beyond ASCII all is written as LaTeX commands."

LONG = 40
"""With more rows than this a table may be longer than a page: it then breaks across pages."""

MANY = 12
"""With more columns than this a table as wide as the text could not be read."""

_FITTING = (r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", "}")
"""Around a table that is made smaller where it is wider than the text."""

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
    """Return a table as a LaTeX ``table`` environment, or a long one as ``longtable``, its notes below.

    Titles that share a group stand under one rule; rows that share all labels but the last stand under
    these. The best of a column is bold, the second underlined. A table that is wider than the text is made
    smaller. One that breaks across pages cannot be, and one of many columns would be too small to read: there
    wide columns are left out, as on a terminal.
    """
    breaks = len(table.rows) > LONG
    narrow = breaks or len(table.columns) > MANY
    kept = [
        at for at, column in enumerate(table.columns) if at < table.labels or not (narrow and column.wide)
    ]
    table = replace(
        table,
        columns=tuple(table.columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in table.rows),
    )
    columns = [*table.columns[table.labels - 1 : table.labels], *table.columns[table.labels :]]
    form = f"{{l{'r' * (len(columns) - 1)}}}"
    caption = [rf"\caption{{{_caption(table)}}}", rf"\label{{tab:{table.name}}}"]
    head = [r"\toprule", *_header(columns), r"\midrule"]
    body = [*_rows(table, len(columns)), r"\bottomrule"]
    notes = [rf"\par\smallskip\footnotesize {escaped(note)}" for note in table.notes]
    small = r"\setlength{\tabcolsep}{3pt}"
    if breaks:
        lines = [
            *("{", r"\scriptsize", small, rf"\begin{{longtable}}{form}"),
            *(caption[0] + caption[1] + r" \\", *head, r"\endfirsthead", *head, r"\endhead"),
            *(*body, r"\end{longtable}", *notes, r"\par", "}"),
        ]
    else:
        begin, end = _FITTING
        lines = [
            *(r"\begin{table}", r"\centering", small, *caption, begin, rf"\begin{{tabular}}{form}"),
            *(*head, *body, r"\end{tabular}", end, *notes, r"\end{table}"),
        ]
    return "\n".join([PREAMBLE, *lines]) + "\n"


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
