"""The package itself, driven as a run drives it: windows, dates, retrieval, isolation, repetition."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memjoin.models.types import ChatRequest
from memjoin.systems import registry
from memjoin.systems.errors import CallFailed
from memjoin.systems.launch import WorkerSystem
from memjoin.systems.protocol import Record, Session, Turn
from memjoin.systems.simplemem import package
from memjoin.systems.simplemem.responder import respond

DAY = "2041-05-01T10:00"
QUERY = "Where is the parking at Larkmoor Hall, and what does Sandpiper keep in locker 318?"


def write_all(simplemem: Any, sessions: Sequence[Session], case: str = "case") -> list[Record]:
    simplemem.system.reset(case, 0)
    for session in sessions:
        assert simplemem.system.write(session).losses == ()
    return list(simplemem.system.export())


def said(*texts: str, name: str = "s1", at: str = DAY) -> Session:
    return Session(name, at, tuple(Turn("user", text) for text in texts))


def prompt(request: ChatRequest) -> str:
    return str(request.messages[-1]["content"])


def one_entry_a_turn(request: ChatRequest) -> str:
    """Answer an extraction with one entry for each line of its window."""
    window = prompt(request).partition("[Current Window Dialogues]\n")[2].partition("\n\n[Requirements]")[0]
    return json.dumps([{"lossless_restatement": line.partition(": ")[2]} for line in window.splitlines()])


def test_entries_as_the_package_shows_them(simplemem: Any, sessions: list[Session]) -> None:
    records = write_all(simplemem, sessions)
    assert [(record.sessions, record.created) for record in records] == [
        (("s1",), "2041-03-14T09:30"),
        (("s1",), "2041-03-14T09:30"),
        (("s2",), "2041-04-02T18:05"),
    ]
    assert records[0].text == (
        "Content: For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318.\n"
        "Time: 2041-03-14T09:30:00\nRelated Entities: Ottilie Vanterpool"
    )
    assert all(record.score is None and record.kind == "memory" for record in records)


def test_what_goes_on_the_wire(simplemem: Any, sessions: list[Session]) -> None:
    model = simplemem.answers(one_entry_a_turn)
    report = simplemem.system.write(sessions[0])
    assert (report.added, report.model_calls, report.losses) == (4, 1, ())
    (request,) = model.requests
    assert "[2041-03-14T09:30:00] user: For the choir list: Ottilie Vanterpool" in prompt(request)
    # Neither a stream nor a format is asked for.
    assert set(request.parameters) <= {"temperature", "seed"}
    assert datetime.now(UTC).date().isoformat() not in prompt(request)
    simplemem.system.write(sessions[1])
    shown = prompt(model.requests[1])
    assert "[Previous Window Memory Entries (for reference to avoid duplication)]\n- For the choir" in shown


def test_a_long_session_is_several_windows_and_nothing_waits(simplemem: Any) -> None:
    model = simplemem.answers(one_entry_a_turn)
    report = simplemem.system.write(said(*(f"Box {number} is in aisle {number}." for number in range(95))))
    assert (report.added, report.model_calls, report.losses) == (95, 3, ())
    assert [prompt(request).count("] user: ") for request in model.requests] == [40, 40, 15]
    assert [record.text for record in simplemem.system.export()][-1] == "Content: Box 94 is in aisle 94."
    # What a session left over would stand in the next prompt.
    simplemem.system.write(said("The urn is at Larkmoor Hall.", name="s2"))
    assert prompt(model.requests[3]).count("] user: ") == 1


def test_turns_without_words_are_left_out(simplemem: Any) -> None:
    report = simplemem.system.write(said("", " \n"))
    assert (report.added, report.model_calls, report.losses) == (0, 0, ())


def test_half_a_surrogate_pair_in_a_turn_or_a_query_does_no_harm(simplemem: Any) -> None:
    assert simplemem.system.write(said("The urn of Wr\ud83den is at Larkmoor Hall.")).losses == ()
    (record,) = simplemem.system.retrieve("Where is \ud83d?", None)
    assert record.text.startswith("Content: The urn of Wr?en is at Larkmoor Hall.")


def test_an_entry_may_say_nothing_but_what_it_must(simplemem: Any) -> None:
    entry = {
        "lossless_restatement": "Ottilie O'Brien sings.",
        "location": "Larkmoor Hall",
        "persons": ["Ottilie O'Brien", "Wren"],
        "topic": "Choir",
        "timestamp": "some time in May",
    }
    simplemem.answers(f"Here's the JSON:\n```json\n{json.dumps([entry])}\n```")
    assert simplemem.system.write(said("Ottilie O'Brien sings.")).losses == ()
    (record,) = simplemem.system.export()
    assert record.text == (
        "Content: Ottilie O'Brien sings.\nTime: some time in May\nLocation: Larkmoor Hall\n"
        "Persons: Ottilie O'Brien, Wren\nTopic: Choir"
    )


def test_a_search_is_planned_made_and_looked_at(simplemem: Any, sessions: list[Session]) -> None:
    stored = write_all(simplemem, sessions)
    asked: list[str] = []

    def answer(request: ChatRequest) -> str:
        message = respond({"messages": list(request.messages)})
        assert message is not None
        asked.append(prompt(request).strip().split(" ", 3)[1])
        return str(message["content"])

    simplemem.answers(answer)
    # All that the question names is found: a plan, queries, one look.
    found = simplemem.system.retrieve(QUERY, None)
    assert asked == ["the", "on", "whether"]
    assert {record.id for record in found} == {record.id for record in stored}
    assert "parking code QF-7719" in found[0].text
    # What is named and nowhere found is asked for again, twice.
    asked.clear()
    assert len(simplemem.system.retrieve("Where does Basil Thornquist park?", None)) == 3
    assert asked == ["the", "on", *("whether", "on") * 2]


def test_how_many_are_found_is_its_own_affair(simplemem: Any) -> None:
    texts = [f"Box {number} is in aisle {number * 7}." for number in range(40)]
    assert simplemem.system.write(said(*texts)).added == 40
    assert len(simplemem.system.retrieve("Where is box 3?", None)) == 25
    assert len(simplemem.system.retrieve("Where is box 3?", 1)) == 25
    # Two sentences are two more queries, of up to 25 each.
    assert 25 < len(simplemem.system.retrieve("Where is box 3? The urn is at Tolland Street.", None)) <= 40


def test_retrieving_changes_nothing_now_or_later(simplemem: Any, sessions: list[Session]) -> None:
    plain = write_all(simplemem, sessions)
    simplemem.system.reset("case", 0)
    simplemem.system.write(sessions[0])
    before = simplemem.system.export()
    assert simplemem.system.retrieve("the scores", None) == simplemem.system.retrieve("the scores", None)
    assert simplemem.system.export() == before
    simplemem.system.write(sessions[1])
    assert simplemem.system.export() == plain


def test_an_empty_store_and_an_empty_query_find_nothing(simplemem: Any) -> None:
    assert simplemem.system.retrieve("the scores", None) == []
    simplemem.system.write(said("The urn is at Larkmoor Hall."))
    assert simplemem.system.retrieve(" ", None) == []


@pytest.mark.parametrize("reply", ['{"unexpected": 1}', "[]", '"text"'])
def test_a_plan_that_the_package_cannot_go_on_with_is_an_error(simplemem: Any, reply: str) -> None:
    simplemem.system.write(said("The urn is at Larkmoor Hall."))
    simplemem.answers(reply)
    with pytest.raises(CallFailed, match="could not go on with the reply"):
        simplemem.system.retrieve("Where is the urn?", None)


def test_prose_in_answer_to_a_search_is_made_up_for_by_a_plain_search(simplemem: Any) -> None:
    simplemem.system.write(said("The urn is at Larkmoor Hall."))
    simplemem.answers("I would look for the urn.")
    assert len(simplemem.system.retrieve("Where is the urn?", None)) == 1
    # A query that is no text is left out, as upstream.
    simplemem.answers(json.dumps({"required_info": [], "queries": [{"query": 1}], "assessment": "complete"}))
    assert len(simplemem.system.retrieve("Where is the urn?", None)) == 1


def test_a_case_leaves_nothing_to_the_next(simplemem: Any, sessions: list[Session]) -> None:
    write_all(simplemem, sessions)
    simplemem.system.reset("another", 0)
    assert simplemem.system.export() == []
    model = simplemem.answers(one_entry_a_turn)
    simplemem.system.write(said("Something else."))
    assert model.requests
    assert not any("Vanterpool" in str(request.messages) for request in model.requests)
    assert not _files_with(simplemem.system.home, b"Vanterpool")


def test_nothing_is_left_after_a_crash(second: Any, sessions: list[Session]) -> None:
    system = second.system
    assert isinstance(system, WorkerSystem)
    system.reset("first", 0)
    system.write(sessions[0])
    assert system.export() != []
    assert system.process is not None
    system.process.kill()
    system.restart()
    system.reset("second", 0)
    assert system.export() == []
    system.write(said("Something else is in the box."))
    assert [record.sessions for record in system.retrieve("Vanterpool", None)] == [("s1",)]
    assert not any("Vanterpool" in record.text for record in system.export())
    assert not _files_with(system.home.parent, b"Vanterpool")


def _files_with(home: Path, word: bytes) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file() and word in path.read_bytes()]


def test_cases_leave_no_files_open(simplemem: Any, sessions: list[Session]) -> None:
    assert isinstance(simplemem.system, WorkerSystem)

    def held() -> tuple[int, int]:
        process = simplemem.system.process
        assert process is not None
        files = sum(path.is_file() for path in simplemem.system.home.rglob("*"))
        if sys.platform != "linux":
            return 0, files
        child = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
        return len(list(Path(f"/proc/{child}/fd").iterdir())), files

    write_all(simplemem, sessions)
    before = held()
    for case in range(8):
        write_all(simplemem, sessions, f"case-{case}")
    assert all(after <= earlier + 1 for after, earlier in zip(held(), before, strict=True))


def test_two_workers_and_another_order_of_cases_give_the_same_bytes(
    simplemem: Any, second: Any, sessions: list[Session]
) -> None:
    write_all(simplemem, sessions[:1], "an earlier case")
    one = write_all(simplemem, sessions)
    found = simplemem.system.retrieve(QUERY, None)
    assert write_all(second, sessions) == one
    assert second.system.retrieve(QUERY, None) == found
    assert len({record.id for record in one}) == len(one)


def test_ids_differ_from_case_to_case(simplemem: Any, sessions: list[Session]) -> None:
    first = {record.id for record in write_all(simplemem, sessions[1:], "one")}
    assert first.isdisjoint(record.id for record in write_all(simplemem, sessions[1:], "two"))


def test_the_lock_pins_the_version_that_the_adapter_is_for() -> None:
    spec = registry.find("simplemem")
    assert spec.lock is not None
    lock = spec.lock.read_text()
    assert f"simplemem=={package.VERSION} \\" in lock
    assert spec.version == package.VERSION
    pins = [line for line in lock.splitlines() if "==" in line]
    assert lock.count("--hash=sha256:") >= len(pins)
    assert not {"torch", "transformers", "sentence-transformers"} & {pin.partition("==")[0] for pin in pins}
