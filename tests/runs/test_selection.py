"""Which cases a user's words stand for."""

import pytest

from memjoin.cases import release
from memjoin.cases.files import write_cases
from memjoin.cases.own.new import template
from memjoin.errors import MemJoinError
from memjoin.runs.selection import select

ALL = [case.id for case in release.load()]


def ids(wanted=(), preset=None):
    return [case.id for case in select(wanted, preset).cases]


def test_nothing_wanted_is_the_quick_choice_of_the_release():
    chosen = select((), None)
    assert chosen.dataset == release.VERSION
    assert list(chosen.cases) == release.quick(release.load())
    assert len(chosen.cases) == release.QUICK


def test_full_is_all_of_it_in_order():
    assert ids(preset="full") == ALL


def test_what_is_wanted_is_taken_whole_unless_quick_is_said():
    assert ids(["RJ", "UC"]) == [name for name in ALL if "-RJ-" in name or "-UC-" in name]
    assert len(ids(["RJ", "UC"], "quick")) == release.QUICK


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (["F19"], lambda name: name.startswith("F19")),
        (["f19", "F04"], lambda name: name[:3] in ("F19", "F04")),
        (["WM"], lambda name: "-WM-" in name),
        (["F19", "wm"], lambda name: name.startswith("F19-WM")),
        (["F19", "F20", "RJ", "UC"], lambda name: name[:3] in ("F19", "F20") and "-WM-" not in name),
        (["F04-RJ-chain-01"], lambda name: name == "F04-RJ-chain-01"),
        (["F19", "WM", "F04-RJ-chain-01"], lambda n: n.startswith("F19-WM") or n == "F04-RJ-chain-01"),
    ],
)
def test_families_and_configurations_narrow_each_other_and_ids_add(wanted, kept):
    assert ids(wanted) == [name for name in ALL if kept(name)]


def test_own_cases_come_from_files_and_words_narrow_them(tmp_path, new_case):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    write_cases([new_case("T01-RJ-chain-01"), new_case("T01-RJ-chain-02")], first)
    write_cases([new_case("T01-RJ-chain-03")], second)
    chosen = select([str(first), str(second)], None)
    assert chosen.dataset == "first.jsonl, second.jsonl"
    assert [case.id for case in chosen.cases] == [f"T01-RJ-chain-0{number}" for number in (1, 2, 3)]
    assert ids([str(first), "T01-RJ-chain-02"]) == ["T01-RJ-chain-02"]


def test_an_id_in_two_files_is_refused(tmp_path, new_case):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        write_cases([new_case()], path)
    with pytest.raises(MemJoinError, match="T01-RJ-chain-01 stands in another of the files"):
        ids([str(path) for path in paths])


@pytest.mark.parametrize(
    ("wanted", "message", "hint"),
    [
        (["F91"], "'F91'", "F19"),
        (["f19-rj-chian-01"], "'f19-rj-chian-01'", "F19-RJ-chain-01"),
        (["XY"], "'XY'", "memjoin cases list"),
        (["nothing.jsonl"], "nothing.jsonl", ""),
    ],
)
def test_what_there_is_not_is_named_with_what_comes_close(wanted, message, hint):
    with pytest.raises(MemJoinError) as error:
        ids(wanted)
    assert message in error.value.message
    assert hint in error.value.hint


def test_an_empty_choice_is_refused(tmp_path, new_case):
    write_cases([new_case()], tmp_path / "own.jsonl")
    with pytest.raises(MemJoinError, match="No case is T01 and WM at once"):
        ids([str(tmp_path / "own.jsonl"), "T01", "WM"])


def test_an_unknown_preset_is_refused():
    with pytest.raises(MemJoinError, match="'medium'"):
        ids(preset="medium")


@pytest.mark.parametrize("name", ["own.yaml", "own.YML"])
def test_own_cases_in_yaml_are_a_source_like_any_other(tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(template(), encoding="utf-8")
    chosen = select([name], None)
    assert (chosen.dataset, [case.id for case in chosen.cases]) == (name, ["fitness-01"])
    assert ids([name, "own"]) == ids([name, "OWN"]) == ids([name, "rj"]) == ["fitness-01"]
    with pytest.raises(MemJoinError, match="There is no case, family or configuration 'fitness-02'"):
        ids([name, "fitness-02"])
