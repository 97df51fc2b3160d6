"""`memjoin doctor`: looks at everything, makes nothing, shows no key."""

import json

from memjoin.runs import doctor


def test_it_says_what_is_there_and_what_would_be_downloaded(memjoin, tmp_path, monkeypatch):
    monkeypatch.setenv("MEMJOIN_CACHE_DIR", str(tmp_path / "cache"))
    found = json.loads(memjoin("doctor", "--json").out)
    assert {"memjoin", "python", "uv", "onnxruntime"} <= found["versions"].keys()
    assert found["cases"].startswith("v1-rc, ")
    mem0 = next(system for system in found["systems"] if system["name"] == "mem0")
    assert (mem0["state"], mem0["packages"], mem0["size"]) == ("not made yet", 25, 0)
    assert found["problems"] == []
    assert list(tmp_path.iterdir()) == []


def test_it_names_keys_and_never_shows_one(memjoin, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    monkeypatch.setenv("GEMINI_API_KEY", "  ")
    said, as_json = memjoin("doctor"), memjoin("doctor", "--json")
    assert "openai: OPENAI_API_KEY" in said.out
    assert json.loads(as_json.out)["keys"]["google"] == []
    assert "planted" not in said.out + said.err + as_json.out + as_json.err


def test_it_ends_with_1_where_a_run_could_not_be_written(memjoin, tmp_path):
    (tmp_path / "file").touch()
    said = memjoin("doctor", "--out", str(tmp_path / "file"))
    assert said.code == 1
    assert "cannot be written: choose another place for runs" in said.out


def test_a_disk_that_is_nearly_full_is_a_problem(memjoin, monkeypatch):
    monkeypatch.setattr(doctor, "LOW_SPACE", 2**80)
    said = memjoin("doctor")
    assert said.code == 1
    assert "make room for runs" in said.out


def test_it_reads_for_people(memjoin):
    said = memjoin("doctor")
    assert said.code == 0
    for words in ("Installed", "Memory systems", "verbatim: needs no environment of its own", "GB free"):
        assert words in said.out
    assert said.out.rstrip().endswith("Nothing stands in the way of a run.")
