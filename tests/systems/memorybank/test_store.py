"""Turn pairs, days, and what forgetting takes along."""

from __future__ import annotations

import pytest

from memjoin.systems.memorybank.store import Bank, pairs
from memjoin.systems.protocol import Session, Turn


def turns(marks: str) -> list[Turn]:
    return [Turn({"u": "user", "a": "assistant"}[mark], f"{mark}{place}") for place, mark in enumerate(marks)]


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ("uaua", ["u0 a1", "u2 a3"]),
        ("uau", ["u0 a1", "u2"]),
        ("aua", ["a0", "u1 a2"]),
        ("uua", ["u0", "u1 a2"]),
        ("uaa", ["u0 a1", "a2"]),
        ("", []),
    ],
)
def test_a_session_falls_into_what_was_said_and_the_reply(marks: str, expected: list[str]) -> None:
    assert [" ".join(turn.text for turn in pair) for pair in pairs(turns(marks))] == expected


def test_blank_turns_fall_out() -> None:
    said = [
        Turn("user", "hello"),
        Turn("assistant", "  "),
        Turn("user", "and again"),
        Turn("assistant", "yes"),
    ]
    assert [[turn.text for turn in pair] for pair in pairs(said)] == [["hello"], ["and again", "yes"]]


def session(name: str, at: str, *texts: str) -> Session:
    return Session(name, at, tuple(Turn(("user", "assistant")[n % 2], text) for n, text in enumerate(texts)))


def filled() -> Bank:
    bank = Bank()
    bank.add_turns(session("s1", "2041-03-14T09:00", "one", "two", "three"))
    bank.set_daily("summary", "2041-03-14", "counting", "2041-03-14T09:00")
    bank.set_daily("portrait", "2041-03-14", "a counter", "2041-03-14T09:00")
    bank.add_turns(session("s2", "2041-03-14T21:00", "four"))
    bank.add_turns(session("s3", "2041-03-15T09:00", "five"))
    bank.set_overall("overall-portrait", "counts", bank.portraits.values(), "2041-03-15T09:00")
    bank.set_overall("overall-summary", "counted", bank.summaries.values(), "2041-03-15T09:00")
    return bank


def test_notes_stand_in_a_stable_order_with_their_days() -> None:
    notes = filled().notes()
    assert [note.id for note in notes] == [
        "turns-2041-03-14-1",
        "turns-2041-03-14-2",
        "turns-2041-03-14-3",
        "turns-2041-03-15-1",
        "summary-2041-03-14",
        "portrait-2041-03-14",
        "overall-summary",
        "overall-portrait",
    ]
    assert notes[0].text == "[2041-03-14] user: one\nassistant: two"
    assert notes[4].text == "[2041-03-14] counting"
    assert notes[6].text == "counted"
    assert notes[2].sessions == ("s2",)
    assert notes[4].sessions == ("s1",)


def test_the_index_holds_turns_and_summaries_by_day() -> None:
    assert [note.id.split("-", 1)[0] for note in filled().pieces()] == ["turns"] * 3 + ["summary", "turns"]


def test_a_day_loses_its_summary_with_its_last_turns() -> None:
    bank = filled()
    bank.forget(lambda note: note.id.endswith("-1"))
    assert [note.id for note in bank.notes()][:3] == [
        "turns-2041-03-14-1",
        "turns-2041-03-15-1",
        "summary-2041-03-14",
    ]
    bank.forget(lambda note: note.day == "2041-03-15")
    assert [note.id for note in bank.notes()] == [
        "turns-2041-03-15-1",
        "portrait-2041-03-14",
        "overall-summary",
        "overall-portrait",
    ]


def test_numbers_are_not_given_twice() -> None:
    bank = filled()
    bank.forget(lambda note: False)
    (note,) = bank.add_turns(session("s4", "2041-03-14T23:00", "six"))
    assert note.id == "turns-2041-03-14-4"


def test_an_overall_text_keeps_the_time_of_its_first_writing() -> None:
    bank = filled()
    bank.set_overall("overall-summary", "counted on", bank.summaries.values(), "2041-04-01T08:00")
    note = bank.overall["overall-summary"]
    assert (note.created, note.updated) == ("2041-03-15T09:00", "2041-04-01T08:00")
