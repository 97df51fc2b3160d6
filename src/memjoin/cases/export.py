"""Cases in the forms that other tools read: JSON lines, Parquet, and a folder as dataset hubs take it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import yaml

from memjoin.cases import columns, json_schema
from memjoin.cases.files import write_cases
from memjoin.cases.release import VERSION
from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError
from memjoin.text.visible import visible

Format: TypeAlias = Literal["jsonl", "parquet", "hf"]
FORMATS: tuple[Format, ...] = get_args(Format)

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def export(cases: Sequence[Case], form: str | None, out: Path, source: str) -> int:
    """Write cases in one of the forms and return how many.

    ``hf`` is a folder with ``README.md`` (a dataset card whose header names licence, size and files),
    ``data/test.parquet``, ``cases.jsonl`` (the same cases, as MemJoin reads them) and ``case.schema.json``.

    Args:
        cases: The cases.
        form: One of ``FORMATS``; None to go by the ending of ``out``.
        out: The file or the folder to write.
        source: What the cases are called: the release's version, or the name of their file.

    Raises:
        MemJoinError: There is no such form, nothing to export, a folder that is not empty, Parquet without
            `pyarrow`, or something cannot be written.
    """
    chosen = form or out.suffix.removeprefix(".").lower()
    if chosen not in FORMATS:
        what = f"There is no format {chosen!r}." if form else f"{out}: the name does not tell the format."
        raise MemJoinError(what, f"Name one with --format: {', '.join(FORMATS)}.")
    if not cases:
        raise MemJoinError("There is no case to export.", "`memjoin cases list` shows the cases there are.")
    if chosen == "jsonl":
        return write_cases(cases, out)
    if chosen == "parquet":
        return columns.write_parquet(cases, out)
    return _folder(cases, out, source)


def _folder(cases: Sequence[Case], out: Path, source: str) -> int:
    columns.require()
    try:
        (out / "data").mkdir(parents=True, exist_ok=True)
        if any(child != out / "data" for child in out.iterdir()) or any((out / "data").iterdir()):
            raise MemJoinError(f"{out}: the folder is not empty", "Name a new folder; nothing was changed.")
    except OSError as problem:
        raise MemJoinError(f"{out}: cannot be made: {problem.strerror}") from None
    number = columns.write_parquet(cases, out / "data" / "test.parquet")
    write_cases(cases, out / "cases.jsonl")
    try:
        (out / "case.schema.json").write_text(json_schema.published(), encoding="utf-8")
        (out / "README.md").write_text(card(cases, source), encoding="utf-8")
    except OSError as problem:
        raise MemJoinError(f"{out}: cannot be written: {problem.strerror}") from None
    return number


def card(cases: Sequence[Case], source: str) -> str:
    """Return the dataset card: a YAML header as dataset hubs read it, and what a reader must know."""
    released = source == VERSION
    size = next((name for most, name in _SIZES if len(cases) < most), "n>1M")
    header: dict[str, object] = {
        "pretty_name": f"MemJoin cases, {source}",
        "language": ["en"],
        "size_categories": [size],
        "task_categories": ["text-generation"],
        "tags": ["privacy", "long-term-memory", "agents", "synthetic"],
        "configs": [
            {"config_name": "default", "data_files": [{"split": "test", "path": "data/test.parquet"}]}
        ],
    }
    if released:
        header = {"license": "apache-2.0", **header}
    counts = Counter(case.configuration for case in cases)
    body = resources.files("memjoin.cases").joinpath("data", "dataset_card.md").read_text(encoding="utf-8")
    facts = {
        "name": _inline(source),
        "cases": "1 case" if len(cases) == 1 else f"{len(cases):,} cases",
        "families": str(len({case.family for case in cases})),
        "by": ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items())),
        "licence": "Apache 2.0, as MemJoin."
        if released
        else "Not stated: these cases come from a file of their authors. Add `license:` to the header.",
    }
    for name, value in facts.items():
        body = body.replace(f"{{{name}}}", value)
    dumped = yaml.safe_dump(header, sort_keys=False, allow_unicode=True)
    return f"---\n{dumped}---\n\n{body}"


def _inline(text: str) -> str:
    """Return text that is text in Markdown, too."""
    shown = visible(text)
    return "".join(f"\\{mark}" if mark in "\\`*_{}[]<>#|!" else mark for mark in shown)
