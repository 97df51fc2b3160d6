from dataclasses import replace

from memjoin.analysis.latex import LONG, MANY, escaped, latex
from memjoin.analysis.table import Cell, Column, Table, label

TABLE = Table(
    name="table-x",
    title="Table X: 50% & more",
    columns=(
        Column("block", "Rows"),
        Column("system", "System"),
        Column("n", "N_D"),
        Column("before", "Before", group="DR (%)"),
        Column("after", "After", group="DR (%)"),
        Column("p", "p"),
    ),
    rows=(
        (
            label("Systems"),
            label("mem_0"),
            Cell("40"),
            Cell("13.9"),
            Cell("1.0", mark="best"),
            Cell("6.86e-4"),
        ),
        (label("Systems"), label("b"), Cell("3"), Cell("–"), Cell("2.0", mark="second"), Cell("0.878")),
        (label("References"), label("c"), Cell("3"), Cell("-0.7 [-5.2, +3.8]"), Cell("2.0"), Cell("–")),
    ),
    labels=2,
    subtitle="Embedded roles.",
    notes=("A4 | Avail.: ΔDR < 5.",),
)


def test_a_table_in_latex() -> None:
    lines = latex(TABLE).splitlines()
    assert r"\caption{Table X: 50\% \& more. Embedded roles.}" in lines
    assert r"\begin{tabular}{lrrrr}" in lines
    at = lines.index(r"\toprule")
    assert lines[at + 1 : at + 4] == [
        r" &  & \multicolumn{2}{c}{DR (\%)} &  \\",
        r"\cmidrule(lr){3-4}",
        r"System & N\_D & Before & After & p \\",
    ]
    assert r"mem\_0 & 40 & 13.9 & \textbf{1.0} & $6.86 \times 10^{-4}$ \\" in lines
    assert r"b & 3 & -- & \underline{2.0} & 0.878 \\" in lines
    assert r"c & 3 & $-0.7 [-5.2, +3.8]$ & 2.0 & -- \\" in lines
    assert r"\par\smallskip\footnotesize A4 $\mid$ Avail.: $\Delta$DR $<$ 5." in lines


def test_rows_stand_under_the_labels_that_they_share() -> None:
    lines = latex(TABLE).splitlines()
    heads = [line for line in lines if "textit" in line]
    assert heads == [
        r"\multicolumn{5}{l}{\textit{Systems}} \\",
        r"\multicolumn{5}{l}{\textit{References}} \\",
    ]


def test_braces_and_environments_are_balanced() -> None:
    text = latex(TABLE)
    assert text.count("{") == text.count("}")
    for name in ("table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") == 1
    columns = {
        line.count("&") for line in text.splitlines() if line.endswith(r"\\") and "multicolumn" not in line
    }
    assert columns == {4}


def test_a_table_that_is_wider_than_the_text_is_made_smaller() -> None:
    lines = latex(TABLE).splitlines()
    at = lines.index(r"\begin{tabular}{lrrrr}")
    assert lines[at - 1] == r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
    assert lines[lines.index(r"\end{tabular}") + 1] == "}"


def test_wide_columns_are_left_out_of_tables_that_cannot_be_made_smaller_or_not_be_read() -> None:
    columns = (*TABLE.columns[:2], replace(TABLE.columns[2], wide=True), *TABLE.columns[3:])
    table = replace(TABLE, columns=columns)
    assert r"System & N\_D & Before & After & p \\" in latex(table)
    many = MANY - len(columns) + 1
    row = (*TABLE.rows[0], *[TABLE.rows[0][-1]] * many)
    assert r"N\_D" not in latex(replace(table, columns=(*columns, *[columns[-1]] * many), rows=(row,)))
    text = latex(replace(table, rows=TABLE.rows[:1] * (LONG + 1)))
    assert r"\begin{longtable}{lrrr}" in text
    assert r"System & Before & After & p \\" in text
    assert r"mem\_0 & 13.9 & \textbf{1.0} & $6.86 \times 10^{-4}$ \\" in text


def test_a_long_table_breaks_across_pages_with_its_header_on_each() -> None:
    assert "longtable}{" not in latex(replace(TABLE, rows=TABLE.rows[:1] * LONG))
    text = latex(replace(TABLE, rows=TABLE.rows[:1] * (LONG + 1)))
    assert text.count(r"\begin{longtable}{lrrrr}") == text.count(r"\end{longtable}") == 1
    assert text.count(r"System & N\_D & Before & After & p \\") == 2
    assert text.index(r"\endfirsthead") < text.index(r"\endhead") < text.index(r"mem\_0")
    assert r"\begin{table}" not in text
    assert text.count("{") == text.count("}")


def test_a_table_without_rows_says_so() -> None:
    empty = Table("t", "T", (Column("a", "A"), Column("b", "B")), ())
    assert r"\multicolumn{2}{l}{No rows.} \\" in latex(empty)


def test_every_character_that_latex_reads_as_a_command_is_written_out() -> None:
    assert escaped(r"a\b_c{d}~^#$") == (r"a\textbackslash{}b\_c\{d\}\textasciitilde{}\textasciicircum{}\#\$")
