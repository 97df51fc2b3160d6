"""What the reader is given under each condition."""

import pytest

from memjoin.cases.schema import Session, Turn
from memjoin.conditions.views import CONDITIONS, DEFAULT_CONDITIONS, ReaderInput, condition, view
from memjoin.errors import MemJoinError
from memjoin.systems.protocol import Record

SESSIONS = (
    Session("s1", "2029-08-20T14:05", (Turn("user", "The plate is 7KD 220."), Turn("assistant", "Noted."))),
    Session("s2", "2029-08-27T09:30", (Turn("user", "It is the side entrance."),)),
)
STORE = [Record("a", "plate 7KD 220"), Record("b", "side entrance"), Record("c", "plate 7KD 220")]


def test_titles_are_those_of_table_b1():
    assert [condition(name).title for name in CONDITIONS] == [
        "Retrieved memory",
        "All memory",
        "Full history",
        "Task only",
        "Itemized history",
    ]


def test_what_needs_no_memory_system_is_a_reference():
    references = {name for name in CONDITIONS if condition(name).reference}
    assert references == {"history", "task-only", "itemized"}


def test_a_run_that_names_none_leaves_out_only_the_presentation_control():
    assert set(CONDITIONS) - set(DEFAULT_CONDITIONS) == {"itemized"}


def test_retrieved_memory_is_what_was_retrieved_in_its_order():
    given = view("retrieved", sessions=SESSIONS, retrieved=STORE[1::-1], exported=STORE)
    assert given == ReaderInput("retrieved", ("side entrance", "plate 7KD 220"))


def test_all_memory_is_the_whole_store_equal_records_included():
    given = view("all", sessions=SESSIONS, retrieved=STORE[:1], exported=STORE)
    assert given.items == ("plate 7KD 220", "side entrance", "plate 7KD 220")


def test_full_history_is_every_conversation_with_date_and_speakers():
    assert view("history", sessions=SESSIONS).items == (
        "Conversation of 2029-08-20 14:05\nUser: The plate is 7KD 220.\nAssistant: Noted.",
        "Conversation of 2029-08-27 09:30\nUser: It is the side entrance.",
    )


def test_itemized_history_is_every_message_with_date_and_speaker():
    assert view("itemized", sessions=SESSIONS).items == (
        "[2029-08-20 14:05] User: The plate is 7KD 220.",
        "[2029-08-20 14:05] Assistant: Noted.",
        "[2029-08-27 09:30] User: It is the side entrance.",
    )


def test_no_memory_is_another_thing_than_an_empty_one():
    assert view("task-only", sessions=SESSIONS, exported=STORE).items is None
    assert view("retrieved", sessions=SESSIONS, exported=STORE).items == ()


@pytest.mark.parametrize("name", ["history", "itemized", "task-only"])
def test_references_take_nothing_from_a_store(name):
    with_store = view(name, sessions=SESSIONS, retrieved=STORE, exported=STORE)
    assert with_store == view(name, sessions=SESSIONS)


@pytest.mark.parametrize("name", ["retrieved", "all"])
def test_memory_conditions_take_nothing_from_the_sessions(name):
    with_sessions = view(name, sessions=SESSIONS, retrieved=STORE, exported=STORE)
    assert with_sessions == view(name, retrieved=STORE, exported=STORE)


def test_an_unknown_condition_is_named_with_all_there_are():
    with pytest.raises(MemJoinError, match="no condition 'everything'") as error:
        view("everything")
    assert "retrieved, all, history, task-only, itemized" in error.value.hint
