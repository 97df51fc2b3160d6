"""All tables and figures of a run, written into its folder or another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memjoin.analysis.builders.paper import paper_tables
from memjoin.analysis.families import Family
from memjoin.analysis.results import Results
from memjoin.analysis.table import Table
from memjoin.analysis.tables import tables_of
from memjoin.report.figures import Figures, write_figures
from memjoin.report.source import losses_of, results_of
from memjoin.report.tables import write
from memjoin.runs.reader import Run

NO_ROWS = "No rows: "


@dataclass(frozen=True)
class Report:
    """What was written.

    ``files`` are the tables' (four each), ``figures`` the figures'; ``missing`` says of every table without
    rows and every figure that could not be drawn what the run would need for it.
    """

    results: Results
    tables: tuple[Table, ...]
    files: tuple[Path, ...]
    figures: Figures
    missing: tuple[tuple[str, str], ...]


def write_report(
    run: Run, out: Path | None = None, own: Iterable[Family] = (), *, figures: bool = True
) -> Report:
    """Write every table and figure of a run.

    Files of the same names are replaced; the same run gives the same bytes.

    Args:
        run: The run, finished or not.
        out: The folder for ``tables`` and ``figures``; by default the run's own.
        own: Families of comparisons beside the named ones.
        figures: Whether to draw figures.

    Raises:
        MemJoinError: The verdicts contradict each other or the plan, ``own`` compares what the run does not
            have, or a file cannot be written.
    """
    folder = run.folder.path if out is None else out
    results = results_of(run, own)
    tables = (*tables_of(results, losses_of(run.losses())), *paper_tables(results))
    files = write(tables, folder / "tables")
    drawn = write_figures(results, folder / "figures") if figures else Figures((), ())
    lacking = tuple(
        (table.name, table.notes[0].removeprefix(NO_ROWS))
        for table in tables
        if not table.rows and table.notes and table.notes[0].startswith(NO_ROWS)
    )
    return Report(results, tables, tuple(files), drawn, (*lacking, *drawn.missing))
