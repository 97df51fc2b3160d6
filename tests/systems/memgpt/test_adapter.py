"""The package itself, driven as a run drives it: dates, tool calls, what is kept where, isolation."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from driving import Driven
from memjoin.systems import registry
from memjoin.systems.launch import WorkerSystem
from memjoin.systems.memgpt import package
from memjoin.systems.protocol import Record, Session, Turn

DAY = "2041-05-01T10:00"


def write_all(memgpt: Driven, sessions: Sequence[Session], case: str = "case") -> list[Record]:
    memgpt.system.reset(case, 0)
    for session in sessions:
        report = memgpt.system.write(session)
        assert report.losses == ()
        assert report.added
    return list(memgpt.system.export())


def said(*texts: str, name: str = "s1", at: str = DAY) -> Session:
    return Session(name, at, tuple(Turn("user", text) for text in texts))


def of(records: Sequence[Record], kind: str) -> list[str]:
    return [record.text for record in records if record.kind == kind]


def test_a_session_is_kept_in_recall_and_what_matters_in_archival_memory(
    memgpt: Driven, sessions: list[Session]
) -> None:
    records = write_all(memgpt, sessions)
    assert of(records, "archival") == [
        "timestamp: 2041-03-14 09:30, memory: For the choir list: Ottilie Vanterpool keeps the scores. "
        "Her locker is number 318.",
        "timestamp: 2041-03-14 09:30, memory: On the rota she is down as Sandpiper.",
        "timestamp: 2041-04-02 18:05, memory: The spring concert moved to Larkmoor Hall, and parking code "
        "QF-7719 is for the altos.",
    ]
    recall = of(records, "recall")
    assert recall[0].startswith(
        "timestamp: 2041-03-14 09:30, user - This is a conversation of 2041-03-14 09:30.\n"
    )
    assert all(f"{turn.speaker}: {turn.text}" in recall[0] for turn in sessions[0].turns)
    assert not any("heartbeat" in text or "login" in text or "More human" in text for text in recall)
    assert [record.id for record in records if record.kind == "core"] == ["persona", "human"]
    assert {record.sessions for record in records if record.kind == "archival"} == {("s1",), ("s2",)}


def test_what_the_user_owns_goes_to_core_memory_and_is_replaced_there(memgpt: Driven) -> None:
    first = memgpt.system.write(said("My locker with tag QF-7719 is at Eastmoor House."))
    assert (first.changed, first.losses) == (1, ())
    assert "My locker with tag QF-7719 is at Eastmoor House." in of(memgpt.system.export(), "core")[1]
    second = memgpt.system.write(
        said("The locker with tag QF-7719 is now at Larkmoor Hall.", name="s2", at="2041-06-02T08:15")
    )
    assert (second.changed, second.removed, second.losses) == (1, 0, ())
    human = memgpt.system.export()[1]
    assert "The locker with tag QF-7719 is now at Larkmoor Hall." in human.text
    assert "Eastmoor House" not in human.text
    assert human.updated == "2041-06-02T08:15"


def test_what_goes_on_the_wire(memgpt: Driven) -> None:
    model = memgpt.answers("Nothing to say.")
    report = memgpt.system.write(said("The urn is at Larkmoor Hall."))
    assert report.model_calls == len(model.requests) == 1
    (request,) = model.requests
    assert len(request.parameters["tools"]) == 8
    assert request.parameters["tool_choice"] == "auto"
    assert request.parameters["parallel_tool_calls"] is False
    message = json.loads(request.messages[-1]["content"])
    assert message["type"] == "user_message"
    assert message["time"].startswith("2041-05-01 10:00:00 AM")
    sent = json.dumps(list(request.messages))
    assert datetime.now(UTC).date().isoformat() not in sent
    assert "1970" not in sent


def test_core_blocks_come_first_and_near_passages_next(memgpt: Driven, sessions: list[Session]) -> None:
    exported = {record.id: record.text for record in write_all(memgpt, sessions)}
    found = memgpt.system.retrieve("Which parking code do the altos have?", 1)
    assert [record.kind for record in found] == ["core", "core", "archival"]
    assert "QF-7719" in found[2].text
    assert all(exported[record.id] == record.text for record in found)
    assert "recall" in {record.kind for record in memgpt.system.retrieve("Sandpiper", None)}


def test_retrieving_changes_nothing(memgpt: Driven, sessions: list[Session]) -> None:
    before = write_all(memgpt, sessions)
    assert memgpt.system.retrieve("the key", 3) == memgpt.system.retrieve("the key", 3)
    assert memgpt.system.export() == before


def test_a_case_leaves_nothing_to_the_next(memgpt: Driven, sessions: list[Session]) -> None:
    write_all(memgpt, sessions)
    memgpt.system.reset("another", 0)
    assert [record.kind for record in memgpt.system.export()] == ["core", "core"]
    model = memgpt.answers("Nothing to say.")
    memgpt.system.write(said("Something else."))
    assert "Vanterpool" not in str(model.requests[0].messages)
    assert not any("Vanterpool" in record.text for record in memgpt.system.retrieve("Vanterpool", 10))
    assert not _files_with(memgpt.system.home, b"Vanterpool")


def test_a_crash_leaves_nothing_and_a_fresh_process_writes_the_same_bytes(
    memgpt: Driven, sessions: list[Session]
) -> None:
    assert isinstance(memgpt.system, WorkerSystem)
    write_all(memgpt, sessions[:1], "an earlier case")
    one = write_all(memgpt, sessions)
    found = memgpt.system.retrieve("Sandpiper", 5)
    memgpt.system.reset("crashed", 0)
    memgpt.system.write(sessions[0])
    assert _files_with(memgpt.system.home, b"Vanterpool")
    assert memgpt.system.process is not None
    memgpt.system.process.kill()
    memgpt.system.restart()
    memgpt.system.reset("second", 0)
    memgpt.system.write(said("Something else is in the box."))
    assert not any("Vanterpool" in record.text for record in memgpt.system.export())
    assert not any("Vanterpool" in record.text for record in memgpt.system.retrieve("Vanterpool", 10))
    assert not _files_with(memgpt.system.home.parent, b"Vanterpool")
    assert write_all(memgpt, sessions) == one
    assert memgpt.system.retrieve("Sandpiper", 5) == found
    assert len({record.id for record in one}) == len(one)


def test_ids_differ_from_case_to_case(memgpt: Driven, sessions: list[Session]) -> None:
    def ids(case: str) -> set[str]:
        # Core blocks have their names for ids.
        return {record.id for record in write_all(memgpt, sessions[1:], case) if record.kind != "core"}

    assert ids("one").isdisjoint(ids("two"))


def _files_with(home: Path, word: bytes) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file() and word in path.read_bytes()]


def test_cases_leave_no_threads_and_no_files(memgpt: Driven, sessions: list[Session]) -> None:
    assert isinstance(memgpt.system, WorkerSystem)

    def held() -> tuple[int, int, int]:
        process = memgpt.system.process
        assert process is not None
        files = sum(path.is_file() for path in memgpt.system.home.rglob("*"))
        if sys.platform != "linux":
            return 0, 0, files
        child = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
        threads = Path(f"/proc/{child}/status").read_text().partition("Threads:")[2].split()[0]
        return int(threads), len(list(Path(f"/proc/{child}/fd").iterdir())), files

    write_all(memgpt, sessions[1:])
    before = held()
    for case in range(4):
        write_all(memgpt, sessions[1:], f"case-{case}")
    assert all(after <= earlier + 1 for after, earlier in zip(held(), before, strict=True))


def test_a_session_without_words_is_no_loss(memgpt: Driven) -> None:
    report = memgpt.system.write(said("", " \n"))
    assert (report.added, report.model_calls, report.losses) == (0, 0, ())


def test_the_lock_pins_the_version_that_the_adapter_is_for() -> None:
    spec = registry.find("memgpt")
    assert spec.lock is not None
    lock = spec.lock.read_text()
    assert f"pymemgpt=={package.VERSION} \\" in lock
    assert spec.version == package.VERSION
    pins = [line for line in lock.splitlines() if "==" in line]
    assert lock.count("--hash=sha256:") >= len(pins)
