"""MemoryBank in its worker: what it asks, keeps, finds and forgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from memjoin.systems.launch import WorkerSystem
from memjoin.systems.memorybank.forgetting import Trace, draw
from memjoin.systems.protocol import Record, Session, WriteReport

DAY = "2041-03-14"


def write_all(driven: Any, sessions: Sequence[Session], case: str = "case", seed: int = 0) -> list[Record]:
    driven.system.reset(case, seed)
    for session in sessions:
        report = driven.system.write(session)
        assert report.losses == ()
    return list(driven.system.export())


def kinds(records: Sequence[Record]) -> list[str]:
    return [record.kind for record in records]


def test_a_new_day_asks_for_its_summary_its_portrait_and_both_overall_texts(
    bank: Any, sessions: list[Session]
) -> None:
    model = bank.answers(lambda task, content: f"<{task}>")
    for session in sessions:
        assert bank.system.write(session).model_calls == 4
    assert [task for task, _ in model.asked] == [
        "day_events",
        "day_portrait",
        "overall_events",
        "overall_portrait",
    ] * 2
    said = "\n".join(f"{turn.speaker}: {turn.text}" for turn in sessions[0].turns)
    assert model.asked[0][1] == model.asked[1][1] == said
    assert model.asked[6][1] == "[2041-03-14] <day_events>\n[2041-04-02] <day_events>"
    assert model.asked[7][1] == "[2041-03-14] <day_portrait>\n[2041-04-02] <day_portrait>"


def test_the_export_holds_everything_with_the_sessions_dates(bank: Any, sessions: list[Session]) -> None:
    records = write_all(bank, sessions)
    assert kinds(records) == [
        *("turns",) * 3,
        *("summary",) * 2,
        *("portrait",) * 2,
        "overall-summary",
        "overall-portrait",
    ]
    first, second_day, summary = records[0], records[2], records[3]
    assert first.text.startswith("[2041-03-14] user: For the choir list: Ottilie Vanterpool")
    assert "\nassistant: Noted." in first.text
    assert (first.created, first.sessions) == ("2041-03-14T09:30", ("s1",))
    assert (second_day.created, second_day.sessions) == ("2041-04-02T18:05", ("s2",))
    assert summary.text == (
        "[2041-03-14] For the choir list: Ottilie Vanterpool keeps the scores. Her locker is number 318. "
        "On the rota she is down as Sandpiper."
    )
    assert records[-2].sessions == ("s1", "s2")
    today = datetime.now(UTC).date().isoformat()
    assert not any(today in f"{record.text} {record.created} {record.updated}" for record in records)


def test_a_report_counts_what_is_new_and_what_is_written_again(bank: Any, sessions: list[Session]) -> None:
    bank.answers(lambda task, content: f"<{task} of {len(content)} characters>")
    first, second = (bank.system.write(session) for session in sessions)
    assert (first.added, first.changed, first.removed) == (6, 0, 0)
    assert (second.added, second.changed, second.removed) == (3, 2, 0)


def test_the_portrait_comes_first_and_what_is_found_by_day(bank: Any, sessions: list[Session]) -> None:
    write_all(bank, sessions)
    found = bank.system.retrieve("Larkmoor Hall, and the scores of Ottilie Vanterpool", None)
    assert found[0].kind == "overall-portrait"
    assert found[0].score is None
    pieces = found[1:]
    assert 1 <= len(pieces) <= 2
    assert [record.created for record in pieces] == sorted(record.created or "" for record in pieces)
    assert all(record.score is not None for record in pieces)


def test_k_pieces_are_found_and_their_neighbours_join_them(bank: Any, talk: Callable[..., Session]) -> None:
    bank.answers(lambda task, content: "A long summary that is about nothing in particular. " * 5)
    write_all(bank, [talk("2041-03-14T09:30", "Wren has the keys.", "Fine.", "The urn is new.", "Nice.")])
    (record,) = bank.system.retrieve("Who has the keys?", 1)[1:]
    assert record.kind == "joined"
    assert record.id == "turns-2041-03-14-1+turns-2041-03-14-2"
    assert record.text == (
        "[2041-03-14] user: Wren has the keys.\nassistant: Fine.\n"
        "[2041-03-14] user: The urn is new.\nassistant: Nice."
    )


def test_retrieving_changes_nothing(paper: Any, sessions: list[Session]) -> None:
    before = write_all(paper, sessions[:1])
    first = paper.system.retrieve("Sandpiper's locker", None)
    for _ in range(5):
        assert paper.system.retrieve("Sandpiper's locker", None) == first
    assert paper.system.export() == before


def test_retrieving_makes_nothing_stronger(paper: Any, talk: Callable[..., Session]) -> None:
    first = talk("2041-03-14T09:00", *(f"Note {number} is about box {number}." for number in range(20)))
    stores = []
    for questions in (0, 20):
        paper.system.reset("case", 3)
        paper.system.write(first)
        for number in range(questions):
            paper.system.retrieve(f"What is in box {number}?", None)
        paper.system.write(talk("2041-03-15T09:00", "Good morning."))
        stores.append(paper.system.export())
    assert stores[0] == stores[1]


def test_a_case_leaves_nothing_to_the_next(bank: Any, sessions: list[Session]) -> None:
    write_all(bank, sessions)
    bank.system.reset("another", 0)
    assert bank.system.export() == []
    assert bank.system.retrieve("Ottilie Vanterpool", None) == []
    model = bank.answers(lambda task, content: "fine")
    bank.system.write(sessions[1])
    assert not any("Vanterpool" in content for _, content in model.asked)


def test_a_crash_leaves_nothing_and_a_fresh_process_writes_the_same_bytes(
    paper: Any, sessions: list[Session], talk: Callable[..., Session]
) -> None:
    assert isinstance(paper.system, WorkerSystem)
    one = write_all(paper, sessions)
    found = paper.system.retrieve("choir", None)
    paper.system.reset("crashed", 0)
    paper.system.write(sessions[0])
    assert any("Vanterpool" in record.text for record in paper.system.export())
    assert paper.system.process is not None
    paper.system.process.kill()
    paper.system.restart()
    paper.system.reset("another", 0)
    paper.system.write(talk("2041-06-01T10:00", "The urn is at Tolland Street 14.", "Fine."))
    records = [*paper.system.export(), *paper.system.retrieve("Vanterpool", None)]
    assert any("Tolland Street" in record.text for record in records)
    assert not any("Vanterpool" in record.text for record in records)
    files = [path for path in paper.system.home.rglob("*") if path.is_file()]
    assert not any(b"Vanterpool" in path.read_bytes() for path in files)
    assert write_all(paper, sessions) == one
    assert paper.system.retrieve("choir", None) == found


def test_two_workers_give_byte_identical_exports(
    bank: Any, opened: Callable[..., Any], sessions: list[Session]
) -> None:
    write_all(bank, sessions, "an earlier case")
    one = write_all(bank, sessions)
    with opened("memorybank") as other:
        other.faults({})
        assert write_all(other, sessions) == one
        assert other.system.retrieve("choir", None) == bank.system.retrieve("choir", None)
    assert len({record.id for record in one}) == len(one)


def test_a_day_that_grows_is_not_summarised_again(bank: Any, talk: Callable[..., Session]) -> None:
    bank.answers(lambda task, content: f"<{task}>")
    bank.system.write(talk("2041-03-14T09:30", "Wren has the keys.", "Fine."))
    report: WriteReport = bank.system.write(
        talk("2041-03-14T20:00", "Wren lost the keys.", "Oh.", name="late")
    )
    assert (report.added, report.model_calls) == (1, 2)
    (loss,) = report.losses
    assert loss.kind == "other"
    assert "2041-03-14 was summarised before late" in loss.detail
    assert any("Wren lost the keys." in record.text for record in bank.system.export())


def far_apart(talk: Callable[..., Session], days: Sequence[str]) -> list[Session]:
    return [talk(f"{day}T09:30", f"Note {number} is about box {number}.") for number, day in enumerate(days)]


def test_the_paper_forgets_and_the_repository_does_not(
    bank: Any, paper: Any, talk: Callable[..., Session]
) -> None:
    sessions = far_apart(talk, ["2041-03-14", "2041-06-20", "2041-09-30"])
    for driven, left in ((bank, 3), (paper, 1)):
        driven.answers(lambda task, content: f"<{task}>")
        records = write_all(driven, sessions)
        assert kinds(records).count("turns") == left
        assert kinds(records).count("summary") == left
        assert kinds(records).count("portrait") == 3


def test_forgetting_is_counted_and_overall_texts_lose_the_day_too(
    paper: Any, talk: Callable[..., Session]
) -> None:
    model = paper.answers(lambda task, content: f"<{task}>")
    for session in far_apart(talk, ["2041-03-14", "2041-06-20"]):
        report = paper.system.write(session)
    assert report.removed == 2
    assert report.losses == ()
    assert model.asked[-2] == ("overall_events", "[2041-06-20] <day_events>")


def test_what_a_conversation_recalls_lasts_longer(paper: Any, talk: Callable[..., Session]) -> None:
    """For each seed, what is left is what the published curve and the draws say."""
    question = "In which tin does Wren keep the spare keys?"
    keys = f"Wren keeps the spare keys in the blue tin. {'Nobody else knows of them, so far. ' * 6}"
    carrots = f"The seed catalogue lists purple carrots. {'They want a sandy soil and much sun. ' * 6}"
    # The summary is nearest to the question and the keys come second; nothing is short enough to join.
    paper.answers(lambda task, content: question)
    told, asked = datetime(2041, 3, 14, 9), datetime(2041, 3, 14, 10)
    later = datetime(2041, 3, 15, 9)
    left, expected = [], []
    for seed in range(12):
        paper.system.reset("case", seed)
        paper.system.write(talk(told.isoformat(), keys, "", carrots))
        paper.system.write(talk(asked.isoformat(), question))
        paper.system.write(talk(later.isoformat(), "Good morning."))
        ids = {record.id for record in paper.system.export()}
        left.append((f"turns-{DAY}-1" in ids, f"turns-{DAY}-2" in ids))
        first = [Trace(told, draw(seed, "case", f"turns-{DAY}-{number}", 1)) for number in (1, 2)]
        again = first[0].recalled(asked, draw(seed, "case", f"turns-{DAY}-1", 2))
        expected.append((first[0].kept(asked) and again.kept(later), first[1].kept(later)))
    assert left == expected
    assert len(set(left)) > 1


def test_seeds_decide_what_is_forgotten(paper: Any, talk: Callable[..., Session]) -> None:
    sessions = [
        talk("2041-03-14T09:00", *(f"Note {number} is about box {number}." for number in range(40))),
        talk("2041-03-15T09:00", "Good morning."),
    ]
    stores = [tuple(record.id for record in write_all(paper, sessions, seed=seed)) for seed in (1, 1, 2)]
    assert stores[0] == stores[1]
    assert stores[0] != stores[2]
    left = sum(identity.startswith("turns-2041-03-14") for identity in stores[0])
    assert 0 < left < 20


def test_the_papers_prompt_gets_the_overall_summary_too(paper: Any, sessions: list[Session]) -> None:
    write_all(paper, sessions)
    found = paper.system.retrieve("choir", None)
    assert kinds(found)[:2] == ["overall-portrait", "overall-summary"]
