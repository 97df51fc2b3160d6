"""The package itself, driven as a run drives it: dates, updates, order, isolation, repetition."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from driving import calling
from memjoin.systems import registry
from memjoin.systems.langmem import adapter
from memjoin.systems.launch import WorkerSystem
from memjoin.systems.protocol import Record, Session, Turn, WriteReport


def write_all(langmem: Any, sessions: Sequence[Session], case: str = "case") -> list[Record]:
    langmem.system.reset(case, 0)
    for session in sessions:
        report = langmem.system.write(session)
        assert report.losses == ()
        assert report.model_calls == 1
    return list(langmem.system.export())


def said(number: int, at: str, text: str = "Something was said.") -> Session:
    return Session(f"s{number}", at, (Turn("user", text),))


def counts(report: WriteReport) -> tuple[int, int, int]:
    return report.added, report.changed, report.removed


def shown(request: Any) -> list[str]:
    """The ids of the memories in a prompt."""
    prompt = request.messages[0]["content"]
    return [piece.split()[0] for piece in prompt.split("<instance id=")[1:]]


def test_records_carry_the_time_and_the_sessions_that_wrote_them(
    langmem: Any, sessions: list[Session]
) -> None:
    records = write_all(langmem, sessions)
    assert [(record.text, record.created, record.sessions) for record in records] == [
        (
            "[2041-03-14 09:30] For the choir list: Ottilie Vanterpool keeps the scores. "
            "Her locker is number 318.",
            "2041-03-14T09:30",
            ("s1",),
        ),
        (
            "[2041-04-02 18:05] The basses sing on Tuesdays. "
            "Parking code QF-7719 has moved to Larkmoor Hall.",
            "2041-04-02T18:05",
            ("s1", "s2"),
        ),
    ]


def test_a_patched_memory_is_one_record_that_changed(langmem: Any, sessions: list[Session]) -> None:
    assert counts(langmem.system.write(sessions[0])) == (2, 0, 0)
    before = langmem.system.export()
    assert counts(langmem.system.write(sessions[1])) == (0, 1, 0)
    after = langmem.system.export()
    assert [record.id for record in after] == [record.id for record in before]
    assert "Eastmoor House" in before[1].text
    assert "Eastmoor House" not in after[1].text


def test_a_memory_is_removed_where_that_is_allowed_and_the_model_says_so(
    opened: Callable[..., Any],
) -> None:
    with opened(enable_deletes=True) as driven:
        driven.system.reset("case", 0)
        driven.remembers("The urn is in the hall", "The sugar is in the blue tin")
        driven.system.write(said(1, "2041-05-01T10:00"))
        first, second = driven.system.export()
        # The last message is nearest to the memory that goes, so it is shown first.
        driven.asks(lambda request: calling(("RemoveDoc", {"json_doc_id": shown(request)[0]})))
        report = driven.system.write(said(2, "2041-05-02T10:00", "The urn is not in the hall any more."))
        assert (counts(report), report.losses) == ((0, 0, 1), ())
        assert "urn" in first.text
        assert driven.system.export() == [second]


def test_the_prompt_says_when_the_session_was_and_never_today(langmem: Any, sessions: list[Session]) -> None:
    model = langmem.remembers("The choir sings on Fridays")
    for session in sessions:
        langmem.system.write(session)
    today = datetime.now(UTC).date().isoformat()
    for request, session in zip(model.requests, sessions, strict=True):
        prompt = request.messages[-1]["content"]
        assert f"took place on {session.at[:10]} at {session.at[11:]}." in prompt
        assert not any(today in str(message) for message in request.messages)


def test_what_goes_on_the_wire(langmem: Any, sessions: list[Session]) -> None:
    model = langmem.remembers("The choir sings on Fridays")
    for session in sessions:
        langmem.system.write(session)
    first, second = (request.parameters for request in model.requests)
    assert [tool["function"]["name"] for tool in first["tools"]] == ["Memory"]
    assert "tool_choice" not in first
    assert {tool["function"]["name"] for tool in second["tools"]} == {"Memory", "PatchDoc"}
    assert second["tool_choice"] == "required"


def test_an_update_is_shown_five_memories_near_the_last_message(langmem: Any) -> None:
    langmem.remembers(*(f"Box {number} is in the cellar" for number in range(20)), "The urn is in the hall")
    langmem.system.write(said(1, "2041-05-01T10:00"))
    model = langmem.remembers("Tea is at four")
    turns = (Turn("user", "The boxes are heavy."), Turn("assistant", "Where is the urn?"))
    langmem.system.write(Session("s2", "2041-05-02T10:00", turns))
    assert len(shown(model.requests[0])) == 5
    assert "The urn is in the hall" in model.requests[0].messages[0]["content"]


def test_the_export_is_whole_and_in_the_order_of_writing(langmem: Any) -> None:
    for day in (1, 2, 3):
        langmem.remembers(*(f"fact number {day}-{number}" for number in range(70)))
        langmem.system.write(said(day, f"2041-05-0{day}T10:00"))
    told = [record.text.rpartition(" ")[2] for record in langmem.system.export()]
    assert told == [f"{day}-{number}" for day in (1, 2, 3) for number in range(70)]


def test_k_is_honoured_and_near_records_come_first(langmem: Any) -> None:
    langmem.remembers(*(f"Box {number} is in the cellar" for number in range(12)), "The urn is in the hall")
    langmem.system.write(said(1, "2041-05-01T10:00"))
    (found,) = langmem.system.retrieve("Where is the urn?", 1)
    assert found.text == "[2041-05-01 10:00] The urn is in the hall"
    more = langmem.system.retrieve("Where is the urn?", None)
    scores = [record.score for record in more]
    assert len(more) == 10
    assert scores == sorted(scores, reverse=True)


def test_retrieving_finds_stored_records_and_changes_nothing(langmem: Any, sessions: list[Session]) -> None:
    before = write_all(langmem, sessions)
    first = langmem.system.retrieve("Vanterpool's locker", 3)
    assert langmem.system.retrieve("Vanterpool's locker", 3) == first
    assert {(record.id, record.text) for record in first} <= {(record.id, record.text) for record in before}
    assert langmem.system.export() == before


def test_a_case_leaves_nothing_to_the_next(langmem: Any, sessions: list[Session]) -> None:
    write_all(langmem, sessions)
    langmem.system.reset("another", 0)
    assert langmem.system.export() == []
    assert langmem.system.retrieve("Ottilie Vanterpool", 10) == []
    model = langmem.remembers("Something else")
    langmem.system.write(said(9, "2041-06-01T10:00"))
    assert "Vanterpool" not in str(model.requests[0].messages)


def test_nothing_of_a_case_is_left_after_a_crash_in_its_middle(
    opened: Callable[..., Any], sessions: list[Session]
) -> None:
    with opened() as driven:
        driven.faults({})
        driven.system.reset("A", 0)
        driven.system.write(sessions[0])
        driven.system.process.kill()
        driven.system.restart()
        driven.system.reset("B", 0)
        driven.system.write(said(1, "2041-06-01T10:00", "The urn is at Tolland Street 14."))
        texts = [record.text for record in driven.system.export()]
        assert texts == ["[2041-06-01 10:00] The urn is at Tolland Street 14."]
        assert [r.text for r in driven.system.retrieve("Ottilie Vanterpool", 10)] == texts
        files = [path for path in driven.system.home.rglob("*") if path.is_file()]
        assert not any("Vanterpool" in path.read_text(errors="replace") for path in files)


def test_cases_leave_no_threads_and_no_files(langmem: Any, sessions: list[Session]) -> None:
    assert isinstance(langmem.system, WorkerSystem)

    def held() -> tuple[int, int, list[Path]]:
        process = langmem.system.process
        assert process is not None
        files = sorted(path for path in langmem.system.home.rglob("*") if path.is_file())
        if sys.platform != "linux":
            return 0, 0, files
        status = Path(f"/proc/{_child(process.pid)}")
        threads = int(status.joinpath("status").read_text().partition("Threads:")[2].split()[0])
        return threads, len(list((status / "fd").iterdir())), files

    write_all(langmem, sessions)
    before = held()
    for case in range(10):
        write_all(langmem, sessions, f"case-{case}")
    assert held() == before
    assert not any("Vanterpool" in path.read_text(errors="replace") for path in before[2])


def _child(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else pid


def test_two_workers_give_the_same_bytes_in_any_order_of_cases(
    langmem: Any, opened: Callable[..., Any], sessions: list[Session]
) -> None:
    write_all(langmem, sessions[1:], "an earlier case")
    one = write_all(langmem, sessions)
    with opened() as other:
        other.faults({})
        two = write_all(other, sessions)
        assert other.connection.counts.chat == len(sessions)
        assert other.system.retrieve("choir", 5) == langmem.system.retrieve("choir", 5)
    assert one == two
    assert len({record.id for record in one}) == len(one)


def test_ids_differ_from_case_to_case(langmem: Any, sessions: list[Session]) -> None:
    first = {record.id for record in write_all(langmem, sessions, "one")}
    second = {record.id for record in write_all(langmem, sessions, "two")}
    assert first.isdisjoint(second)


def test_a_history_of_a_thousand_turns_is_written_and_found(langmem: Any) -> None:
    for number in range(20):
        turns: list[Turn] = []
        for shelf in range(number * 10, number * 10 + 10):
            turns += [Turn("user", f"Shelf {shelf} is full."), Turn("assistant", "Ok.")]
            turns += [Turn("user", "Thanks."), Turn("assistant", "Anything else?"), Turn("user", "No.")]
        report = langmem.system.write(Session(f"s{number}", f"2041-05-{number + 1:02}T10:00", tuple(turns)))
        assert report.losses == ()
    texts = [record.text.partition("] ")[2] for record in langmem.system.export()]
    assert texts == [f"Shelf {number} is full." for number in range(200)]
    assert len(langmem.system.retrieve("shelf 112", 5)) == 5


def test_unusual_text_is_stored_as_it_is(langmem: Any) -> None:
    text = 'Zoë said "5 > 3 & {x}" at 茶室 №7, and 👩‍👩‍👧 too'
    langmem.remembers(text)
    turns = (Turn("user", text), Turn("assistant", ""))
    report = langmem.system.write(Session("s1", "2041-05-01T10:00", turns))
    assert report.losses == ()
    assert [record.text for record in langmem.system.export()] == [f"[2041-05-01 10:00] {text}"]


def test_the_lock_pins_the_version_that_the_adapter_is_for() -> None:
    spec = registry.find("langmem")
    assert spec.lock is not None
    lock = spec.lock.read_text()
    assert f"langmem=={adapter.VERSION} \\" in lock
    assert spec.version == adapter.VERSION
    pins = [line for line in lock.splitlines() if "==" in line]
    assert lock.count("--hash=sha256:") >= len(pins)
