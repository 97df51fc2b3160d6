"""`memjoin cases`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from memjoin.cases import release
from memjoin.cases.files import read_cases, to_plain
from memjoin.cases.properties import PROPERTIES
from memjoin.cli.app import app
from memjoin.errors import MemJoinError

runner = CliRunner()


def run(*arguments: str) -> tuple[int, str]:
    result = runner.invoke(app, ["cases", *arguments], terminal_width=200)
    if isinstance(result.exception, MemJoinError):
        raise result.exception
    return result.exit_code, result.stdout


def test_list_shows_every_case_and_counts_them() -> None:
    code, out = run("list")
    assert code == 0
    for case in release.load():
        assert case.id in out
    assert out.splitlines()[-1].startswith(f"{len(release.load())} cases of {release.VERSION}")


def test_list_can_be_narrowed_and_printed_as_json() -> None:
    code, out = run("list", "--family", "F19", "--configuration", "uc", "--json")
    rows = json.loads(out)
    assert code == 0
    assert [row["id"] for row in rows] == [
        f"F19-UC-{topology}-01" for topology in ("amend", "renumber", "holder", "redate")
    ]
    assert {row["stratum"] for row in rows} == {"values-visible", "separated"}


def test_list_quick_is_the_preset() -> None:
    code, out = run("list", "--quick", "--json")
    assert code == 0
    assert [row["id"] for row in json.loads(out)] == [case.id for case in release.quick(release.load())]


def test_show_prints_sessions_task_and_annotation() -> None:
    code, out = run("show", "F19-WM-slot-01")
    case = release.select(release.load(), ids=["F19-WM-slot-01"])[0]
    assert code == 0
    for session in case.sessions:
        assert f"{session.id}, {session.at.replace('T', ' ')}" in out
    assert case.task.text in out
    assert case.annotation.why in out
    for cue in case.annotation.cues:
        assert f"<{cue.forms[0]}>".casefold() in out.casefold()
    assert "a remark that carries a clue" in out
    assert "\x1b[" not in out


def test_show_json_is_the_case() -> None:
    code, out = run("show", "F19-WM-slot-01", "--json")
    assert code == 0
    assert json.loads(out) == to_plain(release.select(release.load(), ids=["F19-WM-slot-01"])[0])


def test_show_of_an_unknown_case_names_those_close_to_it() -> None:
    with pytest.raises(MemJoinError, match="unknown case 'F19-WM-slt-01'") as caught:
        run("show", "F19-WM-slt-01")
    assert "F19-WM-slot-01" in caught.value.hint


def test_verify_tells_each_property_with_numbers() -> None:
    code, out = run("verify", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["cases"] == len(release.load())
    assert list(told["properties"]) == list(PROPERTIES) == [f"P{number}" for number in range(1, 12)]
    for one in told["properties"].values():
        assert (one["checked"], one["failing"]) == (told["cases"], [])
        assert one["says"]


def test_verify_fails_on_a_broken_case_and_says_where(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    plain = [to_plain(case) for case in release.load()[:2]]
    service = release.load()[1].annotation.target.service.canonical
    plain[1]["task"]["text"] += f" It is for the {service}."
    path.write_text("".join(json.dumps(one) + "\n" for one in plain), encoding="utf-8")
    code, out = run("verify", "--cases", str(path))
    assert code == 1
    assert f"{plain[1]['id']}: P3: the task names {service}" in out
    assert "2 cases checked, 1 of them break a property" in out
    code, out = run("verify", "--cases", str(path), "--json")
    told = json.loads(out)["properties"]
    assert code == 1
    assert {name: one["failing"] for name, one in told.items() if one["failing"]} == {"P3": [plain[1]["id"]]}


def test_build_writes_verified_cases_that_show_can_read(tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    code, out = run(
        "build", "--seed", "7", "--per-family", "13", "--family", "F19", "--out", str(path), "--json"
    )
    told = json.loads(out)
    assert code == 0
    assert (told["cases"], told["families"], told["seed"]) == (13, ["F19"], 7)
    assert told["sha256"] == release.file_digest(path)
    assert len(read_cases(path)) == 13
    code, out = run("show", "F19-RJ-chain-02", "--cases", str(path))
    assert code == 0
    assert "F19-RJ-chain-02" in out


def test_build_tells_a_person_what_came_out(tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    code, out = run("build", "--per-family", "2", "--family", "f20", "--out", str(path))
    assert code == 0
    assert "2 cases of F20, seed 1, all verified" in out
    assert f"SHA-256 {release.file_digest(path)}" in out


def test_build_takes_a_family_file_of_ones_own(tmp_path: Path) -> None:
    from importlib import resources

    family = resources.files("memjoin.cases").joinpath("data", "families", "F19.yaml").read_text("utf-8")
    own = tmp_path / "mine.yaml"
    own.write_text(family.replace("id: F19", "id: Mine", 1), encoding="utf-8")
    path = tmp_path / "mine.jsonl"
    code, _ = run("build", "--family-file", str(own), "--per-family", "1", "--out", str(path))
    assert code == 0
    assert [case.id for case in read_cases(path)] == ["Mine-RJ-chain-01"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("build", "--family", "F77", "--out", "x.jsonl"), "unknown family 'F77'"),
        (("build", "--out", "no/such/folder/x.jsonl"), "there is no folder no/such/folder"),
        (("list", "--cases", "none.jsonl"), "none.jsonl: cannot be read"),
        (("list", "--configuration", "AB"), "unknown configuration 'AB'"),
    ],
)
def test_mistakes_are_named(
    arguments: tuple[str, ...], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MemJoinError, match=problem):
        run(*arguments)
