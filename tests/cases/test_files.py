from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memjoin.cases.files import iter_cases, read_cases, read_line, to_line, to_plain, write_cases
from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError


def test_what_is_written_is_read_again(built: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    assert write_cases(built, path) == len(built)
    assert read_cases(path) == built
    assert list(iter_cases(path)) == built


def test_equal_cases_give_equal_bytes(built: list[Case]) -> None:
    for case in built:
        line = to_line(case)
        assert line.endswith("\n")
        assert to_line(read_line(line, "here")) == line


def test_accents_stand_as_they_are_and_blank_lines_are_skipped(built: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n" + to_line(built[0]) + "\n\n", encoding="utf-8")
    assert read_cases(path) == [built[0]]
    assert "\\u" not in to_line(built[0])


def set_at(*steps: Any) -> Callable[[Any], None]:
    """Return a change that sets a value at a place of a case's JSON."""
    *way, last, value = steps

    def change(case: Any) -> None:
        for step in way:
            case = case[step]
        case[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (set_at("id", 7), "id: expected text, found 7"),
        (set_at("colour", "red"), "unknown field 'colour'"),
        (lambda case: case.pop("task"), "the field 'task' is missing"),
        (set_at("configuration", "XX"), 'configuration: expected one of RJ, UC, WM, found "XX"'),
        (set_at("sessions", "none"), 'sessions: expected a list, found "none"'),
        (
            set_at("sessions", 1, "turns", 0, "speaker", "cat"),
            "sessions[1].turns[0].speaker: expected one of",
        ),
        (set_at("task", []), "task: expected an object, found []"),
        (set_at("annotation", "clues", 0, "decoy", 1), "annotation.clues[0].decoy: expected true or false"),
        (set_at("annotation", "clues", 0, "sentences", 0, [1, 2]), "expected [session, turn, start, end]"),
        (set_at("annotation", "clues", 0, "sentences", 0, [1, 2, 3, True]), "expected [session, turn, start"),
        (set_at("annotation", "clues", 0, "statements", 0, {}), "fields a, b or kind, on, value, found {}"),
        (set_at("annotation", "values", 0, ["site"]), "annotation.values[0]: expected a list of 2"),
    ],
)
def test_a_line_that_is_no_case_is_refused(
    built: list[Case], change: Callable[[Any], None], problem: str
) -> None:
    plain = to_plain(built[0])
    change(plain)
    with pytest.raises(MemJoinError, match=re.escape(problem)) as caught:
        read_line(json.dumps(plain), "own.jsonl:3")
    assert caught.value.message.startswith("own.jsonl:3: ")


def test_a_field_with_a_default_may_be_left_out(built: list[Case]) -> None:
    plain = to_plain(built[0])
    clue = next(clue for clue in plain["annotation"]["clues"] if not clue["decoy"])
    del clue["decoy"]
    assert read_line(json.dumps(plain), "here") == built[0]


def test_files_that_cannot_be_used_are_named(built: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    with pytest.raises(MemJoinError, match=r"own\.jsonl: cannot be read: No such file"):
        read_cases(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(MemJoinError, match="holds no case"):
        read_cases(path)
    path.write_text(to_line(built[0]) + "{]\n", encoding="utf-8")
    with pytest.raises(MemJoinError, match=r"own\.jsonl:2: no JSON"):
        read_cases(path)
    path.write_text(to_line(built[0]) * 2, encoding="utf-8")
    with pytest.raises(MemJoinError, match=r"own\.jsonl:2: the id .* was given in line 1 already"):
        read_cases(path)
    path.write_bytes(b"\xff\n")
    with pytest.raises(MemJoinError, match="not UTF-8 text"):
        read_cases(path)
    with pytest.raises(MemJoinError, match="cannot be written: No such file"):
        write_cases(built, tmp_path / "nowhere" / "own.jsonl")


def test_a_file_that_is_not_finished_leaves_the_old_one(built: list[Case], tmp_path: Path) -> None:
    def failing() -> Iterator[Case]:
        yield built[1]
        raise MemJoinError("out of wordings")

    path = tmp_path / "own.jsonl"
    write_cases(built[:1], path)
    with pytest.raises(MemJoinError, match="out of wordings"):
        write_cases(failing(), path)
    assert read_cases(path) == built[:1]
    assert [one.name for one in tmp_path.iterdir()] == ["own.jsonl"]
