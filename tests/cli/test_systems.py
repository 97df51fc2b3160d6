"""`memjoin systems`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from memjoin.cli import main
from memjoin.cli.app import app
from memjoin.systems import environments, registry
from memjoin.systems.spec import SystemSpec

OWN = '''
from memjoin.systems.protocol import Record, WriteReport

class Own:
    """Keeps every turn; Leaky keeps it for the next case too."""
    leaky = False
    def __init__(self, settings):
        self.records = []
    def reset(self, case_id, seed):
        self.records = self.records if self.leaky else []
    def write(self, session):
        added = [Record(f"{session.id}/{n}", f"[{session.at}] {t.text}") for n, t in enumerate(session.turns)]
        self.records = [*self.records, *added]
        return WriteReport(added=len(added))
    def export(self):
        return self.records
    def retrieve(self, query, k):
        return self.records[:k]
    def close(self):
        pass

class Leaky(Own):
    leaky = True

class Chatty(Own):
    def write(self, session):
        print("{wrote")
        return super().write(session)
'''


def memjoin(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["systems", *arguments])


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_of_cli.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_list() -> None:
    result = memjoin("list")
    assert result.exit_code == 0
    for spec in registry.known():
        for text in (spec.name, spec.version, spec.licence, spec.exports, spec.retrieves, *spec.deviations):
            assert text in result.output


def test_list_as_json() -> None:
    result = memjoin("list", "--json")
    listed = {entry["name"]: entry for entry in json.loads(result.output)}
    assert list(listed) == [spec.name for spec in registry.known()]
    assert listed["mem0"]["version"] == "2.2.1"
    assert listed["memorybank:repository"]["k"] == "own"
    assert listed["verbatim"]["environment"] == "none needed"


def test_whether_it_is_installed_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMJOIN_CACHE_DIR", str(tmp_path))
    assert "not installed (" in memjoin("list").output
    entry = {entry["name"]: entry for entry in json.loads(memjoin("list", "--json").output)}["mem0"]
    assert entry["environment"] == "not made yet"
    python = Path(entry["path"]) / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("")
    entry = {entry["name"]: entry for entry in json.loads(memjoin("list", "--json").output)}["mem0"]
    assert entry["environment"] == "ready"


def test_install_what_needs_nothing() -> None:
    result = memjoin("install", "verbatim", "memorybank")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "verbatim: needs no environment",
        "memorybank:repository: needs no environment",
    ]


@pytest.mark.parametrize("arguments", [("install",), ("install", "mem0", "--all")])
def test_install_takes_names_or_all(arguments: tuple[str, ...]) -> None:
    result = memjoin(*arguments)
    assert result.exit_code == 2
    assert "name systems, or give --all" in result.output


def test_install_all_tells_what_it_does_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ensure(spec: SystemSpec, report: environments.Report) -> Path:
        asked.append(spec.name)
        report(f"{spec.name}: at work")
        if len(asked) == 2:
            raise KeyboardInterrupt
        return Path(sys.executable)

    monkeypatch.setattr(environments, "ensure", ensure)
    result = memjoin("install", "--all")
    assert asked == [spec.name for spec in registry.known()][:2]
    assert f"{asked[0]}: at work" in result.output
    assert "repeat the command to go on" in result.output
    assert result.exit_code == 130


@pytest.mark.usefixtures("own")
def test_check_an_own_system() -> None:
    result = memjoin("check", "own_of_cli:Own")
    assert result.exit_code == 0, result.output
    assert "passed         isolation: of 12 records none was left" in result.output
    assert "not applicable bad replies: it makes no model call" in result.output
    assert result.output.splitlines()[-1] == "own_of_cli:Own keeps the contract."


@pytest.mark.usefixtures("own")
def test_check_says_what_is_broken() -> None:
    result = memjoin("check", "own_of_cli:Leaky")
    assert result.exit_code == 1
    assert "failed         isolation: right after a reset there were" in result.output
    assert "does not keep the contract: isolation" in result.output


@pytest.mark.usefixtures("own")
def test_check_as_json() -> None:
    result = memjoin("check", "own_of_cli:Leaky", "--json")
    assert result.exit_code == 1
    found = json.loads(result.output)
    assert (found["system"], found["passed"]) == ("own_of_cli:Leaky", False)
    assert {finding["name"]: finding["outcome"] for finding in found["findings"]}["isolation"] == "failed"
    assert set(found["findings"][0]) == {"name", "rule", "outcome", "evidence"}


@pytest.mark.usefixtures("own")
def test_what_a_system_in_this_process_prints_is_kept_out_of_the_results() -> None:
    result = memjoin("check", "own_of_cli:Chatty", "--json")
    assert json.loads(result.stdout)["passed"]
    assert "{wrote" in result.stderr
    told = memjoin("check", "own_of_cli:Chatty")
    assert told.stdout.splitlines()[-1] == "own_of_cli:Chatty keeps the contract."
    assert "{wrote" not in told.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "mem1"], "there is no memory system 'mem1'. Did you mean mem0"),
        (["install", "mem1"], f"Known are {registry.known()[0].name}"),
        (["check", "exec: sh -c 'exit 3'"], "the process ended with exit code 3 in `start`"),
        (["check", "exec: sh -c 'echo hello'"], "one JSON object a line (line 'hello')"),
        (["check", "verbatim", "--embedder", "nowhere/model"], "nowhere"),
    ],
)
def test_mistakes_are_told_without_a_traceback(
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["memjoin", "systems", *arguments])
    with pytest.raises(SystemExit) as raised:
        main()
    assert raised.value.code == 2
    printed = capsys.readouterr().err
    assert "Error:" in printed
    assert "Traceback" not in printed
    assert message in " ".join(printed.split())
