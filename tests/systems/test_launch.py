"""Opening systems: folders run by the worker, classes in this process, programs in any language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memjoin.errors import MemJoinError
from memjoin.systems import registry
from memjoin.systems.errors import CallFailed, IllFormedRecords, WorkerDied, WorkerTimeout
from memjoin.systems.launch import WorkerSystem, open_system
from memjoin.systems.process import Timeouts
from memjoin.systems.protocol import Loss, Record, Session, Settings, WriteReport
from memjoin.systems.spec import SystemSpec

Folder = Callable[..., SystemSpec]

SHELL = r"""
# A memory system in ten lines of shell: keeps each session's id.
kept=""
while read -r line; do
  id=${line#*\"id\": }; id=${id%%,*}
  case $line in
    *'"call": "start"'*)  echo "{\"id\": $id, \"result\": {\"protocol\": 1}}" ;;
    *'"call": "reset"'*)  kept=""; echo "{\"id\": $id, \"result\": null}" ;;
    *'"call": "write"'*)  s=${line#*\"session\": \{\"id\": \"}; s=${s%%\"*}
                          kept="${kept:+$kept, }{\"id\": \"$s\", \"text\": \"session $s\"}"
                          echo "{\"id\": $id, \"result\": {\"added\": 1}}" ;;
    *'"call": "close"'*)  echo "{\"id\": $id, \"result\": null}"; exit 0 ;;
    *)                    echo "{\"id\": $id, \"result\": [$kept]}" ;;
  esac
done
"""


def test_a_folder_runs_as_a_worker(folder: Folder, settings: Settings, session: Session) -> None:
    with open_system(folder(), settings) as system:
        system.reset("c", 1)
        assert system.write(session) == WriteReport(added=2)
        stored = [
            Record("s1/0", "[2029-08-20T14:05] The urn is at Larkmoor.", created="2029-08-20T14:05"),
            Record("s1/1", "[2029-08-20T14:05] Ok.", created="2029-08-20T14:05"),
        ]
        assert system.export() == stored
        assert system.retrieve("urn", 1) == stored[:1]
        assert system.retrieve("urn", None) == stored
        system.reset("d", 1)
        assert system.export() == []


def test_losses_arrive(folder: Folder, settings: Settings, session: Session) -> None:
    spec = folder(
        "def write(self, session):\n"
        "    return WriteReport(changed=1, removed=2, model_calls=3, losses=(Loss('empty-reply', 'é'),))"
    )
    with open_system(spec, settings) as system:
        report = system.write(session)
    assert report == WriteReport(0, 1, 2, 3, (Loss("empty-reply", "é"),))


def test_what_a_framework_prints_corrupts_nothing(folder: Folder, settings: Settings) -> None:
    spec = folder(
        "def export(self):\n"
        "    print('hello'); os.write(1, b'raw\\n'); os.system('echo from a child'); sys.stdout.flush()\n"
        "    return [Record('1', repr(sys.stdin.read()))]",
        head="import os, sys\nprint('importing')",
    )
    with open_system(spec, settings) as system:
        assert [record.text for record in system.export()] == ["''"]
        assert isinstance(system, WorkerSystem)
        assert system.process is not None
        said = system.process.stderr_tail()
        for text in ("importing", "hello", "raw", "from a child"):
            assert text in said


def test_nothing_else_of_memjoin_is_there(folder: Folder, settings: Settings) -> None:
    spec = folder(
        "def export(self):\n"
        "    found = []\n"
        "    for name in ('cases.schema', 'text.graph', 'judging.verdict', 'models.types',\n"
        "                 'systems.protocol'):\n"
        "        try: importlib.import_module('memjoin.' + name); found.append(Record(name, 'there'))\n"
        "        except ModuleNotFoundError: pass\n"
        "    return found",
        head="import importlib",
    )
    with open_system(spec, settings) as system:
        assert [record.id for record in system.export()] == ["systems.protocol"]


def test_an_exception_leaves_the_worker_alive(folder: Folder, settings: Settings, session: Session) -> None:
    spec = folder("def write(self, session):\n    return {}['missing']")
    with open_system(spec, settings) as system:
        with pytest.raises(CallFailed, match="tiny: `write` raised KeyError") as raised:
            system.write(session)
        assert "adapter.py" in raised.value.traceback
        assert "adapter.py" in raised.value.hint
        assert system.export() == []


@pytest.mark.parametrize(
    ("returned", "detail"),
    [
        ("None", "expected a list of records, got nothing"),
        ("['text']", "record 0: expected a Record, got str"),
        ("[Record('1', None)]", "record 0, text: expected text, got nothing"),
        ("[Record('1', 'a'), Record('1', 'b')]", "two records have the id '1'"),
        ("[Record('1', 'a', created='yesterday')]", "'yesterday' is no ISO 8601 date or time"),
        ("[Record('1', 'a', score=float('nan'))]", "expected a finite number, got nan"),
        ("[Record('1', '\\ud800')]", "surrogate"),
    ],
)
def test_ill_formed_records(folder: Folder, settings: Settings, returned: str, detail: str) -> None:
    spec = folder(f"def export(self):\n    return {returned}")
    with open_system(spec, settings) as system:
        with pytest.raises(IllFormedRecords, match="tiny: `export` returned") as raised:
            system.export()
        assert detail in raised.value.message
        system.reset("c", 1)


@pytest.mark.parametrize(
    ("head", "methods", "detail"),
    [
        ("import a_module_that_is_not_there", "", "ModuleNotFoundError"),
        ("1 / 0", "", "ZeroDivisionError"),
        ("", "def __init__(self, settings):\n    raise ValueError('no store')", "no store"),
        ("import os; os._exit(9)", "", "exit code 9"),
    ],
)
def test_a_system_that_does_not_start(
    folder: Folder, settings: Settings, tmp_path: Path, head: str, methods: str, detail: str
) -> None:
    home = tmp_path / "home"
    with pytest.raises(MemJoinError, match="`start`") as raised:
        open_system(folder(methods, head), replace(settings, home=str(home)))
    assert detail in raised.value.message
    assert list(home.glob("home-*")) == []


def test_a_dead_worker_is_started_again_with_nothing_left(
    folder: Folder, settings: Settings, session: Session
) -> None:
    spec = folder(
        "def write(self, session):\n"
        "    place = Path(self.settings.home) / 'notes'\n"
        "    place.write_text('left')\n"
        "    os._exit(4)\n"
        "def export(self):\n"
        "    home = Path.home()\n"
        "    assert str(home) == self.settings.home == os.environ['HOME']\n"
        "    return [Record(path.name, 'left') for path in home.iterdir() if path.is_file()]",
        head="import os\nfrom pathlib import Path",
    )
    with open_system(spec, settings) as system:
        first = system.home
        with pytest.raises(WorkerDied, match="exit code 4"):
            system.write(session)
        with pytest.raises(WorkerDied):
            system.export()
        system.restart()
        assert system.export() == []
        assert system.home != first
        assert not first.exists()
    assert not system.home.exists()


def test_a_call_that_hangs(folder: Folder, settings: Settings, session: Session) -> None:
    spec = folder("def write(self, session):\n    time.sleep(1000)", head="import time")
    with open_system(spec, settings, timeouts=Timeouts(write=0.2)) as system:
        with pytest.raises(WorkerTimeout, match=r"tiny: no answer within 0\.2 s in `write`"):
            system.write(session)
        system.restart()
        system.reset("c", 1)


def test_a_close_that_hangs_or_fails(folder: Folder, settings: Settings) -> None:
    for body in ("time.sleep(1000)", "raise ValueError", "os._exit(1)"):
        spec = folder(f"def close(self):\n    {body}", head="import os, time")
        system = open_system(spec, settings, timeouts=Timeouts(close=0.2))
        system.close()
        system.close()
        assert not system.home.exists()


def test_closing_does_not_wait_for_a_call_that_was_broken_off(
    folder: Folder, settings: Settings, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = folder("def write(self, session):\n    time.sleep(1000)", head="import time")
    with open_system(spec, settings, timeouts=Timeouts(close=1000)) as system:
        assert isinstance(system, WorkerSystem)
        process = system.process
        assert process is not None
        assert process.idle

        def stop(*arguments: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(process, "_read", stop)
        monkeypatch.setattr(process, "_write", stop)
        with pytest.raises(KeyboardInterrupt):
            system.write(session)
        assert process.running
        assert not process.idle
    assert not process.running


def test_options_and_variables(folder: Folder, settings: Settings) -> None:
    spec = folder(
        "def export(self):\n"
        "    seen = {**self.settings.options, 'PLACE': os.environ['PLACE']}\n"
        "    return [Record(key, str(seen[key])) for key in sorted(seen)]",
        head="import os",
        toml='[options]\na = 1\nb = 2\n[environment]\nPLACE = "{home}/place"',
    )
    with open_system(spec, replace(settings, options={"b": 3})) as system:
        seen = {record.id: record.text for record in system.export()}
        assert seen == {"a": "1", "b": "3", "PLACE": f"{system.home}/place"}


def test_the_log_keeps_all_that_was_printed(folder: Folder, settings: Settings, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "tiny.log"
    spec = folder("def reset(self, case_id, seed):\n    print('reset to', case_id)")
    with open_system(spec, settings, log=log) as system:
        system.reset("first", 1)
        system.restart()
        system.reset("second", 1)
    assert log.read_text() == "reset to first\nreset to second\n"


def test_a_home_that_is_given_is_left_there(folder: Folder, settings: Settings, tmp_path: Path) -> None:
    home = tmp_path / "given"
    with open_system(folder(), replace(settings, home=str(home))) as system:
        assert system.home.parent == home
    assert home.exists()
    assert list(home.glob("home-*")) == []


def test_a_program_in_another_language(
    settings: Settings, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.sh").write_text(SHELL)
    monkeypatch.chdir(tmp_path)
    with open_system(registry.find("exec: sh memory.sh"), settings) as system:
        system.reset("c", 1)
        assert system.write(session) == WriteReport(added=1)
        assert system.write(replace(session, id="s2")) == WriteReport(added=1)
        assert system.export() == [Record("s1", "session s1"), Record("s2", "session s2")]
        system.reset("d", 1)
        assert system.retrieve("anything", 3) == []


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        ('[{"id": "1"}]', "record 0: 'text' is missing"),
        ('[{"id": "1", "text": "a", "txet": "b"}]', "record 0: unknown field 'txet'"),
        ('{"records": []}', "expected a list of records, got dict"),
        ('[{"id": "", "text": "a"}]', "record 0, id: must not be empty"),
    ],
)
def test_a_program_with_ill_formed_records(
    settings: Settings, tmp_path: Path, answer: str, detail: str
) -> None:
    script = tmp_path / "memory.sh"
    script.write_text(
        'read -r a; echo \'{"id": 1, "result": {"protocol": 1}}\'; '
        f'read -r b; echo \'{{"id": 2, "result": {answer}}}\''
    )
    spec = registry.find(f"exec: sh {script}")
    with open_system(spec, settings) as system, pytest.raises(IllFormedRecords) as raised:
        system.export()
    assert detail in raised.value.message


def test_a_program_of_another_protocol(settings: Settings, tmp_path: Path) -> None:
    script = tmp_path / "memory.sh"
    script.write_text('read -r a; echo \'{"id": 1, "result": {"protocol": 2}}\'; read -r b')
    with pytest.raises(IllFormedRecords, match="protocol"):
        open_system(registry.find(f"exec: sh {script}"), settings)
