"""Whatever is wrong is named with the way out, ends with a code, and leaves the ledger usable."""

import errno
import io
import json
import sqlite3
import sys
import types
from pathlib import Path

import pytest

from memjoin.cli import main

CASE = "F19-RJ-chain-01"


def verdicts(folder):
    ledger = sqlite3.connect(f"{folder}/ledger.sqlite")
    rows = ledger.execute("SELECT json_extract(verdict, '$.status'), condition FROM verdicts").fetchall()
    ledger.close()
    return rows


@pytest.mark.parametrize(
    ("flags", "named", "way_out"),
    [
        (["--system", "mem9"], "'mem9'", "mem0"),
        (["--system", "memorybank:essay"], "memorybank:essay", "memorybank:paper"),
        (["--system", "exec: ./nothing-here"], "./nothing-here", "executable"),
        (["--cases", "F91"], "'F91'", "F19"),
        (["--cases", "F19-RJ-chian-01"], "'F19-RJ-chian-01'", CASE),
        (["--cases", "own.jsonl"], "own.jsonl", ""),
        (["--condition", "everything"], "'everything'", "retrieved, all"),
        (["--preset", "small"], "'small'", "quick, full"),
        (["--reader", "opnai/gpt"], "'opnai'", "openai"),
        (["--judge", "openai/gpt"], "OPENAI_API_KEY", "Set OPENAI_API_KEY"),
        (["--reader", "http://127.0.0.1:1/v1"], "names no model", "#model"),
        (["--k", "0"], "--k is 0", "from 1 on"),
        (["--trials", "0"], "--trials is 0", "from 1 on"),
        (["--system", "mem0", "--condition", "history"], "--system", "retrieved"),
        (["--name", "../elsewhere"], "'../elsewhere'", "letters"),
        (["--name", ""], "''", "letters"),
        (["--name", "n" * 300], "cannot be the name", "a hundred at most"),
        (["--out", "o" * 300], "File name too long", "--out"),
    ],
)
def test_a_mistake_is_named_with_the_way_out(memjoin, tmp_path, flags, named, way_out):
    said = memjoin("run", *flags)
    assert said.code == 2
    assert said.out == ""
    assert named in said.err
    assert way_out in said.err
    assert "Traceback" not in said.err
    assert not list(tmp_path.rglob("ledger.sqlite"))


@pytest.mark.parametrize("temperature", ["warm", "-1", "nan", "inf"])
def test_a_temperature_is_a_number_from_0_on_or_none(memjoin, temperature):
    said = memjoin("plan", "--temperature", temperature)
    assert said.code == 2
    assert "give a number from 0 on, or 'none'" in said.err


@pytest.mark.parametrize("cases", ["", " , "])
def test_cases_that_name_none_are_not_all_cases(memjoin, cases):
    said = memjoin("run", "--cases", cases)
    assert said.code == 2
    assert "names no case" in said.err


def test_what_a_system_in_this_process_prints_stays_out_of_the_json(memjoin, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "chatty_memory.py").write_text(
        "from memjoin.systems.verbatim.adapter import Verbatim\n"
        "class Chatty(Verbatim):\n"
        "    def write(self, session):\n"
        "        print('{wrote')\n"
        "        return super().write(session)\n"
    )
    said = memjoin(
        *("run", "--cases", CASE, "--condition", "all", "--system", "chatty_memory:Chatty", "--json")
    )
    assert said.code == 0, said.err
    assert json.loads(said.out)["failed"] == []
    assert "{wrote" in said.err


def test_output_that_cannot_hold_a_character_gets_its_code(memjoin, monkeypatch):
    memjoin("run", "--cases", CASE, "--condition", "history")
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)
    assert memjoin("run", "--cases", CASE, "--condition", "history").code == 0
    assert b"All of it lies in" in narrow.buffer.getvalue()
    assert b"\\u2013" in narrow.buffer.getvalue()


def test_ctrl_c_before_anything_was_begun_ends_without_a_traceback(memjoin, monkeypatch):
    class Interrupted(types.ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "memjoin.cli.app", Interrupted("memjoin.cli.app"))
    said = memjoin("run")
    assert (said.code, said.out, said.err) == (130, "", "")


def test_a_full_disk_under_the_output_is_said(memjoin, monkeypatch):
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Full())
        patched.setattr(sys, "argv", ["memjoin", "cases", "list"])
        with pytest.raises(SystemExit, match="No space left on the disk"):
            main()


def test_a_manifest_that_is_gone_is_named(memjoin, tmp_path):
    command = ("run", "--cases", CASE, "--condition", "history", "--name", "first")
    assert memjoin(*command).code == 0
    (tmp_path / "runs" / "first" / "manifest.json").unlink()
    said = memjoin(*command)
    assert said.code == 2
    assert "manifest.json" in said.err
    assert "--fresh" in said.err
    assert memjoin(*command, "--fresh").code == 0


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("dies", ["exit code 3", "out of cheese"]),
        ("hangs", ["no answer within 0.5 s", "`write`"]),
        ("garbage", ["hello there"]),
        ("raises", ["ValueError: no cheese"]),
        ("ill-formed", ["added"]),
    ],
)
def test_an_own_system_that_fails_is_named_and_its_answers_are_missing(memjoin, program, fault, named):
    command = ("run", "--cases", CASE, "--system", program(fault), "--timeout", "0.5", "--json")
    said = memjoin(*command)
    assert said.code == 1
    found = json.loads(said.out)
    [failed] = found["failed"]
    assert failed["case"] == CASE
    for words in named:
        assert words in failed["reason"]
    rows = {row[0] for row in verdicts("runs/cases")}
    assert rows == {"missing", "ok"}
    program("")
    again = memjoin(*command[:-1])
    assert again.code == 0, again.err
    assert {row[0] for row in verdicts("runs/cases")} == {"ok"}


def test_what_failed_is_said_below_the_tables(memjoin, program):
    said = memjoin("run", "--cases", CASE, "--system", program("dies"))
    assert said.code == 1
    assert "1 cell did not yield all answers. What is missing is never counted as zero." in said.out
    assert "  | out of cheese" in said.out
    assert "The same command tries them again." in said.out


def test_a_damaged_ledger_is_named_and_fresh_begins_anew(memjoin, program, tmp_path):
    command = ("run", "--cases", CASE, "--system", program(), "--condition", "all")
    assert memjoin(*command).code == 0
    ledger = tmp_path / "runs" / "cases" / "ledger.sqlite"
    ledger.write_bytes(b"\0" * 5000)
    said = memjoin(*command)
    assert said.code == 2
    assert "ledger.sqlite is damaged" in said.err.replace("\n", "")
    assert "--fresh" in said.err
    assert memjoin("show", "runs/cases", CASE).code == 2
    assert memjoin(*command, "--fresh").code == 0
    assert (tmp_path / "runs" / "cases.1" / "ledger.sqlite").read_bytes() == b"\0" * 5000


def test_a_changed_configuration_is_refused_unless_fresh_or_named(memjoin):
    command = ("run", "--cases", CASE, "--condition", "history")
    assert memjoin(*command).code == 0
    said = memjoin(*command, "--condition", "task-only", "--trials", "2")
    assert said.code == 2
    assert "conditions: now with task-only" in said.err
    assert "trials: was 1, is 2" in said.err
    assert memjoin(*command, "--trials", "2", "--name", "two").code == 0
    assert memjoin(*command, "--trials", "2", "--fresh").code == 0


def test_a_run_that_another_process_has_is_refused(memjoin, tmp_path):
    from memjoin.runs.folder import claim

    command = ("run", "--cases", CASE, "--condition", "history")
    assert memjoin(*command).code == 0
    manifest = json.loads((tmp_path / "runs" / "cases" / "manifest.json").read_text())
    with claim(tmp_path / "runs", "cases", manifest):
        said = memjoin(*command)
    assert said.code == 2
    assert "Another process is at work on the run runs/cases" in said.err.replace("\n", " ")


@pytest.mark.parametrize(
    ("mode", "named"),
    [
        ("401", "HTTP 401"),
        ("403", "HTTP 403"),
        ("429", "HTTP 429"),
        ("500", "HTTP 500"),
        ("503", "HTTP 503"),
        ("html", "it sent HTML"),
        ("empty", "it sent nothing at all"),
    ],
)
def test_an_endpoint_that_does_not_answer_stops_the_run_and_the_same_command_goes_on(
    memjoin, provider, mode, named
):
    what = ("--cases", "F19", "--condition", "history", "--trials", "1", "--concurrency", "1")
    command = ("run", *what, "--reader", provider.model("some-model"))
    provider.on_request = lambda number: setattr(provider, "mode", mode if number == 3 else provider.mode)
    said = memjoin(*command)
    assert said.code == 2
    for words in ("some-model", provider.url, named, "the same command goes on"):
        assert words in " ".join(said.err.split())
    assert "Traceback" not in said.err
    provider.mode, provider.on_request = "fine", lambda number: None
    again = memjoin(*command)
    assert again.code == 0, again.err
    # Twelve answers: two before, ten after, and the one that got no answer is asked once more.
    assert provider.answered.total() == 12 + 1
    assert [row[0] for row in verdicts("runs/cases")] == ["ok"] * 12


def test_an_endpoint_that_is_not_there_stops_the_run(memjoin):
    said = memjoin(
        "run", "--cases", CASE, "--condition", "history", "--reader", "http://127.0.0.1:9/v1#some-model"
    )
    assert said.code == 2
    assert "some-model" in said.err
    assert "http://127.0.0.1:9/v1" in said.err
    assert "Traceback" not in said.err


def test_a_key_appears_nowhere(memjoin, provider, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMJOIN_API_KEY", "sk-planted-0123456789")
    command = (
        "run",
        "--cases",
        CASE,
        "--condition",
        "history",
        "--trials",
        "1",
        "--reader",
        provider.model(),
    )
    provider.mode = "401"
    said = memjoin(*command)
    provider.mode = "fine"
    again = memjoin(*command, "--json")
    assert (said.code, again.code) == (2, 0)
    assert "planted" not in said.out + said.err + again.out + again.err
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"planted" not in path.read_bytes()


def test_logs_of_systems_are_pointed_to_where_a_system_was_at_work():
    from memjoin.cli.run import failures
    from memjoin.runs.cell import Cell, CellOutcome

    def said(system):
        return "\n".join(failures((CellOutcome(Cell(system, CASE, 0), "failed", "why"),), Path("logs")))

    assert "What systems printed lies in logs." in said("mem0")
    assert "The same command tries them again." in said("")
    assert "logs" not in said("")
