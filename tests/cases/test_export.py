"""Cases written for other tools come back as the cases they were."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import yaml

from memjoin.cases import release
from memjoin.cases.export import export
from memjoin.cases.files import read_cases, to_plain
from memjoin.cases.json_schema import published
from memjoin.cases.schema import Case
from memjoin.errors import MemJoinError

SPAN = {"session", "turn", "start", "end"}


def as_line(value: Any) -> Any:
    """Return a row of a Parquet file, or a part of it, as JSON lines have it."""
    if isinstance(value, list):
        return [as_line(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == SPAN:
        return [value[name] for name in ("session", "turn", "start", "end")]
    if value.keys() == {"kind", "value"}:
        return [value["kind"], as_line(value["value"])]
    return {name: as_line(item) for name, item in value.items() if item is not None}


def rows_of(path: Path) -> list[Any]:
    return [as_line(row) for row in pyarrow.parquet.read_table(path).to_pylist()]


def test_json_lines_come_back(built: list[Case], tmp_path: Path) -> None:
    assert export(built, None, tmp_path / "x.jsonl", "v1") == len(built)
    assert read_cases(tmp_path / "x.jsonl") == built


def test_parquet_comes_back(built: list[Case], tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    assert export(built, "parquet", path, "v1") == len(built)
    assert rows_of(path) == [to_plain(case) for case in built]
    assert [one.name for one in tmp_path.iterdir()] == ["x.parquet"]
    table = pyarrow.parquet.read_table(path)
    assert table.column_names == list(to_plain(built[0]))
    assert str(table.schema.field("sessions").type) == (
        "list<element: struct<id: string, at: string, "
        "turns: list<element: struct<speaker: string, text: string>>>>"
    )


def test_a_folder_for_dataset_hubs(built: list[Case], tmp_path: Path) -> None:
    out = tmp_path / "hub"
    assert export(built[:24], "hf", out, release.VERSION) == 24
    assert {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()} == {
        "README.md",
        "cases.jsonl",
        "case.schema.json",
        "data/test.parquet",
    }
    assert read_cases(out / "cases.jsonl") == built[:24]
    assert (out / "case.schema.json").read_text(encoding="utf-8") == published()
    _, header, body = (out / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    told = yaml.safe_load(header)
    assert told["license"] == "apache-2.0"
    assert told["size_categories"] == ["n<1K"]
    (config,) = told["configs"]
    for part in config["data_files"]:
        assert rows_of(out / part["path"]) == [to_plain(case) for case in built[:24]]
    assert "24 cases, 2 families of situations" in body
    assert "8 RJ, 8 UC, 8 WM" in body
    assert not re.search(r"\{\w+\}", body)


def test_own_cases_get_no_licence_of_ours_and_their_name_is_only_text(
    built: list[Case], tmp_path: Path
) -> None:
    export(built[:1], "hf", tmp_path / "hub", "<b>x</b>: [a](b).jsonl")
    _, header, body = (tmp_path / "hub" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    assert "license" not in yaml.safe_load(header)
    assert yaml.safe_load(header)["pretty_name"] == "MemJoin cases, <b>x</b>: [a](b).jsonl"
    assert "# MemJoin cases: \\<b\\>x\\</b\\>: \\[a\\](b).jsonl" in body
    assert "Add `license:` to the header" in body


def test_a_folder_that_holds_something_is_left_alone(built: list[Case], tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(MemJoinError, match="the folder is not empty"):
        export(built[:1], "hf", tmp_path, "v1")
    export(built[:1], "hf", tmp_path / "hub", "v1")
    with pytest.raises(MemJoinError, match="the folder is not empty"):
        export(built[:1], "hf", tmp_path / "hub", "v1")


@pytest.mark.parametrize(
    ("form", "name", "problem"),
    [
        ("csv", "x.csv", "There is no format 'csv'"),
        (None, "x.csv", "x.csv: the name does not tell the format"),
        ("parquet", "no/x.parquet", "no/x.parquet: cannot be written: "),
        ("hf", "file/hub", "file/hub: cannot be made: Not a directory"),
    ],
)
def test_mistakes_are_named(
    built: list[Case],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str | None,
    name: str,
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    with pytest.raises(MemJoinError, match=re.escape(problem)):
        export(built[:1], form, Path(name), "v1")
    with pytest.raises(MemJoinError, match="no case to export"):
        export([], "jsonl", Path("x.jsonl"), "v1")


def test_without_pyarrow_the_extra_is_named(
    built: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def importing(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", importing)
    for form in ("parquet", "hf"):
        with pytest.raises(MemJoinError, match="not installed") as caught:
            export(built[:1], form, tmp_path / form, "v1")
        assert "pip install 'memjoin[export]'" in caught.value.hint
    assert list(tmp_path.iterdir()) == []
    assert export(built[:1], "jsonl", tmp_path / "x.jsonl", "v1") == 1
