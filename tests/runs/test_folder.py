"""A run's folder: claimed by one process, for one configuration."""

import json
import subprocess
import sys

import pytest

from memjoin.errors import MemJoinError
from memjoin.runs.folder import claim, read_manifest


def manifest(**changes):
    return {"configuration": {"k": 10, "systems": ["verbatim"], "fingerprints": {}} | changes}


def test_a_new_run_gets_a_folder_with_its_manifest(tmp_path):
    with claim(tmp_path / "runs", "quick", manifest()) as folder:
        assert folder.path == tmp_path / "runs" / "quick"
        assert read_manifest(folder.path) == manifest()
        assert {entry.name for entry in folder.path.iterdir()} == {"lock", "manifest.json"}


def test_the_same_configuration_goes_on_in_the_same_folder(tmp_path):
    with claim(tmp_path, "quick", manifest() | {"versions": {"python": "3.11"}}) as folder:
        folder.ledger.write_text("something")
    with claim(tmp_path, "quick", manifest() | {"versions": {"python": "3.12"}}) as folder:
        assert folder.ledger.read_text() == "something"
    assert read_manifest(folder.path)["versions"] == {"python": "3.11"}


def test_another_configuration_is_refused_with_the_difference(tmp_path):
    with claim(tmp_path, "quick", manifest()) as folder:
        folder.ledger.touch()
    changed = manifest(k=5, systems=["verbatim", "mem0"])
    with pytest.raises(MemJoinError) as error, claim(tmp_path, "quick", changed):
        pytest.fail("must not be claimed")
    assert "k: was 10, is 5" in error.value.message
    assert "systems: now with mem0" in error.value.message
    assert "--fresh" in error.value.hint
    assert "--name" in error.value.hint
    assert read_manifest(tmp_path / "quick") == manifest()


def test_a_run_that_has_no_ledger_yet_stands_in_nobody_s_way(tmp_path):
    with claim(tmp_path, "quick", manifest(k=1)):
        pass
    with claim(tmp_path, "quick", manifest(k=2)) as folder:
        assert read_manifest(folder.path) == manifest(k=2)


def test_fresh_moves_the_old_folder_aside_and_deletes_nothing(tmp_path):
    for k in (1, 2, 3):
        with claim(tmp_path, "quick", manifest(k=k), fresh=True) as folder:
            folder.ledger.write_text(str(k))
    found = {path.name: (path / "ledger.sqlite").read_text() for path in tmp_path.iterdir()}
    assert found == {"quick.1": "1", "quick.2": "2", "quick": "3"}


def test_another_process_that_has_the_run_is_respected(tmp_path):
    with claim(tmp_path, "quick", manifest()) as folder:
        program = (
            "import sys, json, pathlib\n"
            "from memjoin.errors import MemJoinError\n"
            "from memjoin.runs.folder import claim\n"
            "try:\n"
            "    with claim(pathlib.Path(sys.argv[1]), 'quick', json.loads(sys.argv[2]), fresh=True): pass\n"
            "except MemJoinError as error: print(error.message)\n"
        )
        command = [sys.executable, "-c", program, str(tmp_path), json.dumps(manifest())]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert said == f"Another process is at work on the run {folder.path}.\n"
        assert [path.name for path in tmp_path.iterdir()] == ["quick"]


def test_a_process_that_was_killed_leaves_nothing_that_blocks(tmp_path):
    program = (
        "import os, sys, json, pathlib\n"
        "from memjoin.runs.folder import claim\n"
        "with claim(pathlib.Path(sys.argv[1]), 'quick', json.loads(sys.argv[2])): os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path), json.dumps(manifest())])
    assert ended.returncode == -9
    with claim(tmp_path, "quick", manifest()) as folder:
        assert folder.manifest.exists()


def test_a_death_before_the_manifest_was_written_does_not_block(tmp_path):
    (tmp_path / "quick").mkdir()
    (tmp_path / "quick" / "lock").touch()
    (tmp_path / "quick" / "manifest.partial").write_text("{")
    with claim(tmp_path, "quick", manifest()) as folder:
        assert read_manifest(folder.path) == manifest()


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "quick").mkdir()
    (tmp_path / "quick" / "thesis.tex").touch()
    with (
        pytest.raises(MemJoinError, match=r"no folder of a run; in it: thesis\.tex") as error,
        claim(tmp_path, "quick", manifest()),
    ):
        pytest.fail("must not be claimed")
    assert "--out" in error.value.hint
    assert not (tmp_path / "quick" / "manifest.json").exists()


@pytest.mark.parametrize("name", ["", ".", "..", "../elsewhere", "a/b", "-rf", "_x", "a b"])
def test_a_name_that_is_no_plain_name_is_refused(tmp_path, name):
    with pytest.raises(MemJoinError, match="cannot be the name of a run"), claim(tmp_path, name, manifest()):
        pytest.fail("must not be claimed")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"configuration": 3}'])
def test_a_damaged_manifest_is_named(tmp_path, text):
    (tmp_path / "quick").mkdir()
    (tmp_path / "quick" / "manifest.json").write_text(text)
    (tmp_path / "quick" / "ledger.sqlite").touch()
    with pytest.raises(MemJoinError, match=r"manifest\.json"), claim(tmp_path, "quick", manifest()):
        pytest.fail("must not be claimed")


def test_where_nothing_can_be_made_the_way_out_is_said(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(MemJoinError, match="cannot be used for a run") as error,
        claim(tmp_path / "file", "quick", manifest()),
    ):
        pytest.fail("must not be claimed")
    assert "--out" in error.value.hint


def test_what_goes_wrong_inside_is_not_taken_for_the_folder_s_fault(tmp_path):
    with pytest.raises(FileNotFoundError), claim(tmp_path, "quick", manifest()):
        (tmp_path / "nothing").read_text()
    with claim(tmp_path, "quick", manifest()):
        pass


def test_a_folder_without_a_manifest_is_no_run(tmp_path):
    with pytest.raises(MemJoinError, match="has no manifest"):
        read_manifest(tmp_path)
    with pytest.raises(MemJoinError, match="There is no run"):
        read_manifest(tmp_path / "nothing")
