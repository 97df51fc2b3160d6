"""Writes a run's tables: to read (Markdown), for papers (LaTeX), spreadsheets (CSV) and programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memjoin.analysis.latex import latex
from memjoin.analysis.render import as_csv, as_json, markdown
from memjoin.analysis.table import Table
from memjoin.errors import MemJoinError


def write(tables: Iterable[Table], folder: Path) -> list[Path]:
    """Write each table as ``NAME.md``, ``NAME.csv``, ``NAME.json`` and ``NAME.tex``.

    The same tables give the same bytes. Files of these names are replaced, others left alone.

    Args:
        tables: The tables.
        folder: Where to; made if it does not exist.

    Returns:
        The files, in the order of the tables.

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
