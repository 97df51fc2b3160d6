"""What several commands of `memjoin cases` share: their options, and where cases come from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from memjoin.cases.schema import Case

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CasesFile = Annotated[
    Path | None, typer.Option("--cases", help="A file of cases (.jsonl or .yaml) instead of the release.")
]
Families = Annotated[list[str] | None, typer.Option("--family", help="Only this family; repeatable.")]


def source(path: Path | None) -> list[Case]:
    """Return the cases of a file, or those of the release where there is none."""
    from memjoin.cases import files, release

    return release.load() if path is None else files.read_cases(path)
