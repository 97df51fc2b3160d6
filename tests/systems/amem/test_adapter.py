"""The package itself, driven as a run drives it: dates, order, links, isolation, repetition."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memjoin.models.types import ChatRequest
from memjoin.systems import registry
from memjoin.systems.amem import adapter
from memjoin.systems.launch import WorkerSystem
from memjoin.systems.protocol import Record, Session, Turn

DAY = "2041-05-01T10:00"


def write_all(amem: Any, sessions: Sequence[Session], case: str = "case") -> list[Record]:
    amem.system.reset(case, 0)
    for session in sessions:
        report = amem.system.write(session)
        assert report.losses == ()
        assert report.added == len(session.turns)
    return list(amem.system.export())


def said(*texts: str, name: str = "s1", at: str = DAY) -> Session:
    return Session(name, at, tuple(Turn("user", text) for text in texts))


def linking(request: ChatRequest) -> str:
    """Link each note to the nearest one, and rewrite that one's context and tags."""
    prompt = str(request.messages[-1]["content"])
    neighbours = re.findall(r"memory_id:(\S+)\t", prompt)
    if not neighbours:
        return json.dumps({"keywords": ["k"], "context": "first context", "tags": ["t"]})
    return json.dumps(
        {
            "should_evolve": True,
            "actions": ["strengthen", "update_neighbor"],
            "suggested_connections": neighbours[:1],
            "tags_to_update": ["mine"],
            "new_context_neighborhood": ["second context"] * len(neighbours),
            "new_tags_neighborhood": [["theirs"]] * len(neighbours),
        }
    )


def test_a_note_a_turn_with_the_sessions_time(amem: Any, sessions: list[Session]) -> None:
    records = write_all(amem, sessions)
    assert [record.sessions for record in records] == [("s1",)] * 4 + [("s2",)] * 2
    first = records[0]
    assert first.text.startswith(
        "talk start time:2041-03-14 09:30\tmemory content: Speaker user says: For the choir list: Ottilie"
    )
    assert first.created == "2041-03-14T09:30"
    assert all(
        f"Speaker {turn.speaker} says: {turn.text}\t" in records[n].text
        for n, turn in enumerate(turn for session in sessions for turn in session.turns)
    )


def test_what_goes_on_the_wire(amem: Any) -> None:
    model = amem.answers(linking)
    report = amem.system.write(said("The urn is at Larkmoor Hall.", "The tea is at Larkmoor Hall."))
    # Nothing is near the first note.
    assert report.model_calls == len(model.requests) == 3
    assert [request.parameters["response_format"]["type"] for request in model.requests] == [
        "json_schema"
    ] * 3
    assert "should_evolve" in str(model.requests[2].parameters["response_format"])
    today = datetime.now(UTC)
    for request in model.requests:
        prompt = str(request.messages[-1]["content"])
        assert today.date().isoformat() not in prompt
        assert f"{today:%Y%m%d}" not in prompt


def test_a_link_and_what_it_changes(amem: Any) -> None:
    amem.answers(linking)
    one = amem.system.write(said("The urn is at Larkmoor Hall."))
    assert (one.added, one.changed, one.removed, one.losses) == (1, 0, 0, ())
    two = amem.system.write(said("The tea is at Tolland Street.", name="s2", at="2041-06-02T08:15"))
    assert (two.added, two.changed, two.removed, two.losses) == (1, 1, 0, ())
    first, second = amem.system.export()
    assert first.text.endswith(
        "memory context: second context\tmemory keywords: ['k']\tmemory tags: ['theirs']"
    )
    assert (first.created, first.updated) == (DAY, "2041-06-02T08:15")
    assert second.text.endswith(
        "memory context: first context\tmemory keywords: ['k']\tmemory tags: ['mine']"
    )


def test_a_found_note_brings_the_notes_it_is_linked_to(amem: Any) -> None:
    amem.answers(linking)
    amem.system.write(said("The urn is at Larkmoor Hall.", "The altos park at Tolland Street."))
    first, second = amem.system.export()
    (found,) = amem.system.retrieve("Speaker user says: The altos park at Tolland Street.", 1)
    assert found.text == f"{second.text}\n{first.text}"
    assert (found.id, found.kind) == (f"{second.id}+{first.id}", "linked")


def test_k_is_honoured_and_near_notes_come_first(amem: Any, sessions: list[Session]) -> None:
    exported = "\n".join(record.text for record in write_all(amem, sessions))
    found = amem.system.retrieve("Which parking code do the altos have at Larkmoor Hall?", 3)
    assert len(found) == 3
    assert "QF-7719" in found[0].text
    scores = [record.score for record in found]
    assert scores == sorted(scores, reverse=True)
    assert all(line in exported for record in found for line in record.text.splitlines())
    assert len(amem.system.retrieve("the choir", None)) == 6


def test_retrieving_changes_nothing_now_or_later(amem: Any) -> None:
    amem.answers(linking)
    talk = [said("The urn is at Larkmoor Hall.", "Wren has the key."), said("The tea is there.", name="s2")]
    plain = write_all(amem, talk)
    amem.system.reset("case", 0)
    amem.system.write(talk[0])
    before = amem.system.export()
    assert amem.system.retrieve("the key", 3) == amem.system.retrieve("the key", 3)
    assert amem.system.export() == before
    amem.system.write(talk[1])
    assert amem.system.export() == plain


def test_a_case_leaves_nothing_to_the_next(amem: Any, sessions: list[Session]) -> None:
    write_all(amem, sessions)
    amem.system.reset("another", 0)
    assert amem.system.export() == []
    assert amem.system.retrieve("Ottilie Vanterpool", 10) == []
    model = amem.answers(linking)
    amem.system.write(said("Something else.", "And more."))
    assert model.requests
    assert not any("Vanterpool" in str(request.messages) for request in model.requests)
    assert not _files_with(amem.system.home, b"Vanterpool")


def test_nothing_is_left_after_a_crash(opened: Callable[..., Any], sessions: list[Session]) -> None:
    with opened() as other:
        other.faults({})
        assert isinstance(other.system, WorkerSystem)
        other.system.reset("first", 0)
        other.system.write(sessions[0])
        assert other.system.export() != []
        assert other.system.process is not None
        other.system.process.kill()
        other.system.restart()
        other.system.reset("second", 0)
        assert other.system.export() == []
        other.system.write(said("Something else is in the box."))
        assert [record.sessions for record in other.system.retrieve("Vanterpool", 10)] == [("s1",)]
        assert not any("Vanterpool" in record.text for record in other.system.export())
        assert not _files_with(other.system.home.parent, b"Vanterpool")


def _files_with(home: Path, word: bytes) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file() and word in path.read_bytes()]


def test_cases_leave_no_threads_and_no_files(amem: Any, sessions: list[Session]) -> None:
    assert isinstance(amem.system, WorkerSystem)

    def held() -> tuple[int, int, int]:
        process = amem.system.process
        assert process is not None
        files = sum(path.is_file() for path in amem.system.home.rglob("*"))
        if sys.platform != "linux":
            return 0, 0, files
        child = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
        threads = Path(f"/proc/{child}/status").read_text().partition("Threads:")[2].split()[0]
        return int(threads), len(list(Path(f"/proc/{child}/fd").iterdir())), files

    write_all(amem, sessions[1:])
    before = held()
    for case in range(8):
        write_all(amem, sessions[1:], f"case-{case}")
    # The store's own threads come and go by ones; cases that were not closed would leave some each.
    assert all(after <= earlier + 3 for after, earlier in zip(held(), before, strict=True))


def test_two_workers_and_another_order_of_cases_give_the_same_bytes(
    amem: Any, opened: Callable[..., Any], sessions: list[Session]
) -> None:
    write_all(amem, sessions[:1], "an earlier case")
    one = write_all(amem, sessions)
    found = amem.system.retrieve("choir", 5)
    with opened() as other:
        other.faults({})
        assert write_all(other, sessions) == one
        assert other.system.retrieve("choir", 5) == found
    assert len({record.id for record in one}) == len(one)


def test_ids_differ_from_case_to_case(amem: Any, sessions: list[Session]) -> None:
    first = {record.id for record in write_all(amem, sessions[1:], "one")}
    assert first.isdisjoint(record.id for record in write_all(amem, sessions[1:], "two"))


def test_turns_without_words_are_left_out(amem: Any) -> None:
    report = amem.system.write(said("", " \n", "2025"))
    assert (report.added, report.losses) == (1, ())
    assert ["Speaker user says: 2025\t" in record.text for record in amem.system.export()] == [True]
    assert amem.system.write(said("", name="s2")).losses == ()


def test_the_lock_pins_the_version_that_the_adapter_is_for() -> None:
    spec = registry.find("amem")
    assert spec.lock is not None
    lock = spec.lock.read_text()
    assert f"a-mem=={adapter.VERSION} \\" in lock
    assert spec.version == adapter.VERSION
    assert "agentic-memory==" not in lock
    pins = [line for line in lock.splitlines() if "==" in line]
    assert lock.count("--hash=sha256:") >= len(pins)
