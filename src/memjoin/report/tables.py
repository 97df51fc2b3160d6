"""Writes a run's tables: to read (Markdown), for papers (LaTeX), spreadsheets (CSV) and programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memjoin.analysis import tables as analysis
from memjoin.analysis.builders.pairs import LossCount
from memjoin.analysis.design import Design
from memjoin.analysis.latex import latex
from memjoin.analysis.render import as_csv, as_json, markdown
from memjoin.analysis.table import Table
from memjoin.errors import MemJoinError
from memjoin.judging.verdict import VerdictRow


def write_tables(
    rows: Iterable[VerdictRow], plan: Design, folder: Path, losses: Sequence[LossCount] = ()
) -> list[Path]:
    """Compute every table of a run and write each as ``NAME.md``, ``NAME.csv``, ``NAME.json`` and
    ``NAME.tex``.

    The same rows and plan give the same bytes. Files of these names are replaced, others left alone.

    Args:
        rows: The run's verdicts.
        plan: What the run set out to do.
        folder: Where to; made if it does not exist.
        losses: What systems lost while writing, if known.

    Returns:
        The files, in the order of the tables.

    Raises:
        MemJoinError: The verdicts contradict each other or the plan, or a file cannot be written.
    """
    return write(analysis.tables(rows, plan, losses), folder)


def write(tables: Iterable[Table], folder: Path) -> list[Path]:
    """Write tables that are computed already. As ``write_tables``.

    Raises:
        MemJoinError: A file cannot be written.
    """
    paths: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in tables:
            texts = {
                "md": markdown(table),
                "csv": as_csv(table),
                "json": as_json(table),
                "tex": latex(table),
            }
            for suffix, text in texts.items():
                path = folder / f"{table.name}.{suffix}"
                path.write_text(text, encoding="utf-8", newline="\n")
                paths.append(path)
    except OSError as error:
        raise MemJoinError(
            f"{error.filename or folder}: cannot be written: {error.strerror}",
            "Free space on the disk or make the folder writable, and run the same command again.",
        ) from error
    return paths
