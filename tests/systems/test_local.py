"""Systems that are classes in this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memjoin.errors import MemJoinError
from memjoin.systems import registry
from memjoin.systems.errors import CallFailed, IllFormedRecords, WorkerDied, WorkerTimeout
from memjoin.systems.launch import open_system
from memjoin.systems.process import Timeouts
from memjoin.systems.protocol import Record, Session, Settings, WriteReport

OWN = """
import threading
from memjoin.systems.protocol import Record, WriteReport

class Own:
    closed = 0
    def __init__(self, settings):
        self.settings, self.records = settings, []
    def reset(self, case_id, seed):
        self.records = []
    def write(self, session):
        self.records.append(Record(session.id, session.turns[0].text))
        return WriteReport(added=1)
    def export(self):
        return tuple(self.records)
    def retrieve(self, query, k):
        return self.records[:k]
    def close(self):
        Own.closed += 1

class Wrong(Own):
    def write(self, session): return 1
    def export(self): return [Record("1", "a"), Record("1", "b")]
    def retrieve(self, query, k): return {"1": "a"}[query]
    def close(self): raise RuntimeError("busy")

class Leaving(Own):
    def write(self, session): raise SystemExit(3)

class Hanging(Own):
    def write(self, session):
        if session.id == "s1": threading.Event().wait()
        return super().write(session)
    def export(self): raise TimeoutError("its own")

class Threaded(Own):
    def __init__(self, settings):
        super().__init__(settings)
        self.made_in = threading.get_ident()
    def reset(self, case_id, seed):
        assert threading.get_ident() == self.made_in

class Unmade:
    def __init__(self): pass

number = 3
"""


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own_memory.py").write_text(OWN)
    (tmp_path / "broken_memory.py").write_text("class Own: pass\nraise ValueError('at import')")
    (tmp_path / "leaving_memory.py").write_text("import sys\nsys.exit(4)")
    (tmp_path / "needy_memory.py").write_text("import a_module_that_is_not_there")
    yield
    for name in ("own_memory", "broken_memory", "leaving_memory", "needy_memory"):
        sys.modules.pop(name, None)


def test_it_is_driven_like_any_other(settings: Settings, session: Session) -> None:
    spec = registry.find("own_memory:Own")
    assert spec.kind == "in-process"
    assert "own_memory" not in sys.modules
    with open_system(spec, settings) as system:
        system.reset("c", 1)
        assert system.write(session) == WriteReport(added=1)
        assert system.export() == system.retrieve("x", 3) == [Record("s1", "The urn is at Larkmoor.")]
        assert system.home.is_dir()
        system.restart()
        assert system.export() == []
    assert sys.modules["own_memory"].Own.closed == 2
    assert not system.home.exists()
    with pytest.raises(WorkerDied):
        system.export()


def test_exceptions_and_ill_formed_values(settings: Settings, session: Session) -> None:
    with open_system(registry.find("own_memory:Wrong"), settings) as system:
        with pytest.raises(IllFormedRecords, match=r"`write` returned .* expected a WriteReport, got int"):
            system.write(session)
        with pytest.raises(IllFormedRecords, match="two records have the id '1'"):
            system.export()
        with pytest.raises(CallFailed, match="`retrieve` raised KeyError: 'x'") as raised:
            system.retrieve("x", 1)
        assert "own_memory.py" in raised.value.hint


def test_a_call_that_hangs_is_left_behind(settings: Settings, session: Session) -> None:
    spec = registry.find("own_memory:Hanging")
    with open_system(spec, settings, timeouts=Timeouts(write=0.05)) as system:
        with pytest.raises(WorkerTimeout, match=r"no answer within 0\.05 s in `write`"):
            system.write(session)
        with pytest.raises(WorkerDied):
            system.export()
        system.restart()
        assert system.write(replace(session, id="s2")) == WriteReport(added=1)
        with pytest.raises(CallFailed, match="`export` raised TimeoutError: its own"):
            system.export()


def test_all_calls_are_made_in_one_thread(settings: Settings) -> None:
    with open_system(registry.find("own_memory:Threaded"), settings) as system:
        for seed in range(3):
            system.reset("c", seed)


def test_a_system_that_exits_does_not_take_the_run_with_it(settings: Settings, session: Session) -> None:
    with open_system(registry.find("own_memory:Leaving"), settings) as system:
        with pytest.raises(CallFailed, match="`write` raised SystemExit: 3"):
            system.write(session)
        assert system.export() == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own_memory:Absent", "has no attribute 'Absent'"),
        ("own_memory:number", "number of own_memory is no class"),
        ("own_memory:Unmade", "`start` raised TypeError"),
        ("broken_memory:Own", "`import` raised ValueError: at import"),
        ("leaving_memory:Own", "`import` raised SystemExit: 4"),
        ("needy_memory:Own", "No module named 'a_module_that_is_not_there'"),
        ("own_memory.part:Own", "'own_memory' is not a package"),
    ],
)
def test_what_cannot_be_opened(settings: Settings, name: str, message: str) -> None:
    with pytest.raises(MemJoinError) as raised:
        open_system(registry.find(name), settings)
    assert message in raised.value.message
    assert raised.value.hint


def test_an_interrupt_does_nothing(settings: Settings) -> None:
    with open_system(registry.find("own_memory:Own"), settings) as system:
        system.interrupt()
        assert system.export() == []
