import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from memjoin.analysis.design import Design
from memjoin.analysis.layout import WIDTH
from memjoin.analysis.tables import tables
from memjoin.errors import MemJoinError
from memjoin.judging.verdict import Joins
from memjoin.report.render import show
from memjoin.report.tables import write
from verdicts import verdict_row

SYSTEMS = ("verbatim", "memorybank:repository")
PLAN = Design(
    systems=SYSTEMS,
    conditions=("retrieved", "all", "history", "itemized", "task-only"),
    cases=("c1", "c2", "c3"),
    trials=1,
    k={"verbatim": "k=10", "memorybank:repository": "k=2, its own"},
    embedded=frozenset({"writer", "reader", "judge", "embedder"}),
    resamples=200,
)


def kept(case: str) -> Joins:
    joins = case == "c1"
    return Joins(
        True, True, True, True, 2, 1 + joins, (("s1", 1, 1), ("s2", joins, 1)), joins, joins, False, False
    )


ROWS = [
    verdict_row(
        system=system,
        condition=condition,
        case=case,
        family="F01",
        level=4 if case == "c1" and condition != "task-only" else 0,
        store=kept(case) if system else None,
        input=None if condition == "task-only" else kept(case),
    )
    for system, condition, _ in PLAN.arms
    for case in PLAN.cases
]


def test_every_table_is_written_for_reading_for_spreadsheets_and_for_programs(tmp_path: Path) -> None:
    paths = write(tables(ROWS, PLAN), tmp_path / "run" / "tables")
    names = [table.name for table in tables(ROWS, PLAN)]
    assert [path.name for path in paths] == [
        f"{name}.{end}" for name in names for end in ("md", "csv", "json", "tex")
    ]
    assert all(path.stat().st_size for path in paths)
    memory = json.loads((tmp_path / "run/tables/memory.json").read_text(encoding="utf-8"))
    assert memory["rows"][0]["joinable"]["numerator"] == 1
    assert memory["rows"][0]["joinable"]["denominator"] == 3


def test_the_same_verdicts_give_the_same_bytes(tmp_path: Path) -> None:
    once = write(tables(ROWS, PLAN), tmp_path / "once")
    again = write(tables(list(reversed(ROWS)), PLAN), tmp_path / "again")
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]
    assert not any(b"\r" in path.read_bytes() for path in once)


def test_older_tables_are_replaced_and_other_files_left(tmp_path: Path) -> None:
    (tmp_path / "memory.md").write_text("old")
    (tmp_path / "mine.md").write_text("mine")
    write(tables(ROWS, PLAN), tmp_path)
    assert (tmp_path / "memory.md").read_text(encoding="utf-8").startswith("## ")
    assert (tmp_path / "mine.md").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MemJoinError, match=r"file.*cannot be written"):
        write(tables(ROWS, PLAN), tmp_path / "file" / "tables")


def printed(width: int, colour: bool = False) -> str:
    out = io.StringIO()
    show(tables(ROWS, PLAN), Console(file=out, width=width, force_terminal=colour))
    return out.getvalue()


def test_tables_fit_a_terminal_of_a_hundred_columns() -> None:
    lines = printed(100).splitlines()
    assert max(len(line) for line in lines) <= WIDTH
    assert lines[0] == "What memory keeps: the joinable bound (%)"


def test_notes_that_tables_share_are_printed_once() -> None:
    text = printed(100)
    assert text.count("percentile bootstrap over cases") == 1
    assert text.count("Embedded roles: writer, reader, judge, embedder.") == 1
    assert text.count("not a language model") > 3  # above every table of answers


def test_colours_change_no_character() -> None:
    coloured = printed(100, colour=True)
    assert "\x1b[" in coloured
    assert Text.from_ansi(coloured).plain.split() == printed(100).split()
