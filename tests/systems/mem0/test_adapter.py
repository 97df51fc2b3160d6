"""The package itself, driven as a run drives it: dates, order, isolation, repetition."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memjoin.systems import registry
from memjoin.systems.launch import WorkerSystem
from memjoin.systems.mem0 import adapter
from memjoin.systems.protocol import Record, Session, Turn


def write_all(mem0: Any, sessions: Sequence[Session], case: str = "case") -> list[Record]:
    mem0.system.reset(case, 0)
    for session in sessions:
        report = mem0.system.write(session)
        assert report.losses == ()
        assert report.model_calls == 1
    return list(mem0.system.export())


def memories(*texts: str) -> str:
    return json.dumps({"memory": [{"id": str(n), "text": text} for n, text in enumerate(texts)]})


def test_records_carry_the_sessions_time_and_id(mem0: Any, sessions: list[Session]) -> None:
    records = write_all(mem0, sessions)
    first, last = records[0], records[-1]
    assert first.text.startswith("[2041-03-14 09:30] For the choir list: Ottilie Vanterpool")
    assert (first.created, first.updated) == ("2041-03-14T09:30", "2041-03-14T09:30")
    assert last.text.startswith("[2041-04-02 18:05] The spring concert moved to Larkmoor Hall")
    assert [record.sessions for record in records] == [("s1",)] * (len(records) - 1) + [("s2",)]


def test_the_prompt_is_dated_by_the_session_and_never_by_today(mem0: Any, sessions: list[Session]) -> None:
    model = mem0.answers(memories())
    for session in sessions:
        mem0.system.write(session)
    today = datetime.now(UTC).date().isoformat()
    for request, session in zip(model.requests, sessions, strict=True):
        prompt = request.messages[-1]["content"]
        day = session.at[:10]
        assert f"## Observation Date\n{day}\n\n## Current Date\n{day}\n" in prompt
        assert today not in prompt


def test_what_goes_on_the_wire(mem0: Any, sessions: list[Session]) -> None:
    model = mem0.answers(memories())
    mem0.system.write(sessions[0])
    (request,) = model.requests
    assert request.parameters["response_format"] == {"type": "json_object"}
    assert request.parameters["max_tokens"] == 8192
    assert [message["role"] for message in request.messages] == ["system", "user"]
    said = "".join(f"{turn.speaker}: {turn.text}\n" for turn in sessions[0].turns)
    assert f"## New Messages\n{said}" in request.messages[-1]["content"]


def test_a_later_session_sees_the_last_messages_and_near_memories(mem0: Any, sessions: list[Session]) -> None:
    model = mem0.answers(memories("The choir sings on Fridays"))
    for session in sessions:
        mem0.system.write(session)
    prompt = model.requests[1].messages[-1]["content"]
    assert '## Existing Memories\n[{"id": "0", "text": "The choir sings on Fridays"}]' in prompt
    assert f"## Last k Messages\nuser: {sessions[0].turns[0].text}\n" in prompt


def test_nothing_is_ever_changed_so_that_stale_values_stay(mem0: Any) -> None:
    texts = iter(["The meeting is at Eastmoor House", "The meeting moved to Northgate Annex"])
    mem0.answers(lambda request: memories(next(texts)))
    for day in (1, 2):
        report = mem0.system.write(Session(f"s{day}", f"2041-05-0{day}T10:00", (Turn("user", "hello"),)))
        assert (report.added, report.changed, report.removed) == (1, 0, 0)
    assert [record.text for record in mem0.system.export()] == [
        "[2041-05-01 10:00] The meeting is at Eastmoor House",
        "[2041-05-02 10:00] The meeting moved to Northgate Annex",
    ]


def test_the_export_is_whole_and_in_the_order_of_writing(mem0: Any) -> None:
    counter = iter(range(1000))
    mem0.answers(lambda request: memories(*(f"fact number {next(counter)}" for _ in range(25))))
    for day in (1, 2, 3):
        mem0.system.write(Session(f"s{day}", f"2041-05-0{day}T10:00", (Turn("user", "many things"),)))
    numbers = [int(record.text.rpartition(" ")[2]) for record in mem0.system.export()]
    assert numbers == list(range(75))


def test_k_is_honoured_and_near_records_come_first(mem0: Any, sessions: list[Session]) -> None:
    write_all(mem0, sessions)
    found = mem0.system.retrieve("Which parking code do the altos have at Larkmoor Hall?", 1)
    assert [record.sessions for record in found] == [("s2",)]
    more = mem0.system.retrieve("Which parking code do the altos have at Larkmoor Hall?", 10)
    scores = [record.score for record in more]
    assert len(more) > 1
    assert scores == sorted(scores, reverse=True)
    assert all(score >= 0.1 for score in scores)


def test_what_is_retrieved_stands_in_the_export(mem0: Any, sessions: list[Session]) -> None:
    exported = {record.id: record.text for record in write_all(mem0, sessions)}
    found = mem0.system.retrieve("the choir", None)
    assert found
    assert all(exported[record.id] == record.text for record in found)


def test_nothing_below_the_threshold_is_found(mem0: Any) -> None:
    mem0.answers(memories("The choir sings on Fridays", "The sugar is in the blue tin"))
    mem0.system.write(Session("s1", "2041-05-01T10:00", (Turn("user", "hello"),)))
    found = mem0.system.retrieve("where is the sugar?", 10)
    assert [record.text for record in found] == ["[2041-05-01 10:00] The sugar is in the blue tin"]
    assert mem0.system.retrieve("  ", 10) == []


def test_retrieving_changes_nothing(mem0: Any, sessions: list[Session]) -> None:
    before = write_all(mem0, sessions)
    first = mem0.system.retrieve("Sandpiper's locker", 3)
    assert mem0.system.retrieve("Sandpiper's locker", 3) == first
    assert mem0.system.export() == before


def test_a_case_leaves_nothing_to_the_next(mem0: Any, sessions: list[Session]) -> None:
    write_all(mem0, sessions)
    mem0.system.reset("another", 0)
    assert mem0.system.export() == []
    assert mem0.system.retrieve("Ottilie Vanterpool", 10) == []
    model = mem0.answers(memories())
    mem0.system.write(Session("s9", "2041-06-01T10:00", (Turn("user", "Something else."),)))
    assert "Vanterpool" not in model.requests[0].messages[-1]["content"]


def test_a_crash_leaves_nothing_and_a_fresh_process_writes_the_same_bytes(
    mem0: Any, sessions: list[Session]
) -> None:
    assert isinstance(mem0.system, WorkerSystem)
    one = write_all(mem0, sessions)
    found = mem0.system.retrieve("choir", 5)
    mem0.system.reset("crashed", 0)
    mem0.system.write(sessions[0])
    assert mem0.system.process is not None
    mem0.system.process.kill()
    mem0.system.restart()
    mem0.system.reset("another", 0)
    mem0.answers(memories("The urn is at Tolland Street 14."))
    mem0.system.write(Session("s9", "2041-06-01T10:00", (Turn("user", "Something else."),)))
    texts = ["[2041-06-01 10:00] The urn is at Tolland Street 14."]
    assert [record.text for record in mem0.system.export()] == texts
    assert not any("Vanterpool" in record.text for record in mem0.system.retrieve("Vanterpool", 10))
    files = [path for path in mem0.system.home.rglob("*") if path.is_file()]
    assert not any(b"Vanterpool" in path.read_bytes() for path in files)
    mem0.faults({})
    assert write_all(mem0, sessions) == one
    assert mem0.system.retrieve("choir", 5) == found


def test_cases_leave_no_threads_and_no_files(mem0: Any, sessions: list[Session]) -> None:
    assert isinstance(mem0.system, WorkerSystem)

    def held() -> tuple[int, int, list[Path]]:
        process = mem0.system.process
        assert process is not None
        files = sorted(path for path in mem0.system.home.rglob("*") if path.is_file())
        if sys.platform != "linux":
            return 0, 0, files
        status = Path(f"/proc/{_child(process.pid)}")
        threads = int(status.joinpath("status").read_text().partition("Threads:")[2].split()[0])
        return threads, len(list((status / "fd").iterdir())), files

    write_all(mem0, sessions)
    before = held()
    for case in range(10):
        write_all(mem0, sessions, f"case-{case}")
    assert held() == before
    assert not any("Vanterpool" in path.read_text(errors="replace") for path in before[2])


def _child(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else pid


def test_two_workers_give_byte_identical_exports(
    mem0: Any, opened: Callable[..., Any], sessions: list[Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_all(mem0, sessions, "an earlier case")
    one = write_all(mem0, sessions)
    # A key in the user's environment would send Mem0 to another provider.
    monkeypatch.setenv("OPENROUTER_API_KEY", "planted")
    with opened() as other:
        other.faults({})
        two = write_all(other, sessions)
        assert other.connection.counts.chat == len(sessions)
        assert other.system.retrieve("choir", 5) == mem0.system.retrieve("choir", 5)
    assert one == two
    assert len({record.id for record in one}) == len(one)


def test_ids_differ_from_case_to_case(mem0: Any, sessions: list[Session]) -> None:
    first = {record.id for record in write_all(mem0, sessions, "one")}
    second = {record.id for record in write_all(mem0, sessions, "two")}
    assert first.isdisjoint(second)


def test_unusual_text_is_stored_as_it_is(mem0: Any) -> None:
    text = 'Zoë said "5 > 3 & {x}" at 茶室 №7, and 👩‍👩‍👧 too'
    mem0.answers(memories(text))
    report = mem0.system.write(Session("s1", "2041-05-01T10:00", (Turn("user", text), Turn("assistant", ""))))
    assert report.losses == ()
    assert [record.text for record in mem0.system.export()] == [f"[2041-05-01 10:00] {text}"]


def test_the_lock_pins_the_version_that_the_adapter_is_for() -> None:
    spec = registry.find("mem0")
    assert spec.lock is not None
    lock = spec.lock.read_text()
    assert f"mem0ai=={adapter.VERSION} \\" in lock
    assert spec.version == adapter.VERSION
    pins = [line for line in lock.splitlines() if "==" in line]
    assert lock.count("--hash=sha256:") >= len(pins)
