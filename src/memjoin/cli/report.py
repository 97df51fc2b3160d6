"""`memjoin report`: every table and figure of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, such as runs/quick.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The folder for tables/ and figures/. Default: the run's own."),
    ] = None,
    families: Annotated[
        Path | None,
        typer.Option("--families", metavar="FILE", help="A YAML file with families of comparisons."),
    ] = None,
    comparison: Annotated[
        list[str] | None,
        typer.Option(
            "--comparison",
            metavar="TREATED vs CONTROL",
            help="A comparison of one's own, such as 'mem0/retrieved vs amem/retrieved'. Repeatable; all of "
            "them are one family.",
        ),
    ] = None,
    figures: Annotated[bool, typer.Option("--figures/--no-figures", help="Whether to draw figures.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write every table and figure of a run, and print its comparisons.

    Tables as CSV, Markdown, LaTeX and JSON, figures as SVG, PDF and PNG, in the form of the paper: Tables 1,
    2, 3, E.1 to E.4 and F.1 to F.7, Figures 3 and 4, from whatever conditions the run has.

    * `memjoin report runs/quick`
    * `memjoin report runs/quick --comparison "*/all vs */retrieved"`
    * `memjoin report runs/quick --families ours.yaml --out paper`

    An unfinished run has tables too: what is missing is counted, never taken for zero.
    """
    from memjoin.analysis.families import from_file, from_flags
    from memjoin.report.everything import write_report
    from memjoin.runs.reader import Run

    own = (*(from_file(families) if families else ()), *from_flags(comparison or ()))
    with Run(run) as opened:
        made = write_report(opened, out, own, figures=figures)
    folder = out or run
    if as_json:
        import json

        from memjoin.analysis.render import plain_values

        found = {
            "run": str(run),
            "tables": {table.name: plain_values(table) for table in made.tables},
            "files": [str(path) for path in (*made.files, *made.figures.written)],
            "missing": dict(made.missing),
        }
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    from memjoin.analysis.layout import WIDTH
    from memjoin.cli.consoles import output
    from memjoin.report.render import show

    console = output(WIDTH)
    compared = {family.name for family in made.results.families}
    show([table for table in made.tables if table.name in compared], console)
    lines = [f"{len(made.tables)} tables in {folder / 'tables'} (md, csv, json, tex)."]
    if figures:
        drawn = len({path.stem for path in made.figures.written})
        lines.append(f"{drawn} figures in {folder / 'figures'} (svg, pdf, png).")
    if made.missing:
        lines.append("Not in this run:")
        lines += [f"  {name}: {why.rstrip('.')}." for name, why in made.missing]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
