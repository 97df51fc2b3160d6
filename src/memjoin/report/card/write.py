"""From a set of cases to its data card."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from memjoin.cases import files, release
from memjoin.errors import MemJoinError
from memjoin.models.types import Embedder
from memjoin.report.card.figures import measure
from memjoin.report.card.page import page


def card(
    file: Path | None = None,
    text_only: bool = False,
    as_json: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> str:
    """Return the data card of the release, or the figures of a file of cases.

    Args:
        file: The cases; the release if None.
        text_only: Leave out the figures that need the embedder.
        as_json: JSON in place of Markdown.
        tell: Gets a line when something takes time.

    Raises:
        MemJoinError: The file cannot be read or holds no case, or the reference memory fails.
    """
    if file is None:
        # Loading has held the file to the digest that is published beside it.
        published = resources.files("memjoin.cases").joinpath("data", "cases.jsonl.sha256")
        cases, source = release.load(), release.VERSION
        sha256 = published.read_text(encoding="ascii").split()[0]
    else:
        cases, source, sha256 = files.read_cases(file), file.name, release.file_digest(file)

    def progress(done: int, of: int) -> None:
        if done % max(of // 4, 1) == 0:
            tell(f"Calibration: {done} of {of} cases")

    embedder = None if text_only else _embedder
    found = measure(cases, source, sha256, file is None, embedder, progress)
    if as_json:
        return json.dumps(found.plain(), ensure_ascii=False, indent=2) + "\n"
    return page(found)


def save(text: str, path: Path) -> None:
    """Write a card to a file.

    Raises:
        MemJoinError: It cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise MemJoinError(
            f"{path}: cannot be written: {error.strerror}", "Name a file in a folder that is there."
        ) from error


def _embedder() -> Embedder:
    from memjoin.models.embedder import MiniLmEmbedder

    return MiniLmEmbedder()
